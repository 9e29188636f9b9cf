"""Strata: which rows belong together when every part of a table must have its share of them."""

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

MOST_LEVELS = 20  # different numbers that count as levels, as for the target of a table
PARTS = 10  # of about equal size, into which a column with more different numbers is cut


@dataclass(frozen=True)
class Strata:
    """Stratum of each row, counted from 0 in the order in which the strata appear."""

    codes: NDArray[np.intp]
    names: tuple[str, ...]

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Rows in each stratum."""
        return np.bincount(self.codes, minlength=len(self.names))

    def require(self, least: int, who: str, why: str) -> None:
        """Refuse a stratum with too few rows."""
        rarest = int(self.sizes.argmin())
        if self.sizes[rarest] < least:
            count = int(self.sizes[rarest])
            raise ValueError(
                f"{who}: {self.names[rarest]} has {count} row{'s' * (count != 1)}, but {why}: "
                "join it with another, or split without strata."
            )


def strata_of_classes(y: NDArray[Any] | None, who: str) -> Strata:
    """Strata by class; real numbers are refused, because they are no classes."""
    if y is None:
        raise ValueError(
            f"{who}: strata come from the classes: give y, or name a column of X to stratify by."
        )
    if y.ndim != 1:
        raise ValueError(f"{who}: y must be one column of classes; got an array of shape {y.shape}.")
    if y.dtype.kind == "f" and (broken := y[np.isfinite(y) & (y != np.round(y))]).size:
        raise ValueError(
            f"{who}: y holds real numbers such as {broken[0]}, not classes: split without strata, or name a "
            "column of X to stratify by."
        )
    return _by_level(Frame({"y": y}), "class")


def strata_by(X: Any, by: By) -> Strata:
    """Strata by one column of a table, or by the combinations of several; missing cells are a level too.

    A column with more than 20 different numbers is cut into ten parts of about equal size.
    """
    keys: list[str | int] = [by] if isinstance(by, str | int) else [*by]
    if not keys:
        raise ValueError("Strata need at least one column; got an empty list.")
    together, *others = [_by_value(_one_column(X, key), f"'{key}'") for key in keys]
    for other in others:
        together = _crossed(together, other)
    return together


def _one_column(X: Any, key: str | int) -> Frame:
    """Frame of one column, without converting the others of a DataFrame."""
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
    """Combinations of two kinds of strata that occur."""
    codes, first = _by_appearance(one.codes * len(other.names) + other.codes)
    pairs = zip(one.codes[first].tolist(), other.codes[first].tolist(), strict=True)
    return Strata(codes, tuple(f"{one.names[a]} with {other.names[b]}" for a, b in pairs))


def _by_appearance(values: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Number different values in the order in which they appear, and give the first row of each."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))
    return place[codes].astype(np.intp, copy=False), np.sort(first)
