"""The stored training rows, and the search for neighbors among them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.distances import (
    CalledSpace,
    Metric,
    PairDistance,
    Placed,
    PrecomputedSpace,
    Space,
    Tree,
    distance_of,
    nearest_sparse,
    planted,
    space_of,
    sparse_space_of,
    within_sparse,
)
from hornbook.frame import Frame, SparseRows
from hornbook.params import Floats, Shape

__all__ = ["Algorithm", "Memory", "Neighbors", "OwnRows", "placed_memory", "remember"]

Algorithm = Literal["auto", "kd_tree", "ball_tree", "brute"]
Indices = NDArray[np.int64]

# Columns up to which a tree pays off: with more, the curse of dimensionality makes it visit most rows anyway.
# For Euclidean distances, a search that would visit many changes to products.
TREE_UP_TO = 16
TREE_UP_TO_WITHOUT_PRODUCTS = 15
TREE_FROM = 400  # rows; fewer are compared with as quickly


@dataclass(frozen=True)
class OwnRows:
    """Remembered rows as queries: each asks for its neighbors among the others.

    Parameters
    ----------
    places : ndarray of shape (n_queries,)
        Which of the remembered rows.
    """

    places: Indices

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: slice) -> OwnRows:
        return OwnRows(self.places[rows])


@dataclass(frozen=True)
class Neighbors:
    """Neighbors of several queries, concatenated, the nearest of each query first.

    Parameters
    ----------
    offsets : ndarray of shape (n_queries + 1,)
        Those of query i are at offsets[i] up to offsets[i + 1].
    distances, indices : ndarray
        How far, and which of the remembered rows.
    masses : ndarray
        How many rows each counts as.
    """

    offsets: Indices
    distances: Floats
    indices: Indices
    masses: Floats

    @property
    def queries(self) -> NDArray[np.intp]:
        """The query of each neighbor."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def without(self, own: Indices) -> Neighbors:
        """All but one of each query, which is a remembered row itself."""
        kept = self.indices != own[self.queries]
        offsets = np.concatenate([[0], np.cumsum(kept)])[self.offsets]
        return Neighbors(offsets, self.distances[kept], self.indices[kept], self.masses[kept])

    def totals(self, votes: Floats, y: NDArray[np.int32], n_classes: int) -> Floats:
        """Sum of the votes for each class, one row for each query."""
        n_queries = len(self.offsets) - 1
        places = self.queries * n_classes + y[self.indices]
        sums = np.bincount(places, weights=votes, minlength=n_queries * n_classes)
        return np.asarray(sums, dtype=np.float64).reshape(n_queries, n_classes)


