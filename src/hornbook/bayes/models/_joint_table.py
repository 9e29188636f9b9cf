"""The joint table of all categories: how often each combination of levels occurs in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import require_memory
from hornbook.params import Floats, Index, Shape

__all__ = ["JointCounts", "JointTable", "grouped"]

Codes = NDArray[np.int32]
Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]

MOST = 2**62  # the largest number of combinations that fits into one integer
MANY = 32  # rows with the same missing columns from which sorting all combinations pays off
PAIRS = 2**21  # of rows and combinations that are compared at a time


def grouped(codes: Codes) -> tuple[Indices, Indices]:
    """Find equal rows of codes.

    Returns
    -------
    first : ndarray of shape (n_groups,)
        For each group of equal rows one of them; groups are in lexicographic order.
    group : ndarray of shape (n_rows,)
        The group of each row.
    """
    # Mixed-radix keys: rows are equal exactly when these integers are, and sort as the rows do.
    key = np.zeros(len(codes), dtype=np.int64)
    span = 1
    for column in codes.T:
        size = int(column.max(initial=-1)) + 2
        if span * size > MOST:  # ranks keep the order and take less memory
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            span = len(codes)
        key = key * size + (column + 1)
        span *= size
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


@dataclass(frozen=True)
class JointCounts:
    """Weight of each combination of levels in each class; only combinations that occur are stored.

    Parameters
    ----------
    cells : ndarray of shape (n_cells, n_columns)
        The combinations, in lexicographic order; -1 where a cell is missing.
    mass : ndarray of shape (n_cells, n_classes)
        Their weight in each class.
    """

    cells: Annotated[Codes, Shape("n_cells", "n_counted"), Index(2**31 - 1, low=-1)]
    mass: Annotated[Floats, Shape("n_cells", "n_classes")]

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

    def totals(self, known: Bools) -> Floats:
        """Weight of each class over the rows in which some columns are known.

        Parameters
        ----------
        known : ndarray of shape (n_choices, n_columns)
            Choices of columns.

        Returns
        -------
        totals : ndarray of shape (n_choices, n_classes)
            The same for a choice whatever the others are, to the last bit.
        """
        first, group = grouped(_marks(self.cells >= 0))
        mass = _summed(group, self.mass, len(first))
        return JointCounts(_marks(self.cells[first] >= 0), mass).agreeing(_marks(known))

    def agreeing(self, codes: Codes) -> Floats:
        """Weight of each class over the combinations that agree with a row wherever the row is known.

        Many rows with the same missing columns are looked up among the sorted combinations of the known ones;
        others are compared with every combination, a column at a time.
        """
        out = np.zeros((len(codes), self.mass.shape[1]))
        first, group = grouped(_marks(codes >= 0))
        sizes = np.bincount(group, minlength=len(first))
        for rows in np.split(np.argsort(group, kind="stable"), np.cumsum(sizes)[:-1]):
            if len(rows) >= MANY:
                columns = np.flatnonzero(codes[rows[0]] >= 0)
                out[rows] = self._lookup(columns, codes[np.ix_(rows, columns)])
        few = np.flatnonzero(sizes[group] < MANY)
        step = max(1, PAIRS // len(self.cells))
        for start in range(0, len(few), step):
            some = few[start : start + step]
            out[some] = self._scan(codes[some])
        return out

    def _lookup(self, columns: Indices, codes: Codes) -> Floats:
        cells = self.cells[:, columns]
        known = (cells >= 0).all(axis=1)
        # Sorting rows and combinations together finds the group of each row in one pass.
        cells, mass = cells[known], self.mass[known]
        _, group = grouped(np.concatenate([cells, codes]))
        sums = _summed(group[: len(cells)], mass, int(group.max(initial=-1)) + 1)
        return sums[group[len(cells) :]]

    def _scan(self, codes: Codes) -> Floats:
        n_cells = len(self.cells)
        # Bits instead of bytes: an eighth of the memory traffic, which is what the comparison of all pairs
        # costs.
        agree = np.full((len(codes), -(-n_cells // 8)), 255, dtype=np.uint8)  # a bit for each combination
        for cells, own in zip(self.cells.T, codes.T, strict=True):
            # Each level is compared with all combinations once, not once for every row that has it.
            levels, place = np.unique(own, return_inverse=True)
            same = (cells == levels[:, None]) | (levels < 0)[:, None]
            agree &= np.packbits(same, axis=1)[place]
        some = np.flatnonzero(agree != 0)  # few, as a rule
        place, bit = np.nonzero(np.unpackbits(agree.ravel()[some][:, None], axis=1))
        row, byte = np.divmod(some[place], agree.shape[1])
        return _summed(row, self.mass[8 * byte + bit], len(codes))


def _marks(known: Bools) -> Codes:
    """0 for the cells that are known, -1 for the others."""
    return np.where(known, np.int32(0), np.int32(-1))


def _summed(group: Indices, mass: Floats, n_groups: int) -> Floats:
    """Sums within groups, of each column."""
    return np.stack([np.bincount(group, weights=own, minlength=n_groups) for own in mass.T], axis=1)


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
    sizes: Annotated[Codes, Shape("n_counted")]
    smoothing: Literal["laplace", "zero_only", "none"]
    alpha: float

    def verify(self, _: object) -> None:
        """Reject combinations of levels that the columns do not have, as in a damaged model file."""
        if not len(self.counts.cells) or not (self.counts.cells.max(axis=0, initial=-1) < self.sizes).all():
            raise ValueError("the combinations are not of levels of the columns")

    def log_probability(self, codes: Codes) -> Floats:
        """Log of P(combination | class), of shape (n_rows, n_classes)."""
        # A column that never had a value is left out and has no levels to choose from.
        used = (self.counts.cells >= 0).any(axis=0)
        levels = np.log(np.where(used, self.sizes, 1))
        codes = np.where(used, codes, np.int32(-1))
        first, group = grouped(_marks(codes >= 0))
        known = codes[first] >= 0
        left = np.where(known, 0.0, levels).sum(axis=1)
        total = self.counts.totals(known)
        out = self._log(self.counts.agreeing(codes), total[group], levels.sum(), left[group][:, None])
        out[(codes < 0).all(axis=1)] = 0.0  # nothing is known, which has probability 1
        return out

    def _log(self, mass: Floats, total: Floats, ways: float, left: Floats) -> Floats:
        """``ways`` and ``left``: logarithms of the numbers of combinations of all and of the missing columns.

        In logarithms throughout, because these numbers may overflow.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            n, N, alpha = np.log(mass), np.log(total), np.log(self.alpha)
            smooth = np.logaddexp(n, alpha + left) - np.logaddexp(N, alpha + ways)
            plain = np.where(total > 0, n - N, left - ways)
        if self.smoothing == "laplace":
            return np.asarray(smooth)
        if self.smoothing == "none":
            return np.asarray(plain)
        return np.where((mass == 0).all(axis=1, keepdims=True) & (total > 0), smooth, plain)
