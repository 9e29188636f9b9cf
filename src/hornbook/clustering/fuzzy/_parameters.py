"""The parameters that fuzzy clusterers share, each explained once."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from numpy.typing import ArrayLike

from hornbook.clustering._initialization import Start
from hornbook.clustering.fuzzy._assignment import Kind
from hornbook.clustering.fuzzy._transforms import MembershipTransform
from hornbook.params import Jobs, MaxIter, Range, Seed, Tol, Tune, Verbose, parameter_group

__all__ = ["FuzzyParameters"]


@parameter_group
class FuzzyParameters:
    """What fuzzy clusterers are told.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters, c.
    fuzzifier : float above 1 or MembershipTransform, default 2.0
        How soft the clusters are: w of the transform h(u) = u^w, or another convex transform of memberships:
        `PolynomialTransform`, `ExponentialTransform`, or a class of one's own with a value and a derivative.
    kind : {"probabilistic", "noise", "possibilistic"}, default "probabilistic"
        ``"probabilistic"``: the memberships of a row have sum 1. ``"noise"`` (Davé 1991): so they have with
        that of a noise cluster, which is equally far from all rows. ``"possibilistic"`` (Krishnapuram and
        Keller 1993): a membership depends on the distance from its own cluster alone; clusters may coincide.
    noise_distance : float, optional
        Distance of the noise cluster from all rows. When left out, twice the root of the mean square distance
        of rows from their clusters, taken from a probabilistic clustering before.
    eta : float or array-like of shape (n_clusters,), optional
        Square distances at which a possibilistic membership is 1/2. When left out, the mean square distance
        of the rows of each cluster, weighted by h(u), taken from a probabilistic clustering before.
    init : {"k-means++", "random", "uniform"} or array of shape (n_clusters, n_encoded), default "k-means++"
        Initial centers: rows far apart, distinct rows, vectors from the bounding box, or given ones; the same
        as for `KMeans`.
    n_init : int, default 1
        Number of starts, of which the one with the smallest objective is kept. Where a scale is estimated,
        these are starts of the probabilistic clustering before, whose best is continued.
    max_iter : int, default 300
        The most passes over the rows for each start.
    tol : float, default 1e-4
        Passes end when no center moves farther than this times the root of the mean variance of the columns.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : int, default 0
        Whether to print each pass.
    """

    n_clusters: Annotated[int, Range(low=1), Tune(2, 20)] = field(default=8, kw_only=False)
    fuzzifier: Annotated[float, Range(low=1, open_low=True), Tune(1.2, 4.0)] | MembershipTransform = field(
        default=2.0, kw_only=False
    )
    kind: Kind = "probabilistic"
    noise_distance: Annotated[float, Range(low=0, open_low=True)] | None = None
    eta: Annotated[float, Range(low=0, open_low=True)] | ArrayLike | None = None
    init: Start | ArrayLike = "k-means++"
    n_init: Annotated[int, Range(low=1)] = 1
    max_iter: MaxIter = 300
    tol: Tol = 1e-4
    random_state: Seed = None
    n_jobs: Jobs = None
    verbose: Verbose = 0
