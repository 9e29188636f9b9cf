"""Totally randomised trees for numbers."""

from __future__ import annotations

from typing import Annotated, ClassVar

from hornbook.ensembles._bootstrap import MaxSamples
from hornbook.ensembles._forest_for_numbers import ForestForNumbers
from hornbook.params import Jobs, MaxDepth, NEstimators, Range, Seed, Verbose
from hornbook.trees import (
    Categorical,
    MaxBins,
    MinLeaf,
    MinShare,
    MinSplit,
    Missing,
    NotNegative,
)

__all__ = ["TotallyRandomTreesRegressor"]


class TotallyRandomTreesRegressor(ForestForNumbers):
    """Totally randomised trees for numbers: splits are drawn blindly, and only the leaves know the numbers.

    Each node takes a drawn column and a drawn threshold without a look at the target, which decides only
    what the leaves answer and when to stop: extremely randomised trees with one column. scikit-learn has
    them as ``ExtraTrees`` with ``max_features=1``.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees.
    missing : {"direction", "fractional"}, default "direction"
        Rows without a value go to one child, or to all children in parts.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int or float, default 2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default 1
        Fewest rows of a child; a float is a share of all rows.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    bootstrap : bool, default False
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
    >>> from hornbook import TotallyRandomTreesRegressor
    >>> model = TotallyRandomTreesRegressor(50, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 5.0])
    >>> model.predict([[1.5], [7.5]]).round().tolist()
    [1.0, 5.0]
    """

    model_class = "many trees of questions about one column, with a number in each leaf"
    objective = "none for the splits; means of the rows in the leaves"
    optimiser = "drawn splits, from the root downwards"
    title = "Totally random trees"
    random_thresholds: ClassVar[bool] = True
    splits = "binary"
    subset_size = None
    max_features = 1
    max_leaf_nodes = None
    min_impurity_decrease = 0.0
    min_gain = None
    criterion = "squared_error"

    def __init__(
        self,
        n_estimators: NEstimators = 100,
        *,
        missing: Missing = "direction",
        max_depth: MaxDepth = None,
        min_samples_split: MinSplit = 2,
        min_samples_leaf: MinLeaf = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        leaf_size: NotNegative | None = None,
        bootstrap: bool = False,
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
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.leaf_size = leaf_size
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
