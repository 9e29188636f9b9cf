"""The silhouette: how much nearer a row is to its own cluster than to the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.distances import Metric
from hornbook.evaluation.clusters._cluster_measure import cluster_measure
from hornbook.evaluation.clusters._clustered_rows import ClusteredRows, clustered_rows
from hornbook.evaluation.clusters._shared_texts import explained
from hornbook.params import Floats, Seed
from hornbook.random import Stream, seed_of

__all__ = ["silhouette", "silhouette_rows"]


@cluster_measure(needs="rows", greater_is_better=True, best=1.0)
@explained
def silhouette(
    X: Any,
    labels: ArrayLike,
    *,
    metric: Metric = "euclidean",
    p: float = 2.0,
    sample_size: int | None = None,
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> float:
    """Mean silhouette width of the rows (Rousseeuw 1987).

    The width of a row is (b - a) / max(a, b), where a is its mean distance to the other rows of its cluster
    and b the smallest mean distance to the rows of another. Nothing of the size n x n is stored. A sample
    takes the mean over some rows, each compared with all rows, and so estimates the same number;
    scikit-learn's drops the other rows altogether.

    Parameters
    ----------
    sample_size : int, optional
        Number of rows drawn for the mean; all when left out.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    float
        From -1 to 1, which is best; about 0 where clusters overlap.

    Examples
    --------
    >>> round(silhouette([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]), 4)
    0.8997
    """
    rows = clustered_rows("silhouette", X, labels, metric, p, n_jobs)
    n = len(rows.partition.codes)
    if sample_size is None:
        return float(_widths(rows, np.arange(n)).mean())
    if (
        isinstance(sample_size, bool)
        or not isinstance(sample_size, int | np.integer)
        or not 1 <= sample_size <= n
    ):
        raise ValueError(
            f"silhouette: 'sample_size' must be an integer from 1 to the {n} rows; got {sample_size!r}."
        )
    # A sample of rows is judged, but their distances are to all rows: an unbiased estimate of the
    # mean.
    chosen = np.sort(Stream(seed_of(random_state)).permutation(n)[:sample_size])
    return float(_widths(rows, chosen).mean())


@explained
def silhouette_rows(
    X: Any, labels: ArrayLike, *, metric: Metric = "euclidean", p: float = 2.0, n_jobs: int | None = None
) -> Floats:
    """Silhouette width of each row.

    Returns
    -------
    widths : ndarray of shape (n,)
        Negative for rows that are nearer to another cluster; 0 for a row that is alone in its cluster.

    Examples
    --------
    >>> silhouette_rows([[0.0], [1.0], [10.0]], [0, 0, 1]).round(3).tolist()
    [0.9, 0.889, 0.0]
    """
    rows = clustered_rows("silhouette_rows", X, labels, metric, p, n_jobs)
    return _widths(rows, np.arange(len(rows.partition.codes)))


def _widths(rows: ClusteredRows, chosen: Any) -> Floats:
    sizes = rows.partition.sizes
    own = rows.partition.codes[chosen]
    everything = len(chosen) == len(rows.partition.codes)
    sums = rows.distances("sum", None if everything else chosen)
    places = np.arange(len(chosen))
    # The distance of a row to itself is 0, so that only the number of rows has to leave it out.
    a = sums[places, own] / np.maximum(sizes[own] - 1, 1)
    means = sums / sizes
    # The own cluster must not be its own nearest neighbor.
    means[places, own] = np.inf
    b = means.min(axis=1)
    larger = np.maximum(a, b)
    widths = np.divide(b - a, larger, out=np.zeros_like(a), where=larger > 0)
    # Rousseeuw sets s = 0 for a cluster of one row: a(i) does not exist.
    return np.where(sizes[own] > 1, widths, 0.0)
