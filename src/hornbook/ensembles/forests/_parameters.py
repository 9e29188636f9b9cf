"""The parameters of forests in groups, each explained once; those of their trees are in `hornbook.trees`.

A forest names the groups it takes; one that wants another default declares just that parameter anew.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from hornbook.base import ClassWeightByTarget
from hornbook.ensembles._out_of_bag import Scoring
from hornbook.ensembles.forests._bootstrap import MaxSamples
from hornbook.params import NEstimators, Range, Verbose, parameter_group
from hornbook.trees import (
    ClassCriteria,
    ClassLeaves,
    CostComplexity,
    LeafLimits,
    MaxFeatures,
    MissingValues,
    Monotonicity,
    NotNegative,
    NumberCriteria,
    SplitLimits,
    Subspace,
    TreeWork,
)

__all__ = ["ClassSearch", "ForestParameters", "NumberSearch", "Votes"]


@parameter_group
class ForestSize:
    """Number of trees.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    """

    n_estimators: NEstimators = field(default=100, kw_only=False)


@parameter_group
class DrawnRows:
    """Rows of each tree, out-of-bag evaluation, early stopping and progress.

    Parameters
    ----------
    bootstrap : bool
        Whether each tree gets its own rows, drawn with replacement, or all rows. Weights are then
        sampling weights, of which only the ratios matter: a weight of 2 is not the same as a row that occurs
        twice. Without draws, weights apply inside the trees, and an integer weight k is the same as k rows.
    max_samples : int or float, optional
        Rows drawn for a tree; a float is a fraction of the rows of positive weight; as many as these when
        left out.
    oob_score : bool or callable
        Whether to evaluate each tree on the rows it has not seen: an honest score without held-out data. A
        function of true and predicted values gives ``oob_score_`` in place of accuracy or R2.
    stop_when_stable : int, optional
        Stop growing when the out-of-bag error has varied by at most ``stable_tol`` over this many trees.
    stable_tol : float
        Largest variation that counts as stable: of the error rate, or a fraction of the variance of y.
    warm_start : bool
        Whether a further fit to the same table keeps the existing trees and grows only those missing up to
        ``n_estimators``: the forest is the same as if all had grown at once.
    verbose : bool or int
        Whether to print a line for each batch of trees.
    """

    bootstrap: bool = True
    max_samples: MaxSamples = None
    oob_score: bool | Scoring = False
    stop_when_stable: Annotated[int, Range(low=1)] | None = None
    stable_tol: NotNegative = 0.005
    warm_start: bool = False
    verbose: Verbose = 0


@parameter_group
class ForestParameters(TreeWork, DrawnRows, CostComplexity, LeafLimits, MissingValues, ForestSize):
    """Parameters of all forests."""


@parameter_group
class Votes(ClassLeaves):
    """Voting and class weights.

    Parameters
    ----------
    vote : {"soft", "hard"}
        The trees' class probabilities are averaged, as in scikit-learn, or each tree gives one vote to its
        most probable class (Breiman 2001). Equal votes go to the first class.
    vote_smoothing : float
        Pseudo-votes m, spread evenly over the K classes: probabilities are (t_c + m / K) / (t + m) with t
        trees and t_c the sum of their probabilities of the class. They move away from 0 and 1, while the
        predicted class stays the same; out-of-bag probabilities are not smoothed.
    class_weight : dict, list of dict, "balanced" or "balanced_subsample", optional
        Weights of the classes inside the trees; ``"balanced"`` gives all the same total weight in the
        table, ``"balanced_subsample"`` in the rows that each tree has drawn. Of several targets, a
        list with one dict for each: rows weigh the product.
    """

    vote: Literal["soft", "hard"] = "soft"
    vote_smoothing: NotNegative = 0.0
    class_weight: ClassWeightByTarget | Literal["balanced_subsample"] = None


@parameter_group
class ClassSearch(Monotonicity, SplitLimits, Subspace, ClassCriteria):
    """Split search in forests for classes."""

    max_features: MaxFeatures = "sqrt"


@parameter_group
class NumberSearch(Monotonicity, SplitLimits, Subspace, NumberCriteria):
    """Split search in forests for numbers."""

    max_features: MaxFeatures = 1.0
