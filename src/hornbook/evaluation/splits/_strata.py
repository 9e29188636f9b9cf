"""Strata: groups of rows whose proportions every part of a split keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame, as_frame

__all__ = ["By", "Strata", "strata_by", "strata_of_classes"]

By: TypeAlias = str | int | Sequence[str] | Sequence[int]

MOST_LEVELS = 20  # distinct numbers that count as levels, as for the target of a table
PARTS = 10  # bins of about equal size for a column with more distinct numbers


@dataclass(frozen=True)
class Strata:
    """Stratum of each row, numbered from 0 in order of appearance."""

    codes: NDArray[np.intp]
    names: tuple[str, ...]

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Rows in each stratum."""
        return np.bincount(self.codes, minlength=len(self.names))

    def require(self, least: int, who: str, why: str) -> None:
        """Reject a stratum with too few rows."""
        rarest = int(self.sizes.argmin())
        if self.sizes[rarest] < least:
            count = int(self.sizes[rarest])
            raise ValueError(
                f"{who}: {self.names[rarest]} has {count} row{'s' * (count != 1)}, but {why}: "
                "join it with another, or split without strata."
            )


def strata_of_classes(y: NDArray[Any] | None, who: str) -> Strata:
    """Return strata by class; real numbers are rejected, because they are not classes."""
    if y is None:
        raise ValueError(
            f"{who}: strata come from the classes: pass y, or name a column of X to stratify by."
        )
    if y.ndim != 1:
        raise ValueError(f"{who}: y must be one column of classes; got an array of shape {y.shape}.")
    # Whole numbers stored as floats are classes, as in scikit-learn.
    if y.dtype.kind == "f" and (broken := y[np.isfinite(y) & (y != np.round(y))]).size:
        raise ValueError(
            f"{who}: y holds real numbers such as {broken[0]}, not classes: split without strata, or name a "
            "column of X to stratify by."
        )
    return _by_level(Frame({"y": y}), "class")


def strata_by(X: Any, by: By) -> Strata:
    """Return strata by one column of a table, or by the combinations of several; missing is a level too.

    A column with more than 20 distinct numbers is cut into ten bins of about equal size.
    """
    keys: list[str | int] = [by] if isinstance(by, str | int) else [*by]
    if not keys:
        raise ValueError("Strata need at least one column; got an empty list.")
    together, *others = [_by_value(_one_column(X, key), f"'{key}'") for key in keys]
    for other in others:
        together = _crossed(together, other)
    return together


def _one_column(X: Any, key: str | int) -> Frame:
    """Return a Frame of one column, without converting the others of a DataFrame."""
    table = nw.from_native(X, eager_only=True, pass_through=True)
    if isinstance(table, nw.DataFrame) and key in table.columns:
        return Frame(table.select(key).to_native())
    frame = as_frame(X)
    return frame.select([frame.schema.position(key)])


def _by_value(column: Frame, word: str) -> Strata:
    raw = column.column(0)
    if column.schema.kinds[0] != "numeric" or len(np.unique(raw)) <= MOST_LEVELS:
        return _by_level(column, word)
    cuts = np.nanquantile(raw, np.arange(1, PARTS) / PARTS)
    # Missing values form a bin of their own, after the last.
    part = np.where(np.isnan(raw), PARTS, np.searchsorted(cuts, raw))
    codes, first = _by_appearance(part)
    return Strata(codes, tuple(f"{word} {_part_name(int(part[row]))}" for row in first))


def _part_name(part: int) -> str:
    return "missing" if part == PARTS else f"part {part + 1} of {PARTS}"


def _by_level(column: Frame, word: str) -> Strata:
    values = column[column.schema.names[0]]
    codes, first = _by_appearance(column.column(0))
    return Strata(codes, tuple(f"{word} {value!r}" for value in values[first].tolist()))


def _crossed(one: Strata, other: Strata) -> Strata:
    """Return the combinations of two kinds of strata that occur."""
    # Only combinations that occur get a code, in order of appearance.
    codes, first = _by_appearance(one.codes * len(other.names) + other.codes)
    pairs = zip(one.codes[first].tolist(), other.codes[first].tolist(), strict=True)
    return Strata(codes, tuple(f"{one.names[a]} with {other.names[b]}" for a, b in pairs))


def _by_appearance(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Number distinct values in order of appearance, and return the first row of each."""
    # scikit-learn numbers strata by appearance, too: unshuffled folds agree with its own
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    # argsort of argsort is the rank: the first-seen value becomes 0, the next 1, and so on.
    place = np.argsort(np.argsort(first))
    return place[codes].astype(np.intp, copy=False), np.sort(first)
