"""Distances of rows compared as they are: functions, those of SciPy by name, and a given matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast

import numpy as np
from scipy.spatial.distance import cdist

from hornbook.distances._matrix import precomputed_queries
from hornbook.distances._space import Indices, Placed, Tree
from hornbook.frame import Frame
from hornbook.params import Floats, Shape

__all__ = ["BOOLEAN", "PAIRS", "CalledSpace", "PairDistance", "PrecomputedSpace"]

CELLS = 2**22  # of a table of distances at a time

# Distances of rows that are sets: a column counts as 0 or not 0.
BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
PAIRS = ("braycurtis", "canberra", "correlation", "cosine", "haversine", "sqeuclidean", *BOOLEAN)


@dataclass(frozen=True)
class PairDistance:
    """A distance of SciPy's, by name, or the great-circle distance ``"haversine"``.

    Parameters
    ----------
    name : str
        As in ``scipy.spatial.distance.cdist``; ``"haversine"`` takes latitude and longitude in radians, on a
        sphere of radius 1.
    p : float, default 2.0
        The power of ``"minkowski"``, here below 1, where it is no metric.
    """

    name: str
    p: float = 2.0

    def table(self, queries: Floats, rows: Floats) -> Floats:
        """Distances from each query to each row."""
        if self.name == "haversine":
            return _haversine(queries, rows)
        if self.name == "minkowski":
            return np.asarray(cdist(queries, rows, "minkowski", p=self.p))
        if self.name in BOOLEAN:
            return np.asarray(cdist(queries != 0, rows != 0, cast("Any", self.name)))
        return np.asarray(cdist(queries, rows, cast("Any", self.name)))

    def __call__(self, x: Any, y: Any) -> float:
        one, other = (np.asarray(row, dtype=np.float64)[None, :] for row in (x, y))
        return float(self.table(one, other)[0, 0])

    def __str__(self) -> str:
        return f"Minkowski distance with p = {self.p:g}" if self.name == "minkowski" else self.name


def _haversine(queries: Floats, rows: Floats) -> Floats:
    """Great-circle distance of latitude and longitude: 2 arcsin √(sin²(Δφ/2) + cos φ cos φ' sin²(Δλ/2))."""
    if rows.shape[1] != 2:
        raise ValueError(
            "metric='haversine' takes two columns, latitude and longitude in radians; got "
            f"{rows.shape[1]}: choose another metric, or those columns."
        )
    # Not by the arc cosine of the scalar product, which has no digits left for places close to each other.
    half = np.sin((queries[:, None, :] - rows[None, :, :]) / 2) ** 2
    square = half[..., 0] + np.cos(queries[:, None, 0]) * np.cos(rows[None, :, 0]) * half[..., 1]
    return np.asarray(2 * np.arcsin(np.sqrt(np.clip(square, 0.0, 1.0))))


@dataclass(frozen=True)
class CalledSpace:
    """Untransformed rows, and the function that compares two of them.

    Parameters
    ----------
    function : callable
        The distance of two rows of numbers.
    """

    function: PairDistance | Callable[[Any, Any], float]

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
        if isinstance(self.function, PairDistance):
            distances = self.function.table(queries.numbers, rows.numbers)
            if np.isnan(distances).any():
                # 0 / 0, as for rows of zeros: nothing in common unless they are equal.
                differ = cdist(queries.numbers, rows.numbers, "hamming") > 0
                distances = np.where(np.isnan(distances), differ, distances)
            return distances
        # SciPy's loop calls the function once per pair.
        distances = cdist(queries.numbers, rows.numbers, metric=_numeric(self.function))
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


def _numeric(function: Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
    """The function, whose values are refused in words where they are no numbers."""

    def number(x: Any, y: Any) -> float:
        value = function(x, y)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(
                f"The distance function returned {value!r}: make it return a number for any two rows."
            ) from None

    return number


@dataclass(frozen=True)
class PrecomputedSpace(CalledSpace):
    """Distances that the user has computed: a row is its distances to all rows of the fit.

    Parameters
    ----------
    function : PairDistance
        ``PairDistance("precomputed")``: nothing is computed.
    columns : ndarray of shape (n_rows,)
        The rows of the fit that are kept, which are the columns of the matrix.
    """

    columns: Annotated[Indices, Shape("n_rows")]

    def place(self, frame: Frame) -> Placed:
        """The rows as they are: distances."""
        matrix = precomputed_queries("metric='precomputed'", frame.matrix)
        return Placed(matrix, np.empty((len(frame), 0), dtype=np.int32))

    def pairwise(self, rows: Placed, queries: Placed, n_threads: int) -> Floats:
        """Distances from each query to each row, which is one of those of the fit."""
        del rows, n_threads
        return np.asarray(queries.numbers[:, self.columns])
