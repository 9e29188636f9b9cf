"""Which rows are core rows, and which of them are connected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hornbook import _native
from hornbook.distances import CalledSpace, Placed, Space, within_sparse
from hornbook.frame import SparseRows
from hornbook.params import Floats

__all__ = ["Components", "Indices", "components", "components_of_matrix"]

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
# Rows to those within the radius of each: one row of flags for each.
Adjacent = Callable[[Indices], Flags]

CELLS = 2**22  # flags or distances in memory at a time


@dataclass(frozen=True)
class Components:
    """Core rows and the connected sets that they form.

    Parameters
    ----------
    core : ndarray of bool of shape (n,)
        Whether a row has a weight above 0 and the rows within the radius, itself included, weigh enough.
    first : ndarray of shape (n,)
        Of a core row the lowest core row of its set; of another row the lowest such number among the core
        rows within the radius, -1 without any.
    """

    core: Flags
    first: Indices


def components(
    space: Space | CalledSpace,
    rows: Placed | SparseRows,
    w: Floats | None,
    radius: float,
    least: float,
    n_threads: int,
) -> Components:
    """Find the core rows among placed rows; native for all distances that are sums over columns."""
    if isinstance(space, Space) and isinstance(rows, Placed):
        weights = np.empty(0) if w is None else w
        arguments = (rows.numbers, rows.codes, *space.arguments, weights, radius, least, n_threads)
        # The kernel counts neighborhoods and unites disjoint sets as it goes; none is ever stored.
        core, first = _native.density_clusters(*arguments)
        return Components(core.astype(np.bool_), first)
    if isinstance(rows, SparseRows):
        return _by_flags(_sparse_flags(space, rows, radius, n_threads), len(rows), w, least)
    # Stored, as bits, because the user's function should be called only once for each pair of rows.
    packed = [
        np.packbits(space.pairwise(rows, rows[part], n_threads) <= radius, axis=1)
        for part in _batches(np.arange(len(rows)), len(rows))
    ]
    bits, n = np.concatenate(packed), len(rows)
    return _by_flags(lambda some: np.unpackbits(bits[some], axis=1, count=n).astype(np.bool_), n, w, least)


def components_of_matrix(distances: Floats, w: Floats | None, radius: float, least: float) -> Components:
    """Find the core rows by all distances."""
    return _by_flags(lambda some: distances[some] <= radius, len(distances), w, least)


def _sparse_flags(space: Space | CalledSpace, rows: SparseRows, radius: float, n_threads: int) -> Adjacent:
    def adjacent(some: Indices) -> Flags:
        offsets, _, indices = within_sparse(space, rows, rows[some], radius, n_threads)
        flags = np.zeros((len(some), len(rows)), dtype=np.bool_)
        flags[np.repeat(np.arange(len(some)), np.diff(offsets)), indices] = True
        return flags

    return adjacent


def _batches(some: Indices, n: int) -> Iterator[Indices]:
    step = max(1, CELLS // n)
    for start in range(0, len(some), step):
        yield some[start : start + step]


def _by_flags(adjacent: Adjacent, n: int, w: Floats | None, least: float) -> Components:
    """Count, then connect, then look for core rows around the others."""
    mass, everyone = np.ones(n) if w is None else w, np.arange(n)
    # Weights count as that many copies of a row, so a heavy row may be a core row alone.
    counted = [adjacent(some) @ mass for some in _batches(everyone, n)]
    core = (np.concatenate(counted) >= least) & (mass > 0)
    first = everyone.copy()
    for some in _batches(np.flatnonzero(core), n):
        # Edges between core rows only: border rows belong to a cluster but do not extend it.
        mine, theirs = np.nonzero(adjacent(some) & core)
        # Batch by batch, so that only the edges of one batch are in memory: there may be as many as pairs of
        # rows.
        first = _united(first, some[mine], theirs)
    first[~core] = -1
    for some in _batches(np.flatnonzero(~core), n):
        near = np.where(adjacent(some) & core, first, n).min(axis=1)
        # The lowest of the clusters in reach, which is the one found first when rows are taken in
        # order.
        first[some] = np.where(near < n, near, -1)
    return Components(core, first)


def _united(first: Indices, one: NDArray[np.intp], other: NDArray[np.intp]) -> Indices:
    """Unite the sets of pairs of rows; each row knows the lowest row of its set."""
    n = len(first)
    # Edges to the representative of each set keep what earlier batches have united.
    ends = np.concatenate([one, np.arange(n)]), np.concatenate([other, first])
    labels = connected_components(coo_array((np.ones(len(ends[0]), dtype=np.bool_), ends), (n, n)))[1]
    lowest = np.full(labels.max() + 1, n)
    np.minimum.at(lowest, labels, np.arange(n))
    return np.asarray(lowest[labels])
