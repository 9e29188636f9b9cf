"""The parameters of trees in groups, each explained once.

Trees, stumps, oblique trees and forests name the groups they take; one that wants another default declares
just that parameter anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from numpy.typing import NDArray

from hornbook.base import ClassWeightByTarget
from hornbook.params import Jobs, MaxDepth, Range, Seed, Tune, parameter_group

__all__ = [
    "Categorical",
    "CategorySplits",
    "ClassCriteria",
    "ClassLeaves",
    "ClassWeights",
    "ColumnSampling",
    "LeafLimits",
    "MaxFeatures",
    "MinGain",
    "Missing",
    "MissingValues",
    "Monotonicity",
    "NotNegative",
    "NumberCriteria",
    "RandomSplits",
    "SplitLimits",
    "SplitRule",
    "Splits",
    "Subspace",
    "Thresholds",
    "TreeGrowth",
    "TreeWork",
]

Criterion: TypeAlias = Literal[
    "gini",
    "entropy",
    "log_loss",
    "gain",
    "gain_ratio",
    "raw_gain_ratio",
    "symmetric_gain_ratio",
    "symmetric_gain_ratio_sum",
    "cart",
    "quadratic_gain",
    "daroczy",
    "misclassification",
]
MinSplit: TypeAlias = (
    Annotated[int, Range(low=2), Tune(2, 64, log=True)] | Annotated[float, Range(0.0, 1.0, open_low=True)]
)
MinLeaf: TypeAlias = (
    Annotated[int, Range(low=1), Tune(1, 64, log=True)]
    | Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)]
)
MaxFeatures: TypeAlias = (
    Annotated[int, Range(low=1)]
    | Annotated[float, Range(0.0, 1.0, open_low=True)]
    | Literal["sqrt", "log2", "third"]
    | None
)
MaxLeaves: TypeAlias = Annotated[int, Range(low=2)] | None
MaxBins: TypeAlias = Annotated[int, Range(low=2, high=65535)] | None
NotNegative: TypeAlias = Annotated[float, Range(low=0.0)]
Splits: TypeAlias = Literal["binary", "multiway"]
Missing: TypeAlias = Literal["direction", "fractional"]
Thresholds: TypeAlias = Literal["best", "random"]
SplitRule: TypeAlias = Literal["best", "top_k", "proportional"]
Categorical: TypeAlias = Sequence[Any] | NDArray[Any] | None


@parameter_group
class ClassCriteria:
    """Splits that make classes purer.

    Parameters
    ----------
    criterion : str
        Score of a split. ``"gini"``, ``"entropy"`` (also ``"log_loss"`` and ``"gain"``), ``"daroczy"`` and
        ``"misclassification"`` are the decrease of that impurity. ``"raw_gain_ratio"`` is the information
        gain divided by the entropy of the split, gain / H(A), for every candidate. ``"gain_ratio"`` is that
        of C4.5, release 8: a column offers its split of largest gain; of t thresholds of numbers log2(t) /
        n is taken from the gain, which must remain above 0; and of the columns whose gain is at least the
        average, the one with the largest (gain - log2(t) / n) / H(A) wins. n is the weight of the node's
        rows, brought to a mean of 1 a row unless all weights are whole; categories with 3 levels or more
        for 10 rows stay out of the average; rows that go to all children are a branch of their own in H(A).
        ``"symmetric_gain_ratio"`` divides the information gain by H(A, C), ``"symmetric_gain_ratio_sum"`` by
        H(A) + H(C). ``"quadratic_gain"`` is H(C) + H(A) - H(A, C) with H = 2 - 2 sum p**2, and ``"cart"`` is
        2 P(left) P(right) times the sum of the distances between P(c | left) and P(c | right). See
        `hornbook.impurity`.
    beta : float
        Exponent of ``"daroczy"``.
    """

    criterion: Criterion = "gini"
    # With beta = 2 Daróczy's entropy is twice Gini's impurity, and its limit at 1 is Shannon's.
    beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0


@parameter_group
class NumberCriteria:
    """Splits that make numbers more alike.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson", "friedman_mse"}
        What a split makes small: the variance around the mean, the mean absolute deviation from the median,
        which is then the answer of a leaf, or half the mean Poisson deviance, the mean of y log(y / mean),
        for counts and rates: numbers from 0 upward, with no leaf of zeros alone. ``"friedman_mse"``,
        scikit-learn's name for the distance between the means of two branches, is the same as
        ``"squared_error"`` and warns, as it does there.
    """

    criterion: Literal["squared_error", "absolute_error", "poisson", "friedman_mse"] = "squared_error"


@parameter_group
class CategorySplits:
    """How categories are split.

    Parameters
    ----------
    splits : {"binary", "multiway"}
        How categories are split: into two sets, or into one child for each level. Numbers are always cut in
        two.
    subset_size : int, optional
        Most levels in the set that is split off. When left out, all sets compete. For numbers, and for two
        classes with a criterion that is an impurity, the best is found by ordering the levels (for
        ``"absolute_error"`` by their medians, which is a rule of thumb). Otherwise, and for ``"poisson"``,
        which makes no branch of zeros, sets are tried one by one while sets times classes are at most 4096;
        for more levels, the cuts of one order are: by their means or shares of a class or, with three and
        more, along the first principal component of the shares (Coppersmith, Hong and Hosking 1999).
    """

    splits: Splits = "binary"
    subset_size: Annotated[int, Range(low=1)] | None = None


@parameter_group
class MissingValues:
    """Where rows without a value go.

    Parameters
    ----------
    missing : {"direction", "fractional"}
        Rows without a value go to one child, which is that where they gain most if splits are searched
        for, or to all children with parts of their weight in proportion to the rows that have one, in
        training and prediction; nodes that hold less than one row are then not split.
    """

    missing: Missing = "direction"


@parameter_group
class LeafLimits:
    """When a node becomes a leaf without a search for splits.

    Parameters
    ----------
    max_depth : int, optional
        Largest depth of the tree.
    min_samples_split : int or float
        Fewest rows of a node that is split; a float is a fraction of all rows.
    min_samples_leaf : int or float
        Fewest rows of a child; a float is a fraction of all rows.
    min_weight_fraction_leaf : float
        Smallest fraction of the total weight in a child.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    """

    max_depth: MaxDepth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    # More than half of the weight cannot be on both sides of a split.
    min_weight_fraction_leaf: Annotated[float, Range(0.0, 0.5)] = 0.0
    leaf_size: NotNegative | None = None


@parameter_group
class MinGain:
    """Smallest gain of a split.

    Parameters
    ----------
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0 (T of the notes, not weighted by the node's
        share). When left out, a split without gain is taken too, as in scikit-learn.
    """

    # None accepts splits without gain, as XOR needs in its root; the nodes below may gain.
    min_gain: NotNegative | None = None


@parameter_group
class SplitLimits(MinGain):
    """Which splits are accepted.

    Parameters
    ----------
    max_leaf_nodes : int, optional
        Most leaves of a tree, which then grows best first: the split that removes most impurity comes next.
    min_impurity_decrease : float
        Smallest gain of a split times the node's share of the total weight.
    """

    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NotNegative = 0.0


@parameter_group
class ColumnSampling:
    """The columns that compete.

    Parameters
    ----------
    max_features : int, float, {"sqrt", "log2", "third"} or None
        Columns that compete in a node, drawn anew: a number, a share of them, their root, logarithm or third
        rounded down (at least 1), or all of them (None). Further columns are tried while none can be split.
    """

    max_features: MaxFeatures = None


@parameter_group
class Subspace(ColumnSampling):
    """The columns that compete, in a node or in a whole tree.

    Parameters
    ----------
    subspace : {"node", "tree"}
        Whether the columns are drawn for each node, or once for each tree (Ho 1995).
    """

    subspace: Literal["node", "tree"] = "node"


@parameter_group
class RandomSplits:
    """Which candidate split is taken.

    Parameters
    ----------
    split : {"best", "top_k", "proportional"}
        Which of the candidate splits is taken: the best, any of the ``top_k`` best (Dietterich 2000), or
        one drawn in proportion to its gain. Each threshold is a candidate. As a draw compares no columns,
        ``"proportional"`` takes ``criterion="gain_ratio"`` as ``"raw_gain_ratio"``.
    top_k : int
        Number of splits that compete under ``split="top_k"``.
    max_random_splits : int, optional
        Most drawn splits in a tree, counted from the root; the others are the best. One tree after the
        other has at most 0, 1, ... of them, and again from 0; any number when left out.
    """

    split: SplitRule = "best"
    # Dietterich's number.
    top_k: Annotated[int, Range(low=1)] = 20
    max_random_splits: Annotated[int, Range(low=0)] | None = None


@parameter_group
class DrawnThresholds:
    """Where columns are cut.

    Parameters
    ----------
    splitter : {"best", "random"}
        Whether a column offers its best split, or one that is drawn: a threshold between its smallest and
        largest value in the node, as in `ExtraTreesClassifier`.
    """

    splitter: Thresholds = "best"


@parameter_group
class Monotonicity:
    """Directions in which predictions may change.

    Parameters
    ----------
    monotonic_cst : array-like of int or dict, optional
        For each column, or by name: 1 where predictions must not fall as the column rises, -1 where they must
        not rise, 0 for no constraint. For two classes it is the probability of the second; more classes,
        ``criterion="absolute_error"``, one branch for each level and missing values in parts are refused.
    """

    monotonic_cst: Any = None


@parameter_group
class TreeGrowth(
    Monotonicity, DrawnThresholds, SplitLimits, ColumnSampling, LeafLimits, MissingValues, CategorySplits
):
    """Growth parameters of all decision trees."""


@parameter_group
class ClassLeaves:
    """When a node is pure enough to be a leaf.

    Parameters
    ----------
    purity : float, optional
        A node whose largest class has at least this share is a leaf (pi of the notes).
    """

    purity: Annotated[float, Range(0.0, 1.0, open_low=True)] | None = None


@parameter_group
class ClassWeights:
    """Class weights, and smoothing of the leaf probabilities.

    Parameters
    ----------
    class_weight : dict, list of dict or "balanced", optional
        Weights of the classes; ``"balanced"`` gives all classes the same total weight. Of several targets, a
        list with one dict for each: rows weigh the product.
    leaf_smoothing : float
        Pseudo-count m of each leaf, spread evenly over the K classes: probabilities are
        (n_c + m / K) / (n + m); m = K is the Laplace correction. They move away from 0 and 1, while the
        predicted class stays the same.
    """

    class_weight: ClassWeightByTarget = None
    leaf_smoothing: NotNegative = 0.0


@parameter_group
class TreeWork:
    """Bins, categories, seed and threads.

    Parameters
    ----------
    max_bins : int, optional
        Most bins of a numeric column, of about equal weight and finer at both ends; thresholds lie between
        bins. When left out, they lie between all distinct values. Bins of more than 200,000 rows are those of
        a sample. Numbers and weights are rounded to one part in 2**52 of their sum: no sum then depends on
        the order of the rows, and `fit` also takes Blocks, whose rows need not be in memory.
    categorical_features : sequence, optional
        Names, positions or a boolean mask of numeric columns that hold categories.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    max_bins: MaxBins = None
    categorical_features: Categorical = None
    random_state: Seed = None
    n_jobs: Jobs = None
