"""Random forests for numbers."""

from __future__ import annotations

from typing import Annotated, Literal

from hornbook.ensembles._bootstrap import MaxSamples
from hornbook.ensembles._forest_for_numbers import ForestForNumbers
from hornbook.params import Jobs, MaxDepth, NEstimators, Range, Seed, Verbose
from hornbook.trees import (
    Categorical,
    MaxBins,
    MaxFeatures,
    MaxLeaves,
    MinLeaf,
    MinShare,
    MinSplit,
    Missing,
    NotNegative,
    NumberCriterion,
    SubsetSize,
)

__all__ = ["RandomForestRegressor"]


class RandomForestRegressor(ForestForNumbers):
    """Random forest for numbers: the mean of many trees, each on its own rows and choice of columns.

    Trees that differ make different mistakes, and their mean varies less than each of them. Unlike in
    scikit-learn, categories and missing values go in as they are, and the forest does not depend on the
    number of threads.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees.
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        What a split makes small, as in `DecisionTreeRegressor`.
    max_features : int, float, {"sqrt", "log2", "third"} or None, default 1.0
        Columns that compete: a number, a share of them, their root, logarithm or third rounded down (at
        least 1), or all of them (None).
    subspace : {"node", "tree"}, default "node"
        Whether the columns are drawn for each node, or once for each tree (Ho 1995). In a node, more are
        looked at while none can be split.
    split : {"best", "top_k", "proportional"}, default "best"
        Which of the candidate splits is taken: the best, any of the ``top_k`` best (Dietterich 2000), or
        one drawn in proportion to its gain. Each threshold is a candidate.
    top_k : int, default 20
        How many splits compete under ``split="top_k"``.
    max_random_splits : int, optional
        Most drawn splits in a tree, counted from the root; the others are the best. Equal parts of the
        trees have at most 0, 1, ... of them; any number when left out.
    splits : {"binary", "multiway"}, default "binary"
        Categories are split into two sets, or into one child for each level.
    subset_size : int, optional
        Most levels in the set that is split off; any number when left out.
    missing : {"direction", "fractional"}, default "direction"
        Rows without a value go to the child where they do most good, or to all children in parts.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int or float, default 2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default 1
        Fewest rows of a child; a float is a share of all rows.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    max_leaf_nodes : int, optional
        Most leaves of a tree; the split that takes away most impurity comes next.
    min_impurity_decrease : float, default 0.0
        Smallest gain of a split times the node's share of all weight.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0.
    bootstrap : bool, default True
        Whether each tree gets its own rows, drawn with replacement, or all rows. A row of whole weight k is
        drawn like k rows; other weights say how likely a row is.
    max_samples : int or float, optional
        Rows drawn for a tree; a float is a share of them; as many as there are when left out.
    oob_score : bool, default False
        Whether to ask each tree about the rows it has not seen: an honest score without other data.
    stop_when_stable : int, optional
        Stop growing when the out-of-bag squared error has varied by at most ``stable_tol`` times the
        variance of the target over this many trees.
    stable_tol : float, default 0.005
        What counts as stable.
    max_bins : int, optional
        Cut numbers only between so many bins of equal weight; between all distinct values when left out.
    categorical_features : sequence, optional
        Names, positions or marks of numeric columns that hold categories.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : bool or int, default 0
        Whether to print a line for each batch of trees.

    Attributes
    ----------
    forest_ : FittedForest
        The nodes of all trees as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the fall of impurity, the mean over the trees.
    seed_ : int
        Seed of the draws.
    oob_score_ : float
        Coefficient of determination on the rows that some tree has not seen, by those trees. What begins with
        ``oob_`` is there with ``oob_score`` or ``stop_when_stable``.
    oob_prediction_ : ndarray of shape (n_rows,)
        Predictions without the trees that have seen the row; NaN for rows that all trees have seen.
    oob_errors_, oob_tree_errors_ : ndarray of shape (n_trees,)
        Mean squared error out of bag: of the first 1, 2, ... trees together, and of each tree alone.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import RandomForestRegressor
    >>> model = RandomForestRegressor(50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    model_class = "many trees of questions about one column, with a number in each leaf"
    objective = "squared or absolute error within the leaves, one split at a time"
    optimiser = "greedy search from the root downwards on drawn rows and columns"
    title = "Random forest"

    def __init__(
        self,
        n_estimators: NEstimators = 100,
        *,
        criterion: NumberCriterion = "squared_error",
        max_features: MaxFeatures = 1.0,
        subspace: Literal["node", "tree"] = "node",
        split: Literal["best", "top_k", "proportional"] = "best",
        top_k: Annotated[int, Range(low=1)] = 20,
        max_random_splits: Annotated[int, Range(low=0)] | None = None,
        splits: Literal["binary", "multiway"] = "binary",
        subset_size: SubsetSize = None,
        missing: Missing = "direction",
        max_depth: MaxDepth = None,
        min_samples_split: MinSplit = 2,
        min_samples_leaf: MinLeaf = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        max_leaf_nodes: MaxLeaves = None,
        min_impurity_decrease: NotNegative = 0.0,
        leaf_size: NotNegative | None = None,
        min_gain: NotNegative | None = None,
        bootstrap: bool = True,
        max_samples: MaxSamples = None,
        oob_score: bool = False,
        stop_when_stable: Annotated[int, Range(low=1)] | None = None,
        stable_tol: NotNegative = 0.005,
        max_bins: MaxBins = None,
        categorical_features: Categorical = None,
        random_state: Seed = None,
        n_jobs: Jobs = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_features = max_features
        self.subspace = subspace
        self.split = split
        self.top_k = top_k
        self.max_random_splits = max_random_splits
        self.splits = splits
        self.subset_size = subset_size
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.leaf_size = leaf_size
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.stop_when_stable = stop_when_stable
        self.stable_tol = stable_tol
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
