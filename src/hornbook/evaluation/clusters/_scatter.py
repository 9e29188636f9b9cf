"""Scatter within clusters and between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.clusters._cluster_measure import cluster_measure
from hornbook.evaluation.clusters._clustered_rows import ClusteredRows, clustered_rows
from hornbook.evaluation.clusters._shared_texts import explained
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["ClusterScatter", "calinski_harabasz", "scatter_matrices"]


@dataclass(frozen=True)
class ClusterScatter:
    """Scatter matrices of clusters: sums over rows of the outer product of (x - mean) with itself.

    Parameters
    ----------
    within : ndarray of shape (d, d)
        Around the mean of each cluster, summed over the clusters.
    between : ndarray of shape (d, d)
        Of the means of the clusters around the mean of all rows, each as often as its cluster has rows.
    clusters : ndarray of shape (n_clusters, d, d)
        Around the mean of each cluster.
    means : ndarray of shape (n_clusters, d)
        Mean of each cluster.
    mean : ndarray of shape (d,)
        Mean of all rows.
    sizes : ndarray of shape (n_clusters,)
        Number of rows of each cluster.
    names : tuple
        The labels of the clusters.
    """

    within: Floats
    between: Floats
    clusters: Floats
    means: Floats
    mean: Floats
    sizes: NDArray[np.int64]
    names: tuple[Label, ...]

    @property
    def total(self) -> Floats:
        """Around the mean of all rows: within + between."""
        # T = W + B (Huygens): computed as the sum so that the identity holds to the last bit.
        return self.within + self.between

    @property
    def covariance(self) -> Floats:
        """The total divided by the number of rows: the covariance matrix."""
        return np.asarray(self.total / self.sizes.sum())

    @property
    def explained(self) -> float:
        """Fraction of the variance that lies between clusters: 1 for clusters that are points."""
        total = float(np.trace(self.total))
        return float(np.trace(self.between)) / total if total > 0 else 0.0


@explained
def scatter_matrices(X: Any, labels: ArrayLike) -> ClusterScatter:
    """Scatter of rows within their clusters, which should be low, and between them, which should be high.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows, complete numbers.

    Returns
    -------
    scatter : ClusterScatter
        The matrices; ``within + between`` is the scatter of all rows around their mean.

    Examples
    --------
    >>> scatter = scatter_matrices([[0.0, 0.0], [2.0, 0.0], [6.0, 1.0], [8.0, 1.0]], [0, 0, 1, 1])
    >>> scatter.within.tolist(), scatter.between.tolist()
    ([[4.0, 0.0], [0.0, 0.0]], [[36.0, 6.0], [6.0, 1.0]])
    """
    return _scatter(clustered_rows("scatter_matrices", X, labels, "euclidean", at_least=1))


def _scatter(rows: ClusteredRows) -> ClusterScatter:
    points, means = rows.centroids()
    middle = points.mean(axis=0)
    parts = []
    for members, mean in zip(rows.partition.clusters, means, strict=True):
        # Deviations from the cluster's own mean, not E[xx'] - mm', which cancels for clusters far
        # from 0.
        gaps = points[members] - mean
        parts.append(gaps.T @ gaps)
    sizes = rows.partition.sizes
    off = means - middle
    between = (off.T * sizes) @ off
    return ClusterScatter(
        np.sum(parts, axis=0), between, np.array(parts), means, middle, sizes, rows.partition.names
    )


@cluster_measure(needs="rows", greater_is_better=True, best=np.inf)
def calinski_harabasz(X: Any, labels: ArrayLike) -> float:
    """Variance ratio (Calinski and Harabasz 1974): scatter between clusters over scatter within them.

    It is (tr B / (k - 1)) / (tr W / (n - k)), with the matrices of `scatter_matrices`.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows, complete numbers.
    labels : array-like of shape (n,)
        The cluster of each row: at least two clusters, and fewer than rows.

    Returns
    -------
    float
        Larger is better; infinite when every cluster is a point, where scikit-learn has 1.

    Examples
    --------
    >>> calinski_harabasz([[0.0], [2.0], [8.0], [12.0]], [0, 0, 1, 1])
    16.2
    """
    rows = clustered_rows("calinski_harabasz", X, labels, "euclidean")
    n, k = len(rows.partition.codes), rows.n_clusters
    if k >= n:
        raise ValueError(f"calinski_harabasz: {k} clusters of {n} rows leave no scatter within: use fewer.")
    scatter = _scatter(rows)
    between, within = float(np.trace(scatter.between)), float(np.trace(scatter.within))
    if within > 0:
        # F ratio of a one-way analysis of variance on traces: (tr B / (k - 1)) / (tr W / (n - k)).
        return between * (n - k) / (within * (k - 1))
    return np.inf if between > 0 else 0.0
