"""How wide clusters are and how far apart, and the measures made of both."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.distances import Metric
from hornbook.evaluation.clusters._cluster_measure import cluster_measure
from hornbook.evaluation.clusters._clustered_rows import ClusteredRows, clustered_rows
from hornbook.evaluation.clusters._shared_texts import explained
from hornbook.params import Floats

__all__ = [
    "centroid_distances",
    "cluster_diameters",
    "cluster_separations",
    "davies_bouldin",
    "dunn",
    "mean_cluster_distances",
]


@explained
def mean_cluster_distances(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> Floats:
    """Mean distance of two rows of the same cluster, avg(C) = 2 / (|C| (|C| - 1)) · sum of dist(x, y).

    Returns
    -------
    distances : ndarray of shape (n_clusters,)
        In the order of the sorted labels; 0 for a cluster of one row, which has no pair.

    Examples
    --------
    >>> mean_cluster_distances([[0.0], [1.0], [3.0], [9.0]], [0, 0, 0, 1]).tolist()
    [2.0, 0.0]
    """
    rows = clustered_rows("mean_cluster_distances", X, labels, metric, p, n_jobs, at_least=1)
    return _mean_distances(rows)


def _mean_distances(rows: ClusteredRows) -> Floats:
    codes, sizes = rows.partition.codes, rows.partition.sizes
    own = rows.distances("sum")[np.arange(len(codes)), codes]
    # Every pair is counted from both of its rows.
    sums = np.bincount(codes, weights=own, minlength=len(sizes))
    # A single row has no pairs: its mean distance is 0, not 0 / 0.
    return np.asarray(sums / np.maximum(sizes * (sizes - 1), 1))


@explained
def cluster_diameters(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> Floats:
    """Largest distance of two rows of the same cluster, diam(C).

    Returns
    -------
    diameters : ndarray of shape (n_clusters,)
        In the order of the sorted labels; 0 for a cluster of one row.

    Examples
    --------
    >>> cluster_diameters([[0.0], [1.0], [3.0], [9.0]], [0, 0, 0, 1]).tolist()
    [3.0, 0.0]
    """
    return _diameters(clustered_rows("cluster_diameters", X, labels, metric, p, n_jobs, at_least=1))


def _diameters(rows: ClusteredRows) -> Floats:
    codes = rows.partition.codes
    own = rows.distances("largest")[np.arange(len(codes)), codes]
    widest = np.zeros(rows.n_clusters)
    # `maximum.at` because several rows write to the same cluster; plain indexing would keep the last.
    np.maximum.at(widest, codes, own)
    return widest


@explained
def cluster_separations(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> Floats:
    """Smallest distance between rows of two clusters, d_min(C, D), for each two clusters.

    Returns
    -------
    separations : ndarray of shape (n_clusters, n_clusters)
        In the order of the sorted labels, with 0 on the diagonal.

    Examples
    --------
    >>> cluster_separations([[0.0], [1.0], [3.0], [9.0]], [0, 0, 0, 1]).tolist()
    [[0.0, 6.0], [6.0, 0.0]]
    """
    return _separations(clustered_rows("cluster_separations", X, labels, metric, p, n_jobs, at_least=1))


def _separations(rows: ClusteredRows) -> Floats:
    nearest = np.full((rows.n_clusters, rows.n_clusters), np.inf)
    # codes select a row of `nearest` for each row of the table: (n, k) distances collapse to (k, k).
    np.minimum.at(nearest, rows.partition.codes, rows.distances("smallest"))
    np.fill_diagonal(nearest, 0.0)
    return nearest


@explained
def centroid_distances(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> Floats:
    """Distance between the centroids (means) of two clusters, d_cen(C, D), for each two clusters.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows, complete numbers.
    metric : str or Distance, default "euclidean"
        As in `hornbook.distances.pairwise`.

    Returns
    -------
    distances : ndarray of shape (n_clusters, n_clusters)
        In the order of the sorted labels.

    Examples
    --------
    >>> centroid_distances([[0.0], [1.0], [5.0], [9.0]], [0, 0, 1, 1]).tolist()
    [[0.0, 6.5], [6.5, 0.0]]
    """
    rows = clustered_rows("centroid_distances", X, labels, metric, p, n_jobs, at_least=1)
    _, means = rows.centroids()
    return rows.between(means, means)


@cluster_measure(needs="rows", greater_is_better=False, best=0.0)
@explained
def davies_bouldin(
    X: Any,
    labels: ArrayLike,
    *,
    radius: Literal["centroid", "pairwise"] = "centroid",
    metric: Metric = "euclidean",
    p: float = 2.0,
    n_jobs: int | None = None,
) -> float:
    """Davies and Bouldin's index (1979): how much each cluster overlaps with the one it overlaps with most.

    It is the mean over the clusters i of the largest (r_i + r_j) / d_cen(i, j) over the other clusters j.
    Practice and the original paper take for r the mean distance of the rows to the centroid of their cluster;
    textbooks also take the mean distance of two rows of it, which gives other values.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows, complete numbers.
    radius : {"centroid", "pairwise"}, default "centroid"
        What r is: the mean of dist(x, centroid), as in scikit-learn, or `mean_cluster_distances`.
    metric : str or Distance, default "euclidean"
        As in `hornbook.distances.pairwise`.

    Returns
    -------
    float
        At least 0, which is best; infinite where two clusters that are no points have the same centroid.

    Examples
    --------
    >>> davies_bouldin([[0.0], [2.0], [8.0], [12.0]], [0, 0, 1, 1])
    0.3333333333333333
    >>> davies_bouldin([[0.0], [2.0], [8.0], [12.0]], [0, 0, 1, 1], radius="pairwise")
    0.6666666666666666
    """
    if radius not in ("centroid", "pairwise"):
        raise ValueError(f"davies_bouldin: 'radius' must be 'centroid' or 'pairwise'; got {radius!r}.")
    rows = clustered_rows("davies_bouldin", X, labels, metric, p, n_jobs)
    points, means = rows.centroids()
    radii = _mean_distances(rows) if radius == "pairwise" else _centroid_radii(rows, points, means)
    apart = rows.between(means, means)
    spread = radii[:, None] + radii[None, :]
    overlap = np.full_like(spread, np.inf)
    # R_ij = (s_i + s_j) / d_ij. Coinciding centroids of clusters with some extent overlap infinitely.
    np.divide(spread, apart, out=overlap, where=apart > 0)
    # Two clusters that are both points do not overlap, even where they are the same point.
    overlap[spread == 0] = 0.0
    np.fill_diagonal(overlap, 0.0)
    # Each cluster counts with its worst neighbor only.
    return float(overlap.max(axis=1).mean())


def _centroid_radii(rows: ClusteredRows, points: Floats, means: Floats) -> Floats:
    sizes = rows.partition.sizes
    radii = [
        rows.between(points[members], means[i : i + 1]) for i, members in enumerate(rows.partition.clusters)
    ]
    return np.array([part.sum() for part in radii]) / sizes


@cluster_measure(needs="rows", greater_is_better=True, best=np.inf)
@explained
def dunn(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> float:
    """Dunn's index (1974): the smallest separation of two clusters over the largest diameter of one.

    Returns
    -------
    float
        Larger is better; infinite when every cluster is one point and no two are the same.

    Examples
    --------
    >>> dunn([[0.0], [2.0], [8.0], [12.0]], [0, 0, 1, 1])
    1.5
    """
    rows = clustered_rows("dunn", X, labels, metric, p, n_jobs)
    apart = _separations(rows)[~np.eye(rows.n_clusters, dtype=np.bool_)].min()
    widest = _diameters(rows).max()
    if widest > 0:
        return float(apart / widest)
    # All clusters are points: perfectly compact if they are apart.
    return np.inf if apart > 0 else 0.0