@dataclass(frozen=True)
class Memory:
    """The training rows in the space of the distance.

    Parameters
    ----------
    space : Space or CalledSpace
        How far apart two rows are.
    rows : Placed or SparseRows
        The rows with a weight above 0.
    tree : Tree, optional
        A k-d tree over them.
    w : ndarray of shape (n,), optional
        Their weights: how many rows each counts as.
    origin : ndarray of shape (n,), optional
        Their indices among all training rows, when some have weight 0.
    """

    space: Space | CalledSpace
    rows: Placed | SparseRows
    tree: Tree | None
    w: Annotated[Floats, Shape("n_rows")] | None
    origin: Annotated[Indices, Shape("n_rows")] | None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def mass(self) -> Floats:
        """Weights of the rows."""
        return np.ones(len(self)) if self.w is None else self.w

    def source(self, indices: Indices) -> Indices:
        """Indices among all training rows."""
        return indices if self.origin is None else self.origin[indices]

    def nearest(self, queries: Placed | SparseRows, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Distances and indices of k neighbors of each query."""
        if isinstance(self.rows, SparseRows):
            return nearest_sparse(self.space, self.rows, queries, k, n_threads)
        assert isinstance(queries, Placed)  # sparse queries occur only with sparse rows
        return self.space.nearest(self.rows, queries, k, n_threads, self.tree)

    def others(self, own: Indices, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Distances and indices of k neighbors of some of the rows themselves, none of which is its own."""
        # One more neighbor than requested, because each row is its own nearest.
        distances, indices = self.nearest(self.rows[own], k + 1, n_threads)
        other = indices != own[:, None]
        other[other.all(axis=1), -1] = False  # so many copies that the row is not among its own nearest
        shape = (len(own), k)
        return distances[other].reshape(shape), indices[other].reshape(shape)

    def k_neighbors(
        self, queries: Placed | OwnRows, k: int, radius: float | None, n_threads: int
    ) -> Neighbors:
        """Neighbors in the order of distance until they count as k rows; none beyond the radius."""
        whole = len(self) - isinstance(queries, OwnRows)

        def search(count: int) -> tuple[Floats, Indices]:
            if isinstance(queries, OwnRows):
                return self.others(queries.places, count, n_threads)
            return self.nearest(queries, count, n_threads)

        count = min(k, whole)
        distances, indices = search(count)
        # Rows of weight below 1 count as less than one neighbor: search further until they weigh k rows.
        while self.w is not None and count < whole and (_counted(self.w, indices) < k).any():
            count = min(2 * count, whole)
            distances, indices = search(count)
        used = indices >= 0
        if radius is not None:
            used &= distances <= radius
        masses = np.ones(indices.shape)
        if self.w is not None:
            mine = np.where(used, self.w[indices], 0.0)
            # The last one counts only up to k: further copies of it would not be among the k nearest.
            masses = np.clip(k - (np.cumsum(mine, axis=1) - mine), 0.0, mine)
            used &= masses > 0
        offsets = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int64)
        return Neighbors(offsets, distances[used], indices[used], masses[used])

    def within(self, queries: Placed | SparseRows | OwnRows, radius: float, n_threads: int) -> Neighbors:
        """All neighbors at most a radius away."""
        if isinstance(queries, OwnRows):
            return self.within(self.rows[queries.places], radius, n_threads).without(queries.places)
        if isinstance(self.rows, SparseRows):
            neighbors = within_sparse(self.space, self.rows, queries, radius, n_threads)
        else:
            assert isinstance(queries, Placed)  # sparse queries occur only with sparse rows
            neighbors = self.space.within(self.rows, queries, radius, n_threads, self.tree)
        offsets, distances, indices = neighbors
        return Neighbors(offsets, distances, indices, self.mass[indices])


def _counted(w: Floats, indices: Indices) -> Floats:
    """Total weight of the neighbors of each query; infinite when there are no further neighbors."""
    exhausted = (indices < 0).any(axis=1)
    return np.asarray(np.where(exhausted, np.inf, w[indices].sum(axis=1)))


def remember(
    frame: Frame | SparseRows,
    w: Floats | None,
    y: NDArray[np.int32] | None,
    *,
    metric: Metric,
    p: float,
    algorithm: Algorithm,
    n_threads: int,
    settings: Mapping[str, Any] | None = None,
) -> Memory:
    """Fit the distance and map the rows into its space; rows of weight 0 are ignored."""
    _check_power(metric, p, algorithm)
    if metric == "precomputed":
        _require_square(frame)
    # Rows of weight 0 would still be found as neighbors, so they are not stored.
    origin = None
    if w is not None and not w.all():
        origin = np.flatnonzero(w > 0).astype(np.int64)
        frame, w = frame[origin], w[origin]
        y = None if y is None else y[origin]
    if w is not None and (w == 1).all():
        w = None  # all weights 1: the search can stop at k rows
    if metric == "precomputed":
        assert isinstance(frame, Frame)
        return _precomputed(frame, w, origin)
    distance = distance_of(metric, p, settings)
    if isinstance(frame, SparseRows):
        _reject_tree(algorithm)
        return Memory(*sparse_space_of(distance, frame), None, w, origin)
    space = space_of(distance, frame, y, w)
    rows = space.place(frame)
    return Memory(space, _owned(rows, frame), _tree(space, rows, algorithm, n_threads), w, origin)


