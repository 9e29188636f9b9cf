"""Class labels: the distinct ones, their codes, and which of two is positive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Label, codes_among, distinct_whole

__all__ = [
    "Codes",
    "checked_classes",
    "coded",
    "distinct",
    "is_text",
    "known_positive",
    "other_of",
    "positive_of",
]

Codes = NDArray[np.int64]


def is_text(array: NDArray[Any]) -> bool:
    """Return whether labels are text."""
    return array.dtype.kind in "US" or (
        array.dtype == object and any(isinstance(v, str) for v in set(array.tolist()))
    )


def distinct(function: str, *columns: NDArray[Any]) -> tuple[Label, ...]:
    """Return the sorted distinct labels of some columns, as Python values."""
    labels: set[Any] = set()
    for column in columns:
        # Text and objects go through Python's set: np.unique would convert mixed values to text
        # first.
        labels |= set(_distinct_numbers(column) if column.dtype.kind in "biuf" else column.tolist())
    kinds = {isinstance(label, str) for label in labels}
    if len(kinds) > 1:
        raise ValueError(
            f"{function}: labels must be all text or all numbers; got both, {sorted(map(repr, labels))[:6]}: "
            "convert one side, for example with astype(str)."
        )
    return tuple(sorted(labels))


def _distinct_numbers(column: NDArray[Any]) -> list[Label]:
    if column.dtype == np.bool_:
        return [value for value, occurs in ((False, not column.all()), (True, bool(column.any()))) if occurs]
    # Small whole numbers are counted instead of sorted: O(n) rather than O(n log n).
    counted = distinct_whole(column) if column.dtype.kind in "iu" else None
    labels: list[Label] = (np.unique(column) if counted is None else counted).tolist()
    return labels


def checked_classes(function: str, labels: Sequence[Label]) -> tuple[Label, ...]:
    """Return the classes a user named, after checking that none is named twice."""
    array = np.asarray(labels)
    classes: tuple[Label, ...] = tuple(array.tolist() if array.dtype != object else list(labels))
    if array.ndim != 1 or not classes or len(set(classes)) < len(classes):
        raise ValueError(f"{function}: 'labels' must name each class once; got {list(classes)}.")
    return classes


def coded(function: str, name: str, column: NDArray[Any], classes: Sequence[Label]) -> Codes:
    """Return the position of each label among the classes, which must include them all."""
    # integers are looked up by array operations, which are faster than the dict for other labels
    # bool is a subclass of int, and 1.0 == 1: exact types keep floats out of the integer path.
    if column.dtype.kind in "iub" and all(type(label) in (int, bool) for label in classes):
        codes = codes_among(column, np.array([int(label) for label in classes]))
        if codes is not None:
            return codes.astype(np.int64)
    place = {label: i for i, label in enumerate(classes)}
    values = column.tolist()
    unknown = set(values) - place.keys()
    if unknown:
        row = next(i for i, value in enumerate(values) if value in unknown)
        raise ValueError(
            f"{function}: '{name}' has the label {values[row]!r} in row {row}, "
            f"which is not one of 'labels' {list(classes)}: name all classes."
        )
    return np.fromiter(map(place.__getitem__, values), dtype=np.int64, count=len(values))


def known_positive(function: str, classes: Sequence[Label], positive: Label | None) -> Label | None:
    """Return the positive one of two classes: the one named, else 1, else None."""
    if positive is not None:
        chosen: Label = positive.item() if isinstance(positive, np.generic) else positive
        # A fold may hold one class only; then any label is accepted as the positive one that is
        # absent.
        if chosen not in classes and len(classes) > 1:
            raise ValueError(
                f"{function}: 'positive' must be one of the classes {list(classes)}; got {chosen!r}."
            )
        return chosen
    if set(classes) <= {0, 1} or set(classes) <= {-1, 1}:
        return True if all(isinstance(label, bool) for label in classes) else 1
    return None


def positive_of(function: str, classes: Sequence[Label], positive: Label | None) -> Label:
    """Return the positive one of two classes: the one asked for, else 1, else the one that sorts last."""
    chosen = known_positive(function, classes, positive)
    if chosen is None and len(classes) == 2:
        chosen = max(classes, key=_order)
    if chosen is None:
        raise ValueError(
            f"{function}: 'positive' must say which of the classes {list(classes)} is the positive one: "
            "it is clear only if there are two, or if they are 0 and 1, -1 and 1, or False and True."
        )
    return chosen


def _order(label: Label) -> Any:
    """Return the label as a sort key: labels of one column are of one type and can be compared."""
    return label


def other_of(classes: Sequence[Label], positive: Label) -> Label | None:
    """Return the negative one of two classes, or None if there is only the positive one."""
    rest = [label for label in classes if label != positive]
    return rest[0] if rest else None
