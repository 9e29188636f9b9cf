"""Columns compared with each other and with the target, on a sample of rows where the table is large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from hornbook._lazy import lazy_module
from hornbook.frame._cells import Cells
from hornbook.frame.profile._distinct import row_marks
from hornbook.params import Floats

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = ["Dependence", "correlations", "dependence", "repeated_rows", "same_values", "spaced_rows"]


def spaced_rows(n_rows: int, most: int) -> NDArray[np.intp]:
    """Positions of at most that many rows, evenly spaced."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, most)).astype(np.intp))


def correlations(X: Floats) -> Floats:
    """Pearson's correlation of every two columns where both are known; 0 where it is undefined."""
    known = np.isfinite(X)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        mass = np.maximum(known.sum(axis=0), 1)
        centered = np.where(known, X - np.where(known, X, 0.0).sum(axis=0) / mass, 0.0)
        # Scaled to at most 1, so that squares of very large or small numbers neither overflow nor vanish.
        centered /= np.maximum(np.abs(centered).max(axis=0, initial=0.0), np.finfo(float).tiny)
        present = known.astype(np.float64) if not known.all() else np.ones((len(X), 1))
        n, sums, squares = present.T @ present, centered.T @ present, (centered**2).T @ present
        # Columns are centered at their own means, so that the sums over the rows which two have in common are
        # small, and the subtraction takes few digits.
        covariance = n * (centered.T @ centered) - sums * sums.T
        variance = n * squares - sums**2
        correlation = covariance / np.sqrt(variance * variance.T)
    # A column may be constant, but for rounding, on the rows that it shares with another.
    varies = variance > 1e-12 * n**2
    return np.where((n > 2) & varies & varies.T, correlation, 0.0)


@dataclass(frozen=True)
class Dependence:
    """Mutual information of a column with the target in bits, and how probable so much is by chance."""

    bits: float
    p_value: float


def dependence(column: NDArray[np.int32], target: NDArray[np.int32]) -> Dependence | None:
    """Mutual information of two columns of codes, with the G-test of independence; None without enough rows.

    G = 2 n MI (in nats) follows the chi-squared distribution with (a - 1)(b - 1) degrees of freedom when two
    columns with a and b levels are independent.
    """
    known = (column >= 0) & (target >= 0)
    table = np.zeros((column.max(initial=0) + 1, target.max(initial=0) + 1))
    np.add.at(table, (column[known], target[known]), 1.0)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    n = table.sum()
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    # Cochran's rule (1954) for the approximation by the chi-squared distribution.
    if freedom < 1 or n < 5 * table.size:  # fewer than 5 rows a cell: the test says nothing
        return None
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    seen = table > 0
    nats = float((table[seen] * np.log(table[seen] / expected[seen])).sum() / n)
    return Dependence(nats / np.log(2.0), float(chdtrc(freedom, 2.0 * n * nats)))


def same_values(one: NDArray[Any], two: NDArray[Any]) -> bool:
    """Whether two columns are equal cell by cell, missing cells included."""
    return bool(np.array_equal(one, two, equal_nan=one.dtype.kind == "f" and two.dtype.kind == "f"))


def repeated_rows(frame: Cells, columns: Sequence[int]) -> int:
    """How many rows repeat an earlier one, by a 64-bit hash of each row."""
    # Among a million rows, two different ones have the same hash with a probability of 3e-8.
    return len(frame) - pl.Series(row_marks(frame, columns)).n_unique()