def _require_square(frame: Frame | SparseRows) -> None:
    n_columns = frame.n_columns if isinstance(frame, SparseRows) else len(frame.schema.columns)
    if isinstance(frame, SparseRows) or n_columns != len(frame):
        raise ValueError(
            "metric='precomputed' needs the square matrix of the distances between all rows, not sparse; got "
            f"{len(frame)} rows and {n_columns} columns: pass the matrix, or the rows and another metric."
        )


def _precomputed(frame: Frame, w: Floats | None, origin: Indices | None) -> Memory:
    """Remember the distances between all rows."""
    columns = np.arange(len(frame), dtype=np.int64) if origin is None else origin
    space = PrecomputedSpace(PairDistance("precomputed"), columns)
    return Memory(space, _owned(space.place(frame), frame), None, w, origin)


def _check_power(metric: Metric, p: float, algorithm: Algorithm) -> None:
    """Say that Minkowski's formula with a power below 1 is no metric, which trees need."""
    if metric not in ("minkowski", "p") or p >= 1:
        return
    if algorithm in ("kd_tree", "ball_tree"):
        raise ValueError(
            f'algorithm="{algorithm}" does not support 0 < p < 1 for the Minkowski metric. To resolve this '
            'problem either set p >= 1 or algorithm="brute".'
        )
    if algorithm == "auto":
        warnings.warn(
            "Mind that for 0 < p < 1, Minkowski metrics are not distance metrics. Continuing the execution "
            "with `algorithm='brute'`.",
            UserWarning,
            stacklevel=8,
        )


def placed_memory(
    space: Space | CalledSpace,
    rows: Placed | SparseRows,
    origin: Indices,
    algorithm: Algorithm,
    n_threads: int,
) -> Memory:
    """Remember rows that are placed already; ``origin`` are their indices among all training rows."""
    if isinstance(rows, SparseRows):
        _reject_tree(algorithm)
        return Memory(space, rows, None, None, origin)
    tree = _tree(space, rows, algorithm, n_threads) if len(rows) else None
    return Memory(space, rows, tree, None, origin)


def _owned(rows: Placed, frame: Frame) -> Placed:
    """A copy where the rows are the user's own array, which may change later."""
    return Placed(rows.numbers.copy(), rows.codes) if rows.numbers is frame.array else rows


def _reject_tree(algorithm: Algorithm) -> None:
    if algorithm == "kd_tree":
        raise ValueError(
            "algorithm='kd_tree' needs dense numbers, and X is a sparse matrix: choose algorithm='brute', or "
            "pass X.toarray() if it has few columns."
        )


def _tree(space: Space | CalledSpace, rows: Placed, algorithm: Algorithm, n_threads: int) -> Tree | None:
    tree = None
    # A tree of balls would take more distances than one of boxes; those are compared with every row.
    if algorithm in ("kd_tree", "ball_tree") or (algorithm == "auto" and _tree_pays_off(space, rows)):
        tree = planted(space, rows, n_threads) if isinstance(space, Space) else None
    if algorithm == "kd_tree" and tree is None:
        raise ValueError(
            "algorithm='kd_tree' needs complete numbers and one of Minkowski's or Mahalanobis' distances: "
            "choose algorithm='auto', or leave out categories and fill missing cells."
        )
    return tree


def _tree_pays_off(space: Space | CalledSpace, rows: Placed) -> bool:
    products = isinstance(space, Space) and space.power == 2
    most = TREE_UP_TO if products else TREE_UP_TO_WITHOUT_PRODUCTS
    return bool(rows.numbers.shape[1] <= most and (not products or len(rows) >= TREE_FROM))
