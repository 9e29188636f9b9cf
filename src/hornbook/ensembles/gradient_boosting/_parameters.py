"""The parameters of gradient boosting in groups, each explained once; those of trees are in `hornbook.trees`.

The two faces name the groups they take, and declare anew what they call or set differently.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Any, Literal, TypeAlias

from hornbook.base import ClassWeight
from hornbook.losses import Loss
from hornbook.params import MaxDepth, MaxIter, NEstimators, Range, Tol, Tune, Verbose, parameter_group
from hornbook.trees import (
    Categorical,
    CostComplexity,
    LeafLimits,
    MaxFeatures,
    NotNegative,
    SplitLimits,
    Subspace,
    TreeWork,
)

__all__ = [
    "BoostedMembers",
    "ClassLoss",
    "ColumnShares",
    "ExactBoosting",
    "HistBoosting",
    "NumberLoss",
    "Penalty",
    "Rounds",
]

Share: TypeAlias = Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)]
ColumnShare: TypeAlias = Annotated[float, Range(0.0, 1.0, open_low=True), Tune(0.4, 1.0)]
LearningRate: TypeAlias = Annotated[float, Range(low=0.0), Tune(0.01, 1.0, log=True)]
NumberLossName: TypeAlias = Literal[
    "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie"
]


@parameter_group
class ClassLoss:
    """What is minimized for classes.

    Parameters
    ----------
    loss : {"log_loss", "exponential"} or Loss
        What is minimized: the log loss of two or more classes, the exponential loss of two, which AdaBoost
        minimizes, or an object of a class derived from `hornbook.losses.Loss` for two classes, 0 and 1.
    class_weight : dict or "balanced", optional
        Weights of the classes; ``"balanced"`` gives all classes the same total weight.
    """

    loss: Literal["log_loss", "exponential"] | Loss = field(default="log_loss", kw_only=False)
    class_weight: ClassWeight = None


@parameter_group
class NumberLoss:
    """What is minimized for numbers.

    Parameters
    ----------
    loss : str or Loss
        What is minimized: ``"squared_error"``, ``"absolute_error"``, ``"huber"``, ``"quantile"``, half
        the deviance of ``"poisson"``, ``"gamma"`` or ``"tweedie"`` amounts, whose logarithm of the mean is
        then the score, or an object of a class derived from `hornbook.losses.Loss`.
    power : float
        For ``"tweedie"``: the variance is proportional to this power of the mean.
    """

    loss: NumberLossName | Loss = field(default="squared_error", kw_only=False)
    power: Annotated[float, Range(1.0, 2.0, open_low=True, open_high=True)] = 1.5


@parameter_group
class Penalty:
    """Regularized gradient-pair trees (Chen and Guestrin 2016).

    Parameters
    ----------
    gamma : float
        What half the total gain of a split must exceed: the cost of a leaf.
    min_hessian : float
        Smallest sum of second derivatives in a child.
    """

    gamma: NotNegative = 0.0
    min_hessian: NotNegative = 1e-3


@parameter_group
class BoostedMembers:
    """What is added in each round, and how much of it.

    Parameters
    ----------
    learning_rate : float
        Factor of everything that is added: smaller ones need more rounds and generalize better.
    step : {"gradient", "newton"}
        What a tree is fitted to: the negative gradient -g by least squares, or Newton's step -g / h. How
        the latter is done depends on ``leaf``.
    leaf : {"newton", "exact"}
        What a leaf adds to the scores of its rows: one Newton step, sum of -g / sum of h, or the constant
        that minimizes their loss. For quantiles and absolute error both are the quantile of the residuals;
        for Huber's loss the step is Friedman's. ``step="newton", leaf="newton"`` grows gradient-pair trees:
        splits by G**2 / (H + lambda), and leaves G / (H + lambda), with G and H the sums of -g and h;
        losses without curvature count h as 1. ``step="newton", leaf="exact"`` fits a tree to -g / h by
        *unweighted* least squares, which those losses do not allow. With ``step="gradient", leaf="newton"``
        and K > 2 classes, steps are shortened by (K - 1) / K, as in Friedman (2001) and scikit-learn.
    estimator : regressor, optional
        What is fitted in each round in place of a tree: any regressor of this library or of scikit-learn.
        Its predictions are added with the factor that minimizes the loss, by line search.
    init : {"zero"} or estimator, optional
        Where the scores start: from the constant that minimizes the loss when left out, from 0, or from the
        predictions of an estimator, which is fitted first.
    subsample : float
        Share of the rows that each round learns from, drawn without replacement (Friedman 2002).
    sampling : {"uniform", "gradient"}
        How they are drawn: all alike, or by the size of their gradients (GOSS, Ke et al. 2017), where two
        thirds are the rows with the largest ones, and one third is drawn from the others and weighted up.
    """

    learning_rate: LearningRate = 0.1
    step: Literal["gradient", "newton"] = "gradient"
    leaf: Literal["newton", "exact"] = "newton"
    estimator: Any = None
    init: Any = None
    subsample: Annotated[float, Range(0.0, 1.0, open_low=True), Tune(0.5, 1.0)] = 1.0
    sampling: Literal["uniform", "gradient"] = "uniform"


@parameter_group
class ColumnShares(Subspace):
    """The columns that a tree may be split on.

    Parameters
    ----------
    colsample_bytree : float
        Share of the columns that each tree draws.
    colsample_bylevel : float
        Share of these that each level of a tree draws, for gradient-pair trees on columns of at most 255 bins
        or levels. A share of ``max_features`` is one of the columns that are left, drawn for each node.
    """

    colsample_bytree: ColumnShare = 1.0
    colsample_bylevel: ColumnShare = 1.0


@parameter_group
class Rounds:
    """When boosting stops.

    Parameters
    ----------
    validation_fraction : float, int, "oob" or None
        Rows by which early stopping judges: a fraction (of each class) or a number of rows that are held
        out, the rows that each round does not draw (``"oob"``, needs ``subsample`` below 1), or the
        training rows (None).
    n_iter_no_change : int, optional
        Rounds without improvement after which boosting stops; all rounds are made when left out.
    tol : float
        By how much the loss must fall to count as better.
    warm_start : bool
        Whether a further fit to the same table keeps the existing rounds and adds only those missing.
    verbose : bool or int
        Whether to print a line for each round.
    """

    validation_fraction: Share | Annotated[int, Range(low=1)] | Literal["oob"] | None = 0.1
    n_iter_no_change: Annotated[int, Range(low=1)] | None = None
    tol: Tol = 1e-4
    warm_start: bool = False
    verbose: Verbose = 0


@parameter_group
class ExactBoosting(
    TreeWork, CostComplexity, Rounds, ColumnShares, SplitLimits, LeafLimits, Penalty, BoostedMembers
):
    """Parameters of gradient boosting with exact thresholds.

    Parameters
    ----------
    n_estimators : int
        Number of rounds; in each, one tree is added, or one for each class if there are more than two.
    reg_lambda : float
        Penalty lambda of gradient-pair trees, which shrinks their leaves.
    max_bins : int, optional
        Most bins of a numeric column, between which thresholds then lie; they lie between all distinct values
        when left out. Bins of more than 200,000 rows are those of a sample.
    """

    n_estimators: NEstimators = 100
    max_depth: MaxDepth = 3
    reg_lambda: NotNegative = 0.0


@parameter_group
class HistBoosting(TreeWork, Rounds, ColumnShares, Penalty, BoostedMembers):
    """Parameters of gradient boosting with binned columns.

    Parameters
    ----------
    max_iter : int
        Most rounds; in each, one tree is added, or one for each class if there are more than two.
    max_leaf_nodes : int or None
        Most leaves of a tree, which then grows best first; as many as there are under the other limits if
        None.
    max_depth : int, optional
        Largest depth of a tree.
    min_samples_leaf : int
        Fewest rows of a leaf.
    l2_regularization : float
        Penalty lambda of gradient-pair trees, which shrinks their leaves.
    reg_alpha : float
        Penalty alpha of gradient-pair trees on columns of at most 255 bins: what is taken off the size of G,
        so that leaves with little pull add nothing.
    max_bins : int
        Most bins of a numeric column, of about equal weight and finer at both ends; thresholds lie between
        bins. Bins of more than 200,000 rows are those of a sample.
    categorical_features : sequence or "from_dtype"
        Names, positions or a boolean mask of numeric columns that hold categories. Other kinds of columns
        say by themselves what they are.
    monotonic_cst : array-like of int or dict, optional
        For each column, or by name: 1 where predictions must not fall as the column rises, -1 where they must
        not rise, 0 for no constraint. For two classes it is the probability of the second; more are refused.
    interaction_cst : {"pairwise", "no_interactions"} or sequence of sequences, optional
        Sets of columns, by name or position, that may be used together on a path of a tree; columns in none
        form one more set. ``"pairwise"`` is all pairs, ``"no_interactions"`` each column alone.
    quantize : bool
        Whether gradients of 65,536 rows and more are rounded to 8 bits at random, which finds splits faster:
        the expectation of every sum stays what it is, and leaves always get their exact values. It has no
        effect on smaller tables, nor where a column has more than 255 bins or levels.
    early_stopping : "auto" or bool
        Whether boosting stops when it does not improve; ``"auto"``: with more than 10,000 rows, or when
        validation rows are passed to ``fit``.
    scoring : str, callable or None
        What must improve: ``"loss"``, a measure by its name such as ``"accuracy"``, a function of the
        learner, rows and target whose larger values are better, or when None, what ``score`` returns. It is
        computed on the rows that are held out, on those of the fit if there are none.
    n_iter_no_change : int
        Rounds without improvement after which boosting stops.
    """

    max_iter: MaxIter = 100
    max_leaf_nodes: Annotated[int, Range(low=2), Tune(8, 128, log=True)] | None = 31
    max_depth: MaxDepth = None
    min_samples_leaf: Annotated[int, Range(low=1), Tune(5, 80, log=True)] = 20
    l2_regularization: NotNegative = 0.0
    reg_alpha: NotNegative = 0.0
    max_features: MaxFeatures = 1.0
    max_bins: Annotated[int, Range(low=2, high=65535)] = 255
    categorical_features: Categorical | Literal["from_dtype"] = "from_dtype"
    step: Literal["gradient", "newton"] = "newton"
    monotonic_cst: Any = None
    interaction_cst: Any = None
    quantize: bool = True
    early_stopping: Literal["auto"] | bool = "auto"
    scoring: str | Callable[..., float] | None = "loss"
    n_iter_no_change: Annotated[int, Range(low=1)] = 10
    tol: Tol = 1e-7
