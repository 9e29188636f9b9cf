"""How many different values there are, by counts that can be added up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._cells import Cells
from hornbook.params import Floats

__all__ = ["Distinct", "row_marks", "value_marks"]

KEPT = 2**12  # different values that are counted exactly; more are estimated, to 2 %
# Of splitmix64 (Steele, Lea and Flood, 2014): every bit of the result depends on every bit of the value.
MIX = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)

Marks = NDArray[np.uint64]


@dataclass(frozen=True)
class Distinct:
    """The values with the smallest hashes, and how often each occurs among all rows.

    Hashes choose values, not rows: so a value that is chosen in one part of the rows is chosen in all others
    where it occurs, and the counts of disjoint rows can be added up.

    Parameters
    ----------
    marks : ndarray of uint64
        Hashes of values, ascending.
    counts : ndarray of int
        How often each occurs.
    kept : int
        How many values there are at most.

    Examples
    --------
    >>> one, two = (Distinct.of(value_marks(np.array(numbers))) for numbers in ([1.0, 2.0, 2.0], [2.0, 5.0]))
    >>> one.merge(two).count(5)
    3
    """

    marks: Marks
    counts: NDArray[np.int64]
    kept: int = field(default=KEPT)

    @classmethod
    def of(cls, marks: Marks, kept: int = KEPT) -> Distinct:
        """Of the hashes of some rows."""
        chosen, counts = np.unique(marks, return_counts=True)
        return cls(chosen[:kept], counts[:kept], kept)

    def merge(self, other: Distinct) -> Distinct:
        """Of the rows of both."""
        marks, places = np.unique(np.concatenate([self.marks, other.marks]), return_inverse=True)
        counts = np.zeros(len(marks), dtype=np.int64)
        np.add.at(counts, places, np.concatenate([self.counts, other.counts]))
        return Distinct(marks[: self.kept], counts[: self.kept], self.kept)

    @property
    def exact(self) -> bool:
        """Whether no value has been left out."""
        return len(self.marks) < self.kept

    def count(self, n_values: int) -> int:
        """How many different ones there are of so many values.

        Parameters
        ----------
        n_values : int
            Values that are not missing.
        """
        # On average a value occurs as often as the chosen ones do; if these occur once each, so do all.
        return len(self.marks) if self.exact else round(n_values * len(self.counts) / int(self.counts.sum()))


def value_marks(cells: Floats) -> Marks:
    """Hashes of numbers: equal ones have equal hashes."""
    return _mixed(_bits(cells))


def row_marks(frame: Cells, columns: Iterable[int]) -> Marks:
    """Hashes of rows, of these columns."""
    marks = np.zeros(len(frame), dtype=np.uint64)
    for j in columns:
        marks = _mixed(marks ^ _bits(frame.column(j)))
    return marks


def _bits(cells: NDArray[np.generic]) -> Marks:
    numbers = cells.astype(np.float64) + 0.0  # -0.0 becomes 0.0
    numbers[np.isnan(numbers)] = np.nan  # one of the many bit patterns of NaN
    return numbers.view(np.uint64)


def _mixed(marks: Marks) -> Marks:
    marks = (marks ^ (marks >> SHIFT[0])) * MIX[0]
    marks = (marks ^ (marks >> SHIFT[1])) * MIX[1]
    return marks ^ (marks >> SHIFT[2])
