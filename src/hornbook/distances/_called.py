"""Any function of two rows as a distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from hornbook.distances._space import Indices, Placed, Tree
from hornbook.frame import Frame
from hornbook.params import Floats

__all__ = ["CalledSpace"]

CELLS = 2**22  # of a table of distances at a time


@dataclass(frozen=True)
class CalledSpace:
    """Untransformed rows, and the function that compares two of them.

    Parameters
    ----------
    function : callable
        The distance of two rows of numbers.
    """

    function: Callable[[Any, Any], float]

    def place(self, frame: Frame) -> Placed:
        """Place the rows of a frame of complete numbers."""
        numbers = frame.matrix
        if np.isnan(numbers).any():
            raise ValueError(
                "A distance that is a function takes no missing values: fill them first, or choose one of "
                "the named distances."
            )
        return Placed(numbers, np.empty((len(frame), 0), dtype=np.int32))

    def pairwise(self, rows: Placed, queries: Placed, n_threads: int) -> Floats:
        """Distances from each query to each row."""
        del n_threads  # Python runs one function at a time (GIL)
        # SciPy's loop calls the function once per pair.
        distances = cdist(queries.numbers, rows.numbers, metric=self.function)
        if np.isnan(distances).any():
            raise ValueError("The distance function returned NaN: make it return a number for any two rows.")
        return distances

    def nearest(
        self, rows: Placed, queries: Placed, k: int, n_threads: int, tree: Tree | None = None
    ) -> tuple[Floats, Indices]:
        """Distances and indices of the k nearest rows of each query."""
        del tree
        distances = np.empty((len(queries), k))
        indices = np.empty((len(queries), k), dtype=np.int64)
        # In batches, so that the table of distances fits into memory.
        step = max(1, CELLS // len(rows))
        for start in range(0, len(queries), step):
            part = slice(start, start + step)
            matrix = self.pairwise(rows, queries[part], n_threads)
            # A stable sort gives ties to the lower index.
            indices[part] = np.argsort(matrix, axis=1, kind="stable")[:, :k]
            distances[part] = np.take_along_axis(matrix, indices[part], axis=1)
        return distances, indices

    def within(
        self, rows: Placed, queries: Placed, radius: float, n_threads: int, tree: Tree | None = None
    ) -> tuple[Indices, Floats, Indices]:
        """All rows at most a radius away: offsets of each query, distances, indices, the nearest first."""
        del tree
        matrix = self.pairwise(rows, queries, n_threads)
        order = np.argsort(matrix, axis=1, kind="stable")
        distances = np.take_along_axis(matrix, order, axis=1)
        inside = distances <= radius
        offsets = np.concatenate([[0], np.cumsum(inside.sum(axis=1))]).astype(np.int64)
        return offsets, distances[inside], order[inside].astype(np.int64)
