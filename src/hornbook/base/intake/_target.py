"""The target: from what the user passed to a plain, checked array."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

from hornbook.frame import NOT_TEXT, REPAIR, codes_among, distinct_whole, is_missing, lone_surrogate

__all__ = [
    "DistinctLabels",
    "coded",
    "distinct_labels",
    "numbers_of",
    "numpy_of",
    "target_array",
    "warn_of_column",
]


def target_array(y: Any, n_rows: int, learner: str, *, multi_output: bool = False) -> NDArray[Any]:
    """Return the target with one complete value a row, or with a row of them for ``multi_output``."""
    if issparse(y):
        raise TypeError(
            f"{learner} takes a dense target, and sparse multilabel-indicator for y is not supported: pass "
            "y.toarray()."
        )
    values = y if isinstance(y, np.ndarray) else _from_anything(y)
    if np.iscomplexobj(values):
        raise ValueError("Complex data not supported\ny must hold real numbers or labels.")
    if values.ndim == 2 and values.shape[1] == 1 and not multi_output:
        warn_of_column()
        values = values[:, 0]
    if values.ndim != 1 and not (multi_output and values.ndim == 2 and values.shape[1] > 0):
        raise ValueError(
            f"y should be a 1d array, got an array of shape {values.shape} instead: {learner} takes one "
            "target; fit one learner for each column of y."
        )
    if len(values) != n_rows:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows and y has {len(values)}; pass one target value for each row."
        )
    _refuse_missing(values)
    _refuse_lone_surrogates(values)
    return values


def warn_of_column() -> None:
    """Say that one target should have one dimension, as scikit-learn does."""
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. "
        "Please change the shape of y to (n_samples,), for example using ravel().",
        DataConversionWarning,
        stacklevel=9,
    )


def _from_anything(y: Any) -> NDArray[Any]:
    try:
        return numpy_of(y)
    except ValueError as error:
        raise ValueError("y should be a 1d array: its rows have different lengths.") from error


def numpy_of(values: Any) -> NDArray[Any]:
    """The values of an array, a series or a list; those of pyarrow are copied where NumPy has other types."""
    if hasattr(values, "dictionary_decode"):  # pyarrow, dictionaries only
        values = values.dictionary_decode()
    if hasattr(values, "to_numpy"):
        copied = hasattr(values, "to_pylist") and not hasattr(values, "chunks")  # an Array of pyarrow
        return np.asarray(values.to_numpy(zero_copy_only=False) if copied else values.to_numpy())
    return np.asarray(values)


def _refuse_missing(values: NDArray[Any]) -> None:
    if values.dtype.kind == "f":
        if np.isnan(values).any():
            missing = True
        elif np.isinf(values).any():
            raise ValueError(
                "Input y contains infinity or a value too large for dtype('float64'): "
                "drop or correct those rows."
            )
        else:
            return
    elif values.dtype == object:
        # Few distinct labels instead of many rows: the check runs in Python.
        missing = any(map(is_missing, _distinct(values)))
    else:
        return
    if missing:
        raise ValueError("Input y contains NaN: drop the rows whose target is missing.")


def _refuse_lone_surrogates(values: NDArray[Any]) -> None:
    if values.dtype.kind == "U" and not _has_surrogates(values):
        return
    if values.dtype.kind in "OU" and (label := lone_surrogate(_distinct(values))) is not None:
        raise ValueError(f"The target y holds {label!r}, {NOT_TEXT}: {REPAIR}.")


def _has_surrogates(texts: NDArray[Any]) -> bool:
    # All code points at once: far quicker than making a string of every row.
    points = np.ascontiguousarray(texts, texts.dtype.newbyteorder("=")).view(np.uint32)
    return bool(((points >= 0xD800) & (points <= 0xDFFF)).any())


def _distinct(values: NDArray[Any]) -> Collection[Any]:
    """The values, each once where they can be told apart by their hash."""
    cells = values.ravel().tolist()
    try:
        return set(cells)
    except TypeError:
        return list(cells)


@dataclass(frozen=True)
class DistinctLabels:
    """The distinct labels of some rows; merged over parts, those of all rows.

    Parameters
    ----------
    values : ndarray
        Each label once, in any order.
    types : frozenset of type
        Types of the labels, where they are Python objects.
    """

    values: NDArray[Any]
    types: frozenset[type] = frozenset()

    @classmethod
    def of(cls, y: NDArray[Any]) -> DistinctLabels:
        """Labels of a classification target; what can be no label is refused."""
        if y.dtype.kind == "f" and not np.array_equal(y, np.floor(y)):
            raise ValueError(
                "Unknown label type: continuous. A classifier needs a target with classes: "
                "use a regressor, or bin the target first."
            )
        # Counting instead of sorting, where whole numbers are close together.
        if y.dtype.kind in "fiu" and (values := distinct_whole(y)) is not None:
            return cls(values)
        if y.dtype == object:
            types = frozenset(map(type, y.tolist()))
            _check_types(types)
            return cls(_objects(y.tolist()), types)
        if y.dtype.kind not in "fiubUS":
            raise ValueError(f"Unknown label type: {y.dtype}. Use text, numbers or booleans as class labels.")
        return cls(np.unique(y))

    def merge(self, other: DistinctLabels) -> DistinctLabels:
        """The labels of the rows of both."""
        if self.values.dtype != object:
            return DistinctLabels(np.unique(np.concatenate([self.values, other.values])))
        types = self.types | other.types
        _check_types(types)
        return DistinctLabels(_objects([*self.values.tolist(), *other.values.tolist()]), types)

    def ascending(self) -> NDArray[Any]:
        """The labels in their order."""
        if self.values.dtype != object:
            return self.values
        return np.array(sorted(self.values.tolist()), dtype=object)

    def checked(self) -> NDArray[Any]:
        """The labels in their order; numbers that are objects must be whole, as others."""
        if self.types and self.types <= {float}:
            DistinctLabels.of(self.values.astype(np.float64))
        return self.ascending()


def _objects(values: list[Any]) -> NDArray[Any]:
    # Not sorted here: parts are merged, and only the whole is put in order.
    distinct = list(dict.fromkeys(values))
    return np.fromiter(distinct, dtype=object, count=len(distinct))


def _check_types(types: frozenset[type]) -> None:
    if len(types) > 1 and str in types:
        names = " and ".join(sorted(kind.__name__ for kind in types))
        raise TypeError(f"y mixes labels of type {names}: make them one type, for example with astype(str).")
    if not types <= {str, bool, int, float, np.str_, np.bool_} and not all(
        issubclass(kind, np.number) for kind in types
    ):
        names = ", ".join(sorted(kind.__name__ for kind in types))
        raise ValueError(f"Unknown label type: {names}. Use text, numbers or booleans as class labels.")


def distinct_labels(y: NDArray[Any]) -> NDArray[Any]:
    """Return the sorted distinct labels of a classification target."""
    return DistinctLabels.of(y).checked()


def coded(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the position of each label in ``classes``, which must hold them all."""
    if y.dtype.kind in "fiu" and classes.dtype.kind in "fiu":
        codes = codes_among(y, classes)
        if codes is not None:
            return codes
    elif y.dtype.kind in "OUS":  # text has no order that is quicker to search than a dictionary
        place = {label: code for code, label in enumerate(classes.tolist())}
        try:
            return np.fromiter(map(place.__getitem__, y.tolist()), np.int32, len(y))
        except KeyError as error:
            raise _unknown(error.args[0], classes) from error
    known = np.isin(y, classes)
    if not known.all():
        raise _unknown(y[~known].tolist()[0], classes)
    return np.searchsorted(classes, y).astype(np.int32)


def _unknown(label: Any, classes: NDArray[Any]) -> ValueError:
    return ValueError(
        f"y contains the class {label!r}, which is not among the classes {classes.tolist()!r}: "
        "fit on rows of every class, or name all classes in the first call of partial_fit."
    )


def numbers_of(y: NDArray[Any]) -> NDArray[np.float64]:
    """Return a regression target as float64."""
    try:
        numbers = y.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y must hold numbers for regression, found {y.dtype}: "
            "use a classifier, or convert the target to numbers."
        ) from error
    _refuse_missing(numbers)
    return numbers
