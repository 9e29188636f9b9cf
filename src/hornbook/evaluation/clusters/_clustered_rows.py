"""Rows with a distance and a cluster each: what the internal measures are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook import _native
from hornbook.distances import (
    CalledSpace,
    Metric,
    Placed,
    Space,
    distance_of,
    precomputed_matrix,
    space_of,
)
from hornbook.evaluation.clusters._partition import Partition, partition_of
from hornbook.frame import as_frame, require_rows_and_columns
from hornbook.params import Floats, threads

__all__ = ["ClusteredRows", "clustered_rows"]

Statistic = Literal["sum", "smallest", "largest"]

CELLS = 2**22  # of a table of distances at a time


@dataclass(frozen=True)
class ClusteredRows:
    """Rows in the space of a distance, or the matrix of their distances, and the cluster of each.

    Parameters
    ----------
    function : str
        The measure that asks, for error messages.
    space : Space, CalledSpace or None
        The space; None with a matrix.
    rows : Placed or ndarray of shape (n, n)
        The rows in that space, or the distances of all.
    partition : Partition
        The clusters.
    n_threads : int
        Threads.
    """

    function: str
    space: Space | CalledSpace | None
    rows: Placed | Floats
    partition: Partition
    n_threads: int

    @property
    def n_clusters(self) -> int:
        """How many clusters there are."""
        return len(self.partition.names)

    def distances(self, statistic: Statistic, queries: Any = None) -> Floats:
        """For some rows (all when left out) and each cluster: the sum, smallest or largest distance."""
        places = np.arange(len(self.partition.codes)) if queries is None else np.asarray(queries)
        if isinstance(self.space, Space) and isinstance(self.rows, Placed):
            asked = self.rows if queries is None else self.rows[places]
            # O(n^2) distances but O(n k) memory: the kernel reduces as it goes and never stores the
            # matrix.
            table = _native.cluster_distances(
                self.rows.numbers,
                self.rows.codes,
                self.partition.codes,
                np.ones(len(self.rows)),
                self.n_clusters,
                asked.numbers,
                asked.codes,
                *self.space.arguments,
                statistic,
                self.n_threads,
            )
        else:
            table = self._by_matrix(statistic, places)
        # The kernel marks pairs without a common known column as infinitely far.
        if np.isinf(table).any():
            raise ValueError(
                f"{self.function}: two rows have no known column in common, so their distance is unknown: "
                "fill the missing values first."
            )
        return table

    def _by_matrix(self, statistic: Statistic, places: Any) -> Floats:
        reduce = {"sum": np.add, "smallest": np.minimum, "largest": np.maximum}[statistic]
        # Rows of a cluster side by side, so that one `reduceat` per block reduces all clusters; it
        # needs every segment to be non-empty, which a partition guarantees.
        order = np.argsort(self.partition.codes, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.partition.sizes)[:-1]])
        step = max(1, CELLS // len(order))
        parts = []
        for first in range(0, len(places), step):
            asked = places[first : first + step]
            if isinstance(self.rows, Placed):
                assert self.space is not None
                block = self.space.pairwise(self.rows, self.rows[asked], self.n_threads)
            else:
                block = self.rows[asked]
            parts.append(reduce.reduceat(block[:, order], starts, axis=1))
        return np.concatenate(parts)

    def coordinates(self) -> Floats:
        """The rows as points that have means; refused for categories, missing cells and bare distances."""
        if not isinstance(self.space, Space) or not isinstance(self.rows, Placed):
            raise TypeError(
                f"{self.function}: a centroid needs rows of numbers and a distance by name: pass those, or "
                "use hornbook.evaluation.dunn or silhouette, which need distances only."
            )
        if self.rows.codes.shape[1] or not self.rows.complete:
            raise ValueError(
                f"{self.function}: a centroid needs complete columns of numbers, without categories and "
                "missing values: encode them first (hornbook.base.Encoder), or use hornbook.evaluation.dunn "
                "or silhouette, which need distances only."
            )
        return self.rows.numbers

    def centroids(self) -> tuple[Floats, Floats]:
        """The coordinates of the rows, and the mean of each cluster."""
        points = self.coordinates()
        # Measured from the mean, so that sums keep their digits.
        middle = points.mean(axis=0)
        sums = np.zeros((self.n_clusters, points.shape[1]))
        np.add.at(sums, self.partition.codes, points - middle)
        return points, middle + sums / self.partition.sizes[:, None]

    def between(self, one: Floats, other: Floats) -> Floats:
        """Distances of points that are no rows of the table."""
        assert isinstance(self.space, Space)
        placed = [Placed(points, np.empty((len(points), 0), dtype=np.int32)) for points in (one, other)]
        return self.space.pairwise(placed[1], placed[0], self.n_threads)


def clustered_rows(
    function: str,
    X: Any,
    labels: ArrayLike,
    metric: Metric,
    p: float = 2.0,
    n_jobs: int | None = None,
    *,
    at_least: int = 2,
) -> ClusteredRows:
    """Return checked rows and clusters, of which there must be at least so many."""
    n_threads = threads(n_jobs)
    space: Space | CalledSpace | None = None
    rows: Placed | Floats
    if isinstance(metric, str) and metric == "precomputed":
        rows = precomputed_matrix(function, X)
    else:
        frame = as_frame(X).features
        require_rows_and_columns(frame)
        space = space_of(distance_of(metric, p), frame)
        rows = space.place(frame)
        # NaN is a missing cell, which some distances allow; infinity never is.
        if np.isinf(rows.numbers).any():
            raise ValueError(f"{function}: X contains infinity: correct those cells, or make them missing.")
    partition = partition_of(function, "labels", labels, len(rows))
    if len(partition.names) < at_least:
        raise ValueError(
            f"{function}: 'labels' must have at least {at_least} clusters; got {len(partition.names)}."
        )
    return ClusteredRows(function, space, rows, partition, n_threads)
