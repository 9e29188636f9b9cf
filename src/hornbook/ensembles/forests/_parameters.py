"""The parameters of forests in groups, each explained once.

A forest names the groups it takes; one that wants another default declares just that parameter anew.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from hornbook.base import ClassWeight
from hornbook.ensembles.forests._bootstrap import MaxSamples
from hornbook.params import Jobs, MaxDepth, NEstimators, Range, Seed, Verbose, declared
from hornbook.trees import (
    Categorical,
    ClassCriterion,
    MaxBins,
    MaxFeatures,
    MaxLeaves,
    MinLeaf,
    MinShare,
    MinSplit,
    Missing,
    NotNegative,
    NumberCriterion,
    Purity,
    SubsetSize,
)

__all__ = ["ClassSearch", "DrawnRows", "DrawnSplits", "NumberSearch", "TreeSizes", "Votes"]


@declared
class TreeSizes:
    """How many trees there are, and when their nodes are leaves.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    missing : {"direction", "fractional"}
        Rows without a value go to one child, which is that where they do most good if splits are searched
        for, or to all children in parts.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int or float
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float
        Fewest rows of a child; a float is a share of all rows.
    min_weight_fraction_leaf : float
        Smallest share of all weight in a child.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    ccp_alpha : float
        Price of a leaf: each tree is cut back to the smallest subtree with the least impurity plus price.
    """

    n_estimators: NEstimators = field(default=100, kw_only=False)
    missing: Missing = "direction"
    max_depth: MaxDepth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: MinShare = 0.0
    leaf_size: NotNegative | None = None
    ccp_alpha: NotNegative = 0.0


@declared
class Votes:
    """What is about classes.

    Parameters
    ----------
    vote : {"soft", "hard"}
        The trees' class shares are averaged, as in scikit-learn, or each tree gives one vote to its largest
        share (Breiman 2001). Equal votes go to the first class.
    vote_smoothing : float
        Trees that vote besides those grown, spread evenly over the K classes: (t_c + m / K) / (t + m) with m
        this number, t the trees and t_c the sum of their shares of the class. Probabilities of 0 and 1
        become milder, the class stays the same; out-of-bag shares are left as they are.
    purity : float, optional
        A node whose largest class has at least this share is a leaf (pi of the notes).
    class_weight : dict, "balanced" or "balanced_subsample", optional
        Weights of the classes inside the trees; ``"balanced"`` makes all weigh the same in the table,
        ``"balanced_subsample"`` in the rows that each tree has drawn.
    """

    vote: Literal["soft", "hard"] = "soft"
    vote_smoothing: NotNegative = 0.0
    purity: Purity = None
    class_weight: ClassWeight | Literal["balanced_subsample"] = None


@declared
class Search:
    """How the split of a node is searched for.

    Parameters
    ----------
    max_features : int, float, {"sqrt", "log2", "third"} or None
        Columns that compete: a number, a share of them, their root, logarithm or third rounded down (at
        least 1), or all of them (None).
    subspace : {"node", "tree"}
        Whether the columns are drawn for each node, or once for each tree (Ho 1995). In a node, more are
        looked at while none can be split.
    max_leaf_nodes : int, optional
        Most leaves of a tree; the split that takes away most impurity comes next.
    min_impurity_decrease : float
        Smallest gain of a split times the node's share of all weight.
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0.
    """

    max_features: MaxFeatures = 1.0
    subspace: Literal["node", "tree"] = "node"
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NotNegative = 0.0
    min_gain: NotNegative | None = None


@declared
class ClassSearch(Search):
    """Splits that make classes purer.

    Parameters
    ----------
    criterion : str
        Score of a split, as in `DecisionTreeClassifier`.
    beta : float
        Exponent of the criterion ``"daroczy"``.
    """

    criterion: ClassCriterion = "gini"
    beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0
    max_features: MaxFeatures = "sqrt"


@declared
class NumberSearch(Search):
    """Splits that make numbers more alike.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}
        What a split makes small, as in `DecisionTreeRegressor`.
    """

    criterion: NumberCriterion = "squared_error"


@declared
class DrawnSplits:
    """Which of all splits is taken.

    Parameters
    ----------
    split : {"best", "top_k", "proportional"}
        Which of the candidate splits is taken: the best, any of the ``top_k`` best (Dietterich 2000), or
        one drawn in proportion to its gain. Each threshold is a candidate. As a draw compares no columns,
        ``"proportional"`` takes ``criterion="gain_ratio"`` as ``"raw_gain_ratio"``.
    top_k : int
        How many splits compete under ``split="top_k"``.
    max_random_splits : int, optional
        Most drawn splits in a tree, counted from the root; the others are the best. One tree after the
        other has at most 0, 1, ... of them, and again from 0; any number when left out.
    splits : {"binary", "multiway"}
        Categories are split into two sets, or into one child for each level.
    subset_size : int, optional
        Most levels in the set that is split off; any number when left out.
    """

    split: Literal["best", "top_k", "proportional"] = "best"
    top_k: Annotated[int, Range(low=1)] = 20
    max_random_splits: Annotated[int, Range(low=0)] | None = None
    splits: Literal["binary", "multiway"] = "binary"
    subset_size: SubsetSize = None


@declared
class DrawnRows:
    """The rows of each tree, what the others are used for, and how the work is done.

    Parameters
    ----------
    bootstrap : bool
        Whether each tree gets its own rows, drawn with replacement, or all rows. Weights say how likely a
        row is to be drawn, and only their ratios count: a weight of 2 is not the same as a row that is there
        twice. Without draws, weights count inside the trees, and a whole weight k is the same as k rows.
    max_samples : int or float, optional
        Rows drawn for a tree; a float is a share of those that have a weight; as many as these when left out.
    oob_score : bool
        Whether to ask each tree about the rows it has not seen: an honest score without other data.
    stop_when_stable : int, optional
        Stop growing when the out-of-bag error has varied by at most ``stable_tol`` over this many trees.
    stable_tol : float
        What counts as stable: a share of wrong answers, or of the variance of the numbers.
    max_bins : int, optional
        Cut numbers only between so many bins of about equal weight, which are finer at both ends; between all
        distinct values when left out.
    categorical_features : sequence, optional
        Names, positions or marks of numeric columns that hold categories.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    warm_start : bool
        Whether a further fit to the same table keeps the trees there are and grows only those that
        ``n_estimators`` asks for beyond them: the forest is the same as if all had grown at once.
    verbose : bool or int
        Whether to print a line for each batch of trees.
    """

    bootstrap: bool = True
    max_samples: MaxSamples = None
    oob_score: bool = False
    stop_when_stable: Annotated[int, Range(low=1)] | None = None
    stable_tol: NotNegative = 0.005
    max_bins: MaxBins = None
    categorical_features: Categorical = None
    random_state: Seed = None
    n_jobs: Jobs = None
    warm_start: bool = False
    verbose: Verbose = 0
