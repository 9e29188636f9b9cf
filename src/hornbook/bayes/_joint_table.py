"""The joint table of all categories: how often each combination of levels occurs in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import require_memory

__all__ = ["JointCounts", "JointTable", "grouped"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Places = NDArray[np.intp]

MOST = 2**62  # numbers of combinations that fit into one integer


def grouped(codes: Codes) -> tuple[Places, Places]:
    """Find equal rows of codes.

    Returns
    -------
    first : ndarray of shape (n_groups,)
        For each group of equal rows one of them; groups are in lexicographic order.
    group : ndarray of shape (n_rows,)
        The group of each row.
    """
    key = np.zeros(len(codes), dtype=np.int64)
    span = 1
    for column in codes.T:
        size = int(column.max(initial=-1)) + 2
        if span * size > MOST:  # ranks keep the order and take less room
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(codes)
        key = key * size + (column + 1)
        span *= size
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


@dataclass(frozen=True)
class JointCounts:
    """Weight of each combination of levels in each class; combinations that do not occur take no room.

    Parameters
    ----------
    cells : ndarray of shape (n_cells, n_columns)
        The combinations, in lexicographic order; -1 where a cell is missing.
    mass : ndarray of shape (n_cells, n_classes)
        Their weight in each class.
    """

    cells: Codes
    mass: Floats

    @classmethod
    def of(cls, codes: Codes, y: Codes, w: Floats | None, n_classes: int) -> JointCounts:
        """Count the rows of one chunk."""
        first, group = grouped(codes)
        mass = np.bincount(group * n_classes + y, weights=w, minlength=len(first) * n_classes)
        return cls(codes[first], mass.astype(np.float64).reshape(len(first), n_classes))

    def merge(self, other: JointCounts) -> JointCounts:
        """Counts of the rows of both."""
        cells = np.concatenate([self.cells, other.cells])
        first, group = grouped(cells)
        require_memory(3 * len(first), self.mass.shape[1], "leave out columns, or use NaiveBayes")
        mass = np.zeros((len(first), self.mass.shape[1]))
        mass[group[: len(self.cells)]] += self.mass
        mass[group[len(self.cells) :]] += other.mass
        return JointCounts(cells[first], mass)

    def marginal(self, columns: Places) -> JointCounts:
        """Counts of some columns alone, over the rows in which all of them are known."""
        cells = self.cells[:, columns]
        known = (cells >= 0).all(axis=1)
        first, group = grouped(cells[known])
        sums = [np.bincount(group, weights=own, minlength=len(first)) for own in self.mass[known].T]
        return JointCounts(cells[known][first], np.stack(sums, axis=1))


@dataclass(frozen=True)
class JointTable:
    """P(combination of levels | class) from counts.

    With n the weight of the combination in the class, N that of the class and M the number of possible
    combinations, the product of the numbers of levels: ``laplace`` is (n + alpha) / (N + alpha M), ``none``
    n / N, ``zero_only`` n / N except for combinations that occur in no class, which get
    alpha / (N + alpha M). Where cells are missing, the probabilities of all combinations that agree with the
    others are added up, N being the weight of the rows in which these others are known.

    Parameters
    ----------
    counts : JointCounts
        The weights.
    sizes : ndarray of shape (n_columns,)
        Number of levels of each column.
    smoothing : {"laplace", "zero_only", "none"}
        See above.
    alpha : float
        The count added to every combination.
    """

    counts: JointCounts
    sizes: Codes
    smoothing: Literal["laplace", "zero_only", "none"]
    alpha: float

    def log_probability(self, codes: Codes) -> Floats:
        """Log of P(combination | class), of shape (n_rows, n_classes)."""
        out = np.zeros((len(codes), self.counts.mass.shape[1]))
        # A column that never had a value is left out and has no levels to choose from.
        used = (self.counts.cells >= 0).any(axis=0)
        levels = np.log(np.where(used, self.sizes, 1))
        codes = np.where(used, codes, np.int32(-1))
        first, group = grouped((codes >= 0).astype(np.int32))
        order = np.argsort(group, kind="stable")
        for rows in np.split(order, np.cumsum(np.bincount(group, minlength=len(first)))[:-1]):
            columns = np.flatnonzero(codes[rows[0]] >= 0) if len(rows) else np.empty(0, dtype=np.intp)
            if len(columns):
                ways = levels.sum(), levels.sum() - levels[columns].sum()
                out[rows] = self._of(columns, codes[np.ix_(rows, columns)], *ways)
        return out

    def _of(self, columns: Places, codes: Codes, ways: float, left: float) -> Floats:
        """The same for rows in which just these columns are known.

        ``ways`` and ``left`` are the logarithms of the numbers of combinations of all columns, and of those
        that are missing.
        """
        known = self.counts.marginal(columns)
        together = np.concatenate([known.cells, codes])
        _, group = grouped(together)
        place = np.full(len(together), len(known.cells))  # a combination never seen finds the row of zeros
        place[group[: len(known.cells)]] = np.arange(len(known.cells))
        mass = np.vstack([known.mass, np.zeros(known.mass.shape[1])])[place[group[len(known.cells) :]]]
        return self._log(mass, known.mass.sum(axis=0), ways, left)

    def _log(self, mass: Floats, total: Floats, ways: float, left: float) -> Floats:
        # In logarithms throughout: the number of combinations may be beyond all floats.
        with np.errstate(divide="ignore", invalid="ignore"):
            n, N, alpha = np.log(mass), np.log(total), np.log(self.alpha)
            smooth = np.logaddexp(n, alpha + left) - np.logaddexp(N, alpha + ways)
            plain = np.where(total > 0, n - N, left - ways)
        if self.smoothing == "laplace":
            return np.asarray(smooth)
        if self.smoothing == "none":
            return np.asarray(plain)
        return np.where((mass == 0).all(axis=1, keepdims=True) & (total > 0), smooth, plain)
