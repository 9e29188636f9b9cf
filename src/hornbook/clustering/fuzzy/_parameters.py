"""The parameters that fuzzy clusterers share, each explained once."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from numpy.typing import ArrayLike

from hornbook.clustering._parameters import CenterStart, ClusterCount, ClusterWork, PassLimits
from hornbook.clustering.fuzzy._assignment import Kind
from hornbook.clustering.fuzzy._transforms import MembershipTransform
from hornbook.params import Range, Tune, parameter_group

__all__ = ["FuzzyParameters"]


@parameter_group
class FuzzyParameters(ClusterWork, PassLimits, CenterStart, ClusterCount):
    """How soft clusters are, and what becomes of noise.

    Parameters
    ----------
    fuzzifier : float above 1 or MembershipTransform, default 2.0
        How soft the clusters are: w of the transform h(u) = u^w, or another convex transform of memberships:
        `PolynomialTransform`, `ExponentialTransform`, or a class of your own with a value and a derivative.
    kind : {"probabilistic", "noise", "possibilistic"}, default "probabilistic"
        ``"probabilistic"``: the memberships of a row have sum 1. ``"noise"`` (Davé 1991): they have sum 1
        together with that in a noise cluster, which is equally far from all rows. ``"possibilistic"``
        (Krishnapuram and Keller 1993): a membership depends on the distance from its own cluster alone;
        clusters may coincide.
    noise_distance : float, optional
        Distance of the noise cluster from all rows. When left out, twice the root of the mean squared
        distance of rows from their clusters in a probabilistic clustering that is made first.
    eta : float or array-like of shape (n_clusters,), optional
        Squared distances at which a possibilistic membership is 1/2. When left out, the mean squared distance
        of the rows of each cluster, weighted by h(u), in a probabilistic clustering that is made first.
    n_init : int, default 1
        Number of starts, of which the one with the smallest objective is kept. Where a scale is estimated,
        these are starts of the probabilistic clustering that is made first, the best of which is continued.
    """

    fuzzifier: Annotated[float, Range(low=1, open_low=True), Tune(1.2, 4.0)] | MembershipTransform = field(
        default=2.0, kw_only=False
    )
    kind: Kind = "probabilistic"
    noise_distance: Annotated[float, Range(low=0, open_low=True)] | None = None
    eta: Annotated[float, Range(low=0, open_low=True)] | ArrayLike | None = None
    n_init: Annotated[int, Range(low=1)] = 1
