"""The parameters of clusterers in groups, each explained once.

A clusterer names the groups it takes; one that wants another default declares just that parameter anew.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from numpy.typing import ArrayLike

from hornbook.clustering._initialization import Start
from hornbook.distances import Metric
from hornbook.params import Jobs, MaxIter, Range, Seed, Tol, Tune, Verbose, parameter_group

__all__ = [
    "CenterStart",
    "ClusterCount",
    "ClusterWork",
    "MetricChoice",
    "MinkowskiPower",
    "PassLimits",
    "ProgressReports",
    "RandomDraws",
    "WorkingThreads",
]


@parameter_group
class ClusterCount:
    """How many clusters.

    Parameters
    ----------
    n_clusters : int
        Number of clusters, k.
    """

    n_clusters: Annotated[int, Range(low=1), Tune(2, 20)] = field(default=8, kw_only=False)


@parameter_group
class CenterStart:
    """Where centers begin.

    Parameters
    ----------
    init : {"k-means++", "random", "uniform"} or array of shape (n_clusters, n_encoded)
        Initial centers. ``"k-means++"``: rows far apart, each the best of 2 + ln k that are drawn with
        probability proportional to weight times squared distance to the centers so far. ``"random"``:
        distinct rows, drawn with probability proportional to weight. ``"uniform"``: vectors drawn uniformly
        from the bounding box of the rows. Or given centers. Rows are drawn from a random 100,000 when there
        are more.
    """

    init: Start | ArrayLike = "k-means++"


@parameter_group
class PassLimits:
    """When passes over the rows end.

    Parameters
    ----------
    max_iter : int
        The most passes over the rows for each start.
    tol : float
        Passes end when no center moves farther than this times the root of the mean variance of the columns.
    """

    max_iter: MaxIter = 300
    tol: Tol = 1e-4


@parameter_group
class MetricChoice:
    """The distance of two rows.

    Parameters
    ----------
    metric : str, Distance or callable
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        one of `hornbook.distances`, or a function of two rows of numbers; or ``"precomputed"``: X is the
        matrix of the distances between all rows, and for new rows that of their distances to all rows of the
        fit. Numbers are not scaled.
    """

    metric: Metric = "euclidean"


@parameter_group
class MinkowskiPower:
    """The power of Minkowski's distance.

    Parameters
    ----------
    p : float
        The power of ``"minkowski"``.
    """

    p: Annotated[float, Range(low=1.0)] = 2.0


@parameter_group
class RandomDraws:
    """Where random numbers come from.

    Parameters
    ----------
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    """

    random_state: Seed = None


@parameter_group
class WorkingThreads:
    """Who computes.

    Parameters
    ----------
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    n_jobs: Jobs = None


@parameter_group
class ProgressReports:
    """What is printed on the way.

    Parameters
    ----------
    verbose : int
        Whether to print each pass.
    """

    verbose: Verbose = 0


@parameter_group
class ClusterWork(ProgressReports, WorkingThreads, RandomDraws):
    """Seed, threads and progress."""
