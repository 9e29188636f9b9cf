"""Which rows are neighbors: only neighbors are merged where `connectivity` is given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from hornbook import _native
from hornbook.frame import require_memory
from hornbook.params import Floats

__all__ = ["Between", "connected", "edge_distances", "edges_of", "euclidean"]

Edges = NDArray[np.int64]
Indices = NDArray[np.int64]
Between = Callable[[Indices, Indices], Floats]  # distances of some rows to others

NAME = "AgglomerativeClustering"
AT_ONCE = 2**22  # distances that are computed at a time
ROWS_AT_ONCE = 32  # rows whose edges are measured together


def euclidean(rows: Floats, others: Floats, n_threads: int) -> Floats:
    """Euclidean distances of some rows to others."""
    return np.sqrt(_native.square_distances(rows, others, n_threads))


def edges_of(connectivity: Any, X: Floats, leaves: Indices) -> Edges:
    """Pairs of neighbors among the leaves, the lower leaf first, each pair once.

    Parameters
    ----------
    connectivity : array-like, sparse matrix or callable
        Other than 0 where two rows are neighbors, in either direction; or a function of X that returns this.
    X : ndarray of shape (n_rows, n_encoded)
        All rows.
    leaves : ndarray of shape (n_leaves,)
        Those that are leaves of the tree, ascending.
    """
    matrix: Any = connectivity(X) if callable(connectivity) else connectivity
    matrix = matrix if sparse.issparse(matrix) else np.asarray(matrix)
    n = len(X)
    fits = matrix.shape == (n, n) and matrix.dtype.kind in "biuf"
    graph = sparse.coo_array(matrix if fits else np.full((1, 1), np.nan))
    if not np.isfinite(graph.data).all():
        raise ValueError(
            f"{NAME}: parameter 'connectivity' must be a matrix of finite numbers of shape ({n}, {n}), other "
            f"than 0 where two of the {n} rows are neighbors; got shape {matrix.shape} of {matrix.dtype}."
        )
    known = (graph.data != 0) & (graph.row != graph.col)
    ends = np.sort(np.stack([graph.row[known], graph.col[known]], axis=1).astype(np.int64), axis=1)
    # Codes of ordered pairs: (i, j), (j, i) and repeats become one edge.
    codes = np.unique(ends[:, 0] * n + ends[:, 1])
    places = np.full(n, -1, dtype=np.int64)
    places[leaves] = np.arange(len(leaves))
    ends = places[np.stack([codes // n, codes % n], axis=1)]
    return np.ascontiguousarray(ends[(ends >= 0).all(axis=1)])


def connected(edges: Edges, n: int, between: Between) -> Edges:
    """The same edges and, if the graph has several parts, one between the nearest rows of each two."""
    graph = sparse.coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    n_parts, parts = connected_components(graph, directed=False)
    if n_parts == 1:
        return edges
    warnings.warn(
        f"{NAME}: the graph of 'connectivity' has {n_parts} parts without an edge between them: they are "
        "joined by the nearest rows of each two, so that the tree is whole.",
        UserWarning,
        stacklevel=7,
    )
    require_memory(n_parts, n_parts, "pass a connectivity with fewer parts, for example with more neighbors")
    # Rows of a part side by side; each part is compared with all parts before it.
    order = np.argsort(parts, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(parts))])
    links = [
        _nearest_pairs(order[starts[i] : starts[i + 1]], order[: starts[i]], starts[:i], between)
        for i in range(1, n_parts)
    ]
    return np.ascontiguousarray(np.concatenate([edges, *links]))


def _nearest_pairs(rows: Indices, others: Indices, starts: Indices, between: Between) -> Edges:
    """The nearest pair of a row and one of the others, for each part of the others."""
    least, nearest = np.full(len(others), np.inf), np.zeros(len(others), dtype=np.int64)
    step = max(1, AT_ONCE // len(others))
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        distances = between(some, others)
        best = distances.argmin(axis=0)
        shortest = distances[best, np.arange(len(others))]
        closer = shortest < least
        least[closer], nearest[closer] = shortest[closer], some[best[closer]]
    part = np.repeat(np.arange(len(starts)), np.diff([*starts, len(others)]))
    # One edge per pair of parts: the first of the nearest.
    ends = np.flatnonzero(least == np.minimum.reduceat(least, starts)[part])
    ends = ends[np.unique(part[ends], return_index=True)[1]]
    return np.stack([nearest[ends], others[ends]], axis=1)


def edge_distances(edges: Edges, between: Between) -> Floats:
    """The distance of the two rows of each edge."""
    distances = np.empty(len(edges))
    order = np.argsort(edges[:, 0], kind="stable")
    lower = edges[order, 0]
    firsts, starts = np.unique(lower, return_index=True)
    # In groups of rows: one call of the distance for many edges.
    stops = [*starts[ROWS_AT_ONCE::ROWS_AT_ONCE], len(edges)]
    for i, stop in enumerate(stops):
        group = order[starts[i * ROWS_AT_ONCE] : stop]
        rows = firsts[i * ROWS_AT_ONCE : (i + 1) * ROWS_AT_ONCE]
        others, place = np.unique(edges[group, 1], return_inverse=True)
        distances[group] = between(rows, others)[np.searchsorted(rows, edges[group, 0]), place]
    return distances
