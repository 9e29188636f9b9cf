"""Nearest rows among sparse ones, of which only a few at a time are made dense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.distances._called import CalledSpace
from hornbook.distances._space import Indices, Placed, Space
from hornbook.frame import SparseRows
from hornbook.params import Floats

__all__ = ["nearest_sparse", "within_sparse"]

Places = NDArray[np.intp]

CELLS = 2**22  # of one dense array: densified rows, or products of rows and queries
ROUNDING = np.finfo(np.float64).eps / 2


def nearest_sparse(
    space: Space | CalledSpace, rows: SparseRows, queries: Placed | SparseRows, k: int, n_threads: int
) -> tuple[Floats, Indices]:
    """Return distances and indices of the k nearest rows of each query, bit-equal to those of dense rows.

    Parameters
    ----------
    space : Space or CalledSpace
        How far apart rows are.
    rows : SparseRows
        The rows to choose from, placed in the space.
    queries : Placed or SparseRows
        Rows of the same space.
    k : int
        How many neighbors.
    n_threads : int
        Threads for rows that are made dense.

    Examples
    --------
    >>> from hornbook.distances import Minkowski, sparse_space_of
    >>> space, rows = sparse_space_of(Minkowski(), SparseRows.of([[0.0, 3.0], [4.0, 0.0], [0.0, 1.0]]))
    >>> nearest_sparse(space, rows, rows[:1], k=2, n_threads=1)
    (array([[0., 2.]]), array([[0, 2]]))
    """
    distances = np.full((len(queries), k), np.inf)
    indices = np.full((len(queries), k), -1, dtype=np.int64)
    factors = _factors(space, rows)
    for part, batch in _by_parts(rows, queries):
        if factors is not None and batch.complete:
            squares, which = _nearest_by_products(factors, batch, k)
            neighbors = np.sqrt(squares), which
        else:
            neighbors = _nearest_by_chunks(space, rows, batch, k, n_threads)
        distances[part], indices[part] = neighbors
    return distances, indices


def within_sparse(
    space: Space | CalledSpace, rows: SparseRows, queries: Placed | SparseRows, radius: float, n_threads: int
) -> tuple[Indices, Floats, Indices]:
    """Return all rows at most a radius away: offsets of each query, distances, indices, the nearest first.

    Parameters
    ----------
    space : Space or CalledSpace
        How far apart rows are.
    rows : SparseRows
        The rows to choose from, placed in the space.
    queries : Placed or SparseRows
        Rows of the same space.
    radius : float
        How far.
    n_threads : int
        Threads for rows that are made dense.

    Examples
    --------
    >>> from hornbook.distances import Minkowski, sparse_space_of
    >>> space, rows = sparse_space_of(Minkowski(), SparseRows.of([[0.0, 3.0], [4.0, 0.0], [0.0, 1.0]]))
    >>> within_sparse(space, rows, rows[:1], radius=2.0, n_threads=1)
    (array([0, 2]), array([0., 2.]), array([0, 2]))
    """
    counts, distances, indices = [np.zeros(1, dtype=np.int64)], [np.empty(0)], [np.empty(0, dtype=np.int64)]
    factors = _factors(space, rows)
    for _, batch in _by_parts(rows, queries):
        if factors is not None and batch.complete:
            whose, which, far = _within_by_products(factors, batch, radius)
        else:
            whose, which, far = _within_by_chunks(space, rows, batch, radius, n_threads)
        # By query, then distance, then index: the order of the dense search.
        order = np.lexsort((which, far, whose))
        counts.append(np.bincount(whose, minlength=len(batch)).astype(np.int64))
        distances.append(far[order])
        indices.append(which[order])
    return np.cumsum(np.concatenate(counts)), np.concatenate(distances), np.concatenate(indices)


def _by_parts(rows: SparseRows, queries: Placed | SparseRows) -> Iterator[tuple[slice, SparseRows]]:
    """Batches of queries small enough that their products with all rows fit into memory."""
    step = max(1, CELLS // max(len(rows), rows.n_columns))
    for start in range(0, len(queries), step):
        part = slice(start, start + step)
        batch = queries[part]
        yield part, batch if isinstance(batch, SparseRows) else SparseRows.of(batch.numbers)


def _factors(space: Space | CalledSpace, rows: SparseRows) -> _Factors | None:
    """What products need; None for distances other than Euclidean, or with missing cells."""
    euclidean = isinstance(space, Space) and space.power == 2
    return _Factors.of(rows) if euclidean and rows.complete else None


@dataclass(frozen=True)
class _Factors:
    """What every product with the rows needs, computed once.

    The square of a distance is |x|² - 2 x·q + |q|². With m stored numbers in the longest row, each of the
    three is off by at most m + 1 roundings of |x|² + |q|², and a square that underflows by the smallest
    normal number.
    """

    rows: SparseRows
    across: Any  # the rows as columns
    squares: Floats
    longest: int

    @classmethod
    def of(cls, rows: SparseRows) -> _Factors:
        return cls(rows, rows.matrix.T.tocsr(), _squares(rows), int(np.diff(rows.offsets).max()))

    def floors(self, queries: SparseRows) -> Floats:
        """Lower bounds on the squared distances."""
        off, tiny = self._slack(queries)
        below = (queries.matrix @ self.across).toarray()
        below *= -2
        below += (1 - off) * self.squares
        below += (1 - off) * _squares(queries)[:, None] - tiny
        return np.asarray(below)

    def ceilings(self, queries: SparseRows, below: Floats, whose: Places, which: Places) -> Floats:
        """Upper bounds on some squared distances, from their lower bounds."""
        off, tiny = self._slack(queries)
        return np.asarray(below + 2 * (off * (self.squares[which] + _squares(queries)[whose]) + tiny))

    def _slack(self, queries: SparseRows) -> tuple[float, float]:
        longest = max(self.longest, int(np.diff(queries.offsets).max()))
        # Generous: a bound that is too wide costs some exact distances more, one that is too tight a wrong
        # neighbor.
        return 8 * (longest + 8) * ROUNDING, 4 * (longest + 1) * float(np.finfo(np.float64).tiny)


def _squares(rows: SparseRows) -> Floats:
    sums = np.bincount(_row_indices(rows.offsets), weights=rows.values**2, minlength=len(rows))
    return np.asarray(sums, dtype=np.float64)


def _row_indices(offsets: NDArray[np.integer]) -> Places:
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _exact(rows: SparseRows, queries: SparseRows, whose: Places, which: Places) -> Floats:
    """Squared distances of pairs, summed in the order of the columns as for dense rows."""
    near, query_matrix = rows.matrix, queries.matrix
    squares = np.empty(len(whose))
    stored = len(rows.values) / len(rows) + len(queries.values) / len(queries)
    step = max(1, int(CELLS / (1 + stored)))
    for start in range(0, len(whose), step):
        part = slice(start, start + step)
        gaps = near[which[part]] - query_matrix[whose[part]]
        squares[part] = np.bincount(
            _row_indices(gaps.indptr), weights=gaps.data**2, minlength=len(squares[part])
        )
    return squares


def _nearest_by_products(factors: _Factors, queries: SparseRows, k: int) -> tuple[Floats, Indices]:
    with np.errstate(over="ignore", invalid="ignore"):  # rows whose bounds overflow are not ruled out
        floors = factors.floors(queries)
        # Filter and refine: bounds by one sparse product rule out nearly all rows, exact sums decide about
        # the others.
        lowest = np.partition(floors, k - 1, axis=1)[:, k - 1 : k]
        whose, which = np.nonzero(~(floors > lowest))
        above = factors.ceilings(queries, floors[whose, which], whose, which)
        # At least k rows lie below these upper bounds, and therefore the nearest k do.
        reach = np.maximum.reduceat(above, np.searchsorted(whose, np.arange(len(queries))))
        whose, which = np.nonzero(~(floors > reach[:, None]))
        squares = _exact(factors.rows, queries, whose, which)
    order = np.lexsort((which, squares, whose))
    first = np.searchsorted(whose, np.arange(len(queries)))
    best = order[first[:, None] + np.arange(k)]
    lost = np.isinf(squares[best])
    return squares[best], np.where(lost, -1, which[best]).astype(np.int64)


def _within_by_products(
    factors: _Factors, queries: SparseRows, radius: float
) -> tuple[Places, Places, Floats]:
    with np.errstate(over="ignore", invalid="ignore"):
        # A little more than the squared radius: the exact distance decides.
        whose, which = np.nonzero(~(factors.floors(queries) > radius * radius * (1 + 8 * ROUNDING)))
        far = np.sqrt(_exact(factors.rows, queries, whose, which))
    inside = (far <= radius) & np.isfinite(far)
    return whose[inside], which[inside], far[inside]


def _dense_chunks(rows: SparseRows) -> Iterator[tuple[int, Placed]]:
    step = max(1, CELLS // rows.n_columns)
    for start in range(0, len(rows), step):
        yield start, _placed(rows[start : start + step])


def _placed(rows: SparseRows) -> Placed:
    return Placed(rows.dense(), np.empty((len(rows), 0), dtype=np.int32))


def _nearest_by_chunks(
    space: Space | CalledSpace, rows: SparseRows, queries: SparseRows, k: int, n_threads: int
) -> tuple[Floats, Indices]:
    placed = _placed(queries)
    distances, indices = np.full((len(queries), k), np.inf), np.full((len(queries), k), -1, dtype=np.int64)
    for start, chunk in _dense_chunks(rows):
        far, which = space.nearest(chunk, placed, min(k, len(chunk)), n_threads)
        distances = np.concatenate([distances, far], axis=1)
        indices = np.concatenate([indices, np.where(which < 0, -1, which + start)], axis=1)
        # The stable sort lets earlier chunks win ties: their indices are lower.
        best = np.argsort(distances, axis=1, kind="stable")[:, :k]
        distances, indices = (np.take_along_axis(array, best, axis=1) for array in (distances, indices))
    return distances, indices


def _within_by_chunks(
    space: Space | CalledSpace, rows: SparseRows, queries: SparseRows, radius: float, n_threads: int
) -> tuple[Places, Places, Floats]:
    placed = _placed(queries)
    pairs = []
    for start, chunk in _dense_chunks(rows):
        offsets, far, which = space.within(chunk, placed, radius, n_threads)
        pairs.append((_row_indices(offsets), which + start, far))
    whose, which, far = (np.concatenate(arrays) for arrays in zip(*pairs, strict=True))
    return whose, which, far
