"""The result of a clustering: disjoint clusters that cover all rows, and the label of each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import label_column
from hornbook.evaluation.metrics._labels import coded, distinct
from hornbook.frame import Label

__all__ = ["Partition", "partition_of"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Partition:
    """Rows cut into k disjoint clusters that together are all rows.

    Parameters
    ----------
    codes : ndarray of int32 of shape (n,)
        The cluster of each row, from 0 to k - 1.
    names : tuple
        The label of each cluster.

    Examples
    --------
    >>> from hornbook.evaluation import Partition
    >>> partition = Partition.of(["b", "a", "b"])
    >>> partition.names, partition.codes.tolist(), [rows.tolist() for rows in partition.clusters]
    (('a', 'b'), [1, 0, 1], [[1], [0, 2]])
    >>> Partition.from_clusters([[1, 3], [0, 2, 4]]).numbers.tolist()
    [2, 1, 2, 1, 2]
    """

    codes: NDArray[np.int32]
    names: tuple[Label, ...]

    @classmethod
    def of(cls, labels: ArrayLike) -> Partition:
        """Make a partition from the label of each row: text, whole numbers or booleans.

        Parameters
        ----------
        labels : array-like of shape (n,)
            The labels.

        Returns
        -------
        partition : Partition
            With the clusters in the order of their labels.
        """
        return partition_of("Partition.of", "labels", labels)

    @classmethod
    def from_clusters(cls, clusters: Iterable[ArrayLike]) -> Partition:
        """Make a partition from the row numbers of each cluster.

        Parameters
        ----------
        clusters : iterable of array-like of int
            For each cluster its rows; every row from 0 on belongs to exactly one.

        Returns
        -------
        partition : Partition
            With the clusters 0, 1, ... in the given order.
        """
        parts = [np.asarray(rows, dtype=np.intp) for rows in clusters]
        if not parts or any(part.ndim != 1 or not len(part) for part in parts):
            raise ValueError("Partition: 'clusters' must be lists of row numbers, none of them empty.")
        rows = np.concatenate(parts)
        counts = np.bincount(rows, minlength=len(rows)) if rows.min() >= 0 else np.zeros(0)
        # Each row once: as many rows as distinct numbers 0 .. n - 1, so a gap and a repeat both show
        # here.
        if len(counts) != len(rows) or (counts != 1).any():
            raise ValueError(
                f"Partition: 'clusters' must contain each row from 0 to {len(rows) - 1} exactly once, "
                "because clusters are disjoint and cover all rows."
            )
        codes = np.empty(len(rows), dtype=np.int32)
        codes[rows] = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part) for part in parts])
        return cls(codes, tuple(range(len(parts))))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each cluster has."""
        return np.bincount(self.codes, minlength=len(self.names)).astype(np.int64)

    @property
    def clusters(self) -> list[Rows]:
        """The row numbers of each cluster."""
        # Stable: rows of a cluster keep the order of the table.
        order = np.argsort(self.codes, kind="stable")
        return np.split(order, np.cumsum(self.sizes)[:-1])

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The cluster of each row counted from 1, as textbooks write λ."""
        return self.codes.astype(np.int64) + 1


def partition_of(function: str, name: str, labels: Any, n_rows: int | None = None) -> Partition:
    """Return the partition that labels describe."""
    column = label_column(function, name, labels)
    if n_rows is not None and len(column) != n_rows:
        raise ValueError(
            f"{function}: '{name}' must have one value for each of the {n_rows} rows; got {len(column)}."
        )
    names = distinct(function, column)
    return Partition(coded(function, name, column, names).astype(np.int32), names)
