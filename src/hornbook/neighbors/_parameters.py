"""The parameters of nearest-neighbor learners in groups, each explained once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Any, TypeAlias

from hornbook.distances import Metric
from hornbook.neighbors._memory import Algorithm
from hornbook.neighbors._votes import Ties, Weighting
from hornbook.params import Jobs, Range, Seed, Tune, parameter_group

__all__ = [
    "MeanWeights",
    "NNeighbors",
    "Power",
    "Radius",
    "Reach",
    "RowDistance",
    "VoteRules",
    "WithinRadius",
]

NNeighbors: TypeAlias = Annotated[int, Range(low=1), Tune(1, 50)]
Power: TypeAlias = Annotated[float, Range(low=0.0, high=math.inf, open_low=True), Tune(values=(1.0, 2.0))]
Radius: TypeAlias = Annotated[float, Range(low=0.0), Tune(0.1, 10.0, log=True)]
LeafSize: TypeAlias = Annotated[int, Range(low=1)]
VoteSmoothing: TypeAlias = Annotated[float, Range(low=0.0)]


@parameter_group
class RowDistance:
    """How far rows are apart, and how those nearby are found.

    Parameters
    ----------
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}
        Search by a k-d tree, or compare with every row. The predictions are the same; ``"auto"`` uses the
        tree for few numeric columns without missing cells. A sparse matrix has no tree. ``"ball_tree"`` is
        the k-d tree where there can be one, else every row.
    leaf_size : int
        As in scikit-learn; the tree here has leaves of its own size, and the neighbors are the same.
    p : float
        The power of "minkowski", and of "vdm" in classifiers; below 1 the former is no metric, and there is
        no tree.
    metric : str, Distance or callable
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "hamming", "mahalanobis", "gower",
        "seuclidean", in classifiers "vdm", one of `hornbook.distances`, or a function of two rows of numbers;
        for complete numbers also "braycurtis", "canberra", "correlation", "cosine", "haversine",
        "sqeuclidean", for sets of columns that are not 0 "dice", "jaccard", "rogerstanimoto", "russellrao",
        "sokalsneath", "yule". With ``"precomputed"`` X is the matrix of distances to the rows of the fit.
        Numbers are not scaled.
    metric_params : dict, optional
        ``p`` and ``w`` of "minkowski", ``V`` or ``VI`` of "mahalanobis", ``V`` of "seuclidean", or arguments
        of a function.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    algorithm: Algorithm = "auto"
    leaf_size: LeafSize = 30
    p: Power = 2.0
    metric: Metric = "minkowski"
    metric_params: Mapping[str, Any] | None = None
    n_jobs: Jobs = None


@parameter_group
class VoteRules:
    """How the classes of neighbors become an answer.

    Parameters
    ----------
    weights : {"uniform", "distance"} or callable
        One vote each; 1 / D with D the distance (where some are at distance 0, those alone vote); or a
        function that returns the votes for an array of distances.
    ties : {"nearest", "random", "first"}
        Which of the classes with the most votes: that of the nearest neighbor among them, a random one
        (the same for equal rows), or the first in ``classes_`` as in scikit-learn.
    vote_smoothing : float
        Additional votes, spread evenly over the K classes: (n_c + m / K) / (n + m) with m this number.
        No probability is 0 or 1, and the predicted class stays the same.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    """

    weights: Weighting = "uniform"
    ties: Ties = "nearest"
    vote_smoothing: VoteSmoothing = 0.0
    random_state: Seed = None


@parameter_group
class MeanWeights:
    """How the targets of neighbors become an answer.

    Parameters
    ----------
    weights : {"uniform", "distance"} or callable
        A plain mean; a mean weighted by 1 / D with D the distance (where some are at distance 0, those alone
        count); or by a function of an array of distances.
    """

    weights: Weighting = "uniform"


@parameter_group
class Reach:
    """How far the nearest neighbors may be.

    Parameters
    ----------
    radius : float, optional
        Neighbors farther away than this do not count: k neighbors, but none beyond the radius.
    """

    radius: Annotated[float, Range(low=0.0)] | None = None


@parameter_group
class WithinRadius:
    """How far neighbors may be, however many there are.

    Parameters
    ----------
    radius : float
        Rows at most this far away are neighbors.
    """

    radius: Radius = field(default=1.0, kw_only=False)
