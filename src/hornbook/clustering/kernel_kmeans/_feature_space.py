"""Distances between rows and clusters in the feature space of a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["FeatureSpace", "cluster_shares", "row_distances", "square_lengths"]

Labels = NDArray[np.int32]


def row_distances(K: Floats, own: Floats, others: Floats) -> Floats:
    """√(k(x, x) - 2 k(x, y) + k(y, y)) from values of pairs and of rows with themselves."""
    squares = own[:, None] - 2 * K + others[None, :]
    # Squares of distances between equal rows may round below 0.
    return np.sqrt(np.maximum(squares, 0.0))


def cluster_shares(labels: Labels, w: Floats, k: int) -> Floats:
    """The weight of each row in its cluster as a fraction of the cluster's; 0 in others."""
    table = np.zeros((len(labels), k))
    table[np.arange(len(labels)), labels] = w
    mass = table.sum(axis=0)
    return table / np.where(mass > 0, mass, 1.0)


def square_lengths(K: Floats, shares: Floats) -> Floats:
    """Mean kernel value of two rows of each cluster: the squared length of its mean."""
    return np.asarray(np.einsum("ij,ij->j", shares, K @ shares))


@dataclass(frozen=True)
class FeatureSpace:
    """Training rows by their kernel values, with weights.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel values, or for average distances the distances of all pairs.
    diagonal : ndarray of shape (n,)
        Values of rows with themselves.
    w : ndarray of shape (n,)
        Weights.
    distance : {"mean", "average"}
        To the mean of a cluster, squared; or the average over its rows.
    """

    K: Floats
    diagonal: Floats
    w: Floats
    distance: Literal["mean", "average"]

    def costs(self, labels: Labels, k: int) -> Floats:
        """Of each row with each cluster: the squared distance to the mean, or the average distance."""
        shares = cluster_shares(labels, self.w, k)
        means = self.K @ shares
        if self.distance == "average":
            costs = means
        else:
            lengths = np.einsum("ij,ij->j", shares, means)
            # |phi(x) - m|^2 = k(x, x) - 2 mean k(x, y) + mean k(y, z) (Dhillon, Guan and Kulis 2004).
            costs = np.maximum(self.diagonal[:, None] - 2 * means + lengths, 0.0)
        costs[:, ~shares.any(axis=0)] = np.inf  # nobody goes to an empty cluster
        return np.asarray(costs)
