"""Cached neighbors, for learners that predict the same rows with several settings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hornbook.distances import Placed
from hornbook.frame import SparseRows
from hornbook.neighbors._memory import Indices, Memory, Neighbors, OwnRows
from hornbook.params import Floats

__all__ = ["MOST_KEPT", "CachedKNeighbors", "CachedRadius"]

MOST_KEPT = 1 << 22  # neighbors of all queries together


@dataclass(frozen=True)
class CachedKNeighbors(Memory):
    """A memory that caches the k nearest neighbors of some queries.

    Parameters
    ----------
    queries : Placed
        Whose neighbors are cached; those of others are looked up.
    distances, indices : ndarray of shape (n_queries, k)
        The nearest of them.
    """

    queries: Placed
    distances: Floats
    indices: Indices

    @classmethod
    def of(cls, memory: Memory, queries: Placed, k: int, n_threads: int) -> Memory:
        """Look up k neighbors of each query, unless that would be too many to keep."""
        most = min(k, len(memory))
        if len(queries) * most > MOST_KEPT:
            return memory
        return cls(**_parts(memory), queries=queries, **_named(memory.nearest(queries, most, n_threads)))

    def nearest(self, queries: Placed | SparseRows, k: int, n_threads: int) -> tuple[Floats, Indices]:
        """Distances and indices of k neighbors of each query."""
        if k > self.distances.shape[1] or not _same(queries, self.queries):
            return super().nearest(queries, k, n_threads)
        return self.distances[:, :k], self.indices[:, :k]


@dataclass(frozen=True)
class CachedRadius(Memory):
    """A memory that caches the neighbors of some queries within a radius.

    Parameters
    ----------
    queries : Placed
        Whose neighbors are cached; those of others are looked up.
    radius : float
        How far.
    neighbors : Neighbors
        The neighbors.
    """

    queries: Placed
    radius: float
    neighbors: Neighbors

    @classmethod
    def of(cls, memory: Memory, queries: Placed, radius: float, n_threads: int) -> Memory:
        """Look up the neighbors of each query, unless there might be too many to keep."""
        # Within a radius there may be as many neighbors as rows.
        if len(queries) * len(memory) > MOST_KEPT:
            return memory
        neighbors = memory.within(queries, radius, n_threads)
        return cls(**_parts(memory), queries=queries, radius=radius, neighbors=neighbors)

    def within(self, queries: Placed | SparseRows | OwnRows, radius: float, n_threads: int) -> Neighbors:
        """All neighbors at most a radius away."""
        if radius > self.radius or not _same(queries, self.queries):
            return super().within(queries, radius, n_threads)
        cached = self.neighbors
        near = cached.distances <= radius
        before = np.concatenate([[0], np.cumsum(near)])  # neighbors kept before each position
        return Neighbors(
            before[cached.offsets], cached.distances[near], cached.indices[near], cached.masses[near]
        )


def _parts(memory: Memory) -> dict[str, Any]:
    return {field.name: getattr(memory, field.name) for field in fields(Memory)}


def _named(neighbors: tuple[Floats, Indices]) -> dict[str, Any]:
    return {"distances": neighbors[0], "indices": neighbors[1]}


def _same(queries: Placed | SparseRows | OwnRows, known: Placed) -> bool:
    # Compared by value: a copy of the same rows may come from another preparation.
    if not isinstance(queries, Placed) or len(queries) != len(known):
        return False
    return bool(
        np.array_equal(queries.numbers, known.numbers, equal_nan=True)
        and np.array_equal(queries.codes, known.codes)
    )
