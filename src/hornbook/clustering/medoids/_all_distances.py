"""Distances between all training rows: computed where they are needed, or stored as a matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.distances import CalledSpace, Placed, Space, called_matrix
from hornbook.params import Floats

__all__ = ["CalledDistances", "ComputedDistances", "Indices", "MatrixDistances"]

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class ComputedDistances:
    """Distances that kernels compute again each time, which takes no memory for pairs of rows.

    Parameters
    ----------
    space : Space
        The space of the distance.
    rows : Placed
        The rows in it.
    n_threads : int
        Threads.
    """

    space: Space
    rows: Placed
    n_threads: int

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, chosen: Indices) -> ComputedDistances:
        """Distances between some of the rows."""
        return ComputedDistances(self.space, self.rows[chosen], self.n_threads)

    def to(self, chosen: Indices) -> Floats:
        """Distances from all rows to some, one column for each of those."""
        return self.space.pairwise(self.rows[chosen], self.rows, self.n_threads)

    def sums(self, members: Indices, w: Floats) -> Floats:
        """For each of some rows the weighted sum of the distances to all of them."""
        rows = self.rows[members]
        labels = np.zeros(len(members), dtype=np.int32)
        return _native.cluster_distances(
            rows.numbers,
            rows.codes,
            labels,
            w[members],
            1,
            rows.numbers,
            rows.codes,
            *self.space.arguments,
            "sum",
            self.n_threads,
        )[:, 0]

    def joining_losses(self, w: Floats, nearest: Floats) -> Floats:
        """The loss if a row joined the medoids, for each row."""
        rows = self.rows
        return _native.joining_losses(
            rows.numbers, rows.codes, *self.space.arguments, w, nearest, self.n_threads
        )

    def swap_pass(self, w: Floats, medoids: Indices, still: int) -> tuple[Indices, int, int, float]:
        """Try every row as a medoid, and swap wherever that lowers the loss."""
        rows = self.rows
        return _native.swap_pass(
            rows.numbers, rows.codes, *self.space.arguments, w, medoids, still, self.n_threads
        )


@dataclass(frozen=True)
class MatrixDistances:
    """Distances in a matrix: given, or the values of a function.

    Parameters
    ----------
    matrix : ndarray of shape (n, n)
        The distances.
    n_threads : int
        Threads.
    """

    matrix: Floats
    n_threads: int

    def __len__(self) -> int:
        return len(self.matrix)

    def part(self, chosen: Indices) -> MatrixDistances:
        """Distances between some of the rows."""
        return MatrixDistances(np.ascontiguousarray(self.matrix[np.ix_(chosen, chosen)]), self.n_threads)

    def to(self, chosen: Indices) -> Floats:
        """Distances from all rows to some, one column for each of those."""
        return self.matrix[:, chosen]

    def sums(self, members: Indices, w: Floats) -> Floats:
        """For each of some rows the weighted sum of the distances to all of them."""
        # Not a BLAS product, whose last digits may depend on the number of threads.
        return np.asarray(np.einsum("ij,j->i", self.matrix[np.ix_(members, members)], w[members]))

    def joining_losses(self, w: Floats, nearest: Floats) -> Floats:
        """The loss if a row joined the medoids, for each row."""
        return _native.matrix_joining_losses(self.matrix, w, nearest, self.n_threads)

    def swap_pass(self, w: Floats, medoids: Indices, still: int) -> tuple[Indices, int, int, float]:
        """Try every row as a medoid, and swap wherever that lowers the loss."""
        return _native.matrix_swap_pass(self.matrix, w, medoids, still, self.n_threads)


@dataclass(frozen=True)
class CalledDistances:
    """Values of a function, called for the pairs that are asked for; parts become matrices.

    Parameters
    ----------
    space : CalledSpace
        The function.
    rows : Placed
        The rows.
    n_threads : int
        Threads.
    """

    space: CalledSpace
    rows: Placed
    n_threads: int

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, chosen: Indices) -> MatrixDistances:
        """Distances between some of the rows."""
        rows = self.rows[chosen]
        matrix = called_matrix("KMedoids", self.space.pairwise(rows, rows, self.n_threads), chosen)
        return MatrixDistances(matrix, self.n_threads)

    def to(self, chosen: Indices) -> Floats:
        """Distances from all rows to some, one column for each of those."""
        return self.space.pairwise(self.rows[chosen], self.rows, self.n_threads)
