"""Extremely randomised trees for classes."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from hornbook.base import ClassWeight
from hornbook.ensembles._bootstrap import MaxSamples
from hornbook.ensembles._forest_for_classes import ForestForClasses
from hornbook.params import Jobs, MaxDepth, NEstimators, Range, Seed, Verbose
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
    Purity,
)

__all__ = ["ExtraTreesClassifier"]


class ExtraTreesClassifier(ForestForClasses):
    """Extremely randomised trees for classes: many trees whose thresholds are drawn, that vote.

    Each column that competes in a node proposes one threshold drawn evenly between its smallest and largest
    value there, or one drawn set of the categories that occur, and the best proposal is taken (Geurts
    2006). Unlike in scikit-learn, categories and missing values go in as they are.

    Parameters
    ----------
    n_estimators : int, default 100
        Number of trees.
    criterion : str, default "gini"
        Score of a split, as in `DecisionTreeClassifier`.
    beta : float, default 2.0
        Exponent of the criterion ``"daroczy"``.
    vote : {"soft", "hard"}, default "soft"
        The trees' class shares are averaged, as in scikit-learn, or each tree gives one vote to its largest
        share (Breiman 2001). Equal votes go to the first class.
    max_features : int, float, {"sqrt", "log2", "third"} or None, default "sqrt"
        Columns that compete: a number, a share of them, their root, logarithm or third rounded down (at
        least 1), or all of them (None).
    subspace : {"node", "tree"}, default "node"
        Whether the columns are drawn for each node, or once for each tree (Ho 1995). In a node, more are
        looked at while none can be split.
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
    max_leaf_nodes : int, optional
        Most leaves of a tree; the split that takes away most impurity comes next.
    min_impurity_decrease : float, default 0.0
        Smallest gain of a split times the node's share of all weight.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    purity : float, optional
        A node whose largest class has at least this share is a leaf (pi of the notes).
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0.
    bootstrap : bool, default False
        Whether each tree gets its own rows, drawn with replacement, or all rows. A row of whole weight k is
        drawn like k rows; other weights say how likely a row is.
    max_samples : int or float, optional
        Rows drawn for a tree; a float is a share of them; as many as there are when left out.
    oob_score : bool, default False
        Whether to ask each tree about the rows it has not seen: an honest accuracy without other data.
    stop_when_stable : int, optional
        Stop growing when the out-of-bag error has varied by at most ``stable_tol`` over this many trees.
    stable_tol : float, default 0.005
        What counts as stable.
    class_weight : dict or "balanced", optional
        Weights of the classes inside the trees; ``"balanced"`` makes all weigh the same in the table.
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
    classes_ : ndarray of shape (n_classes,)
        The classes.
    forest_ : FittedForest
        The nodes of all trees as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the fall of impurity, the mean over the trees.
    seed_ : int
        Seed of the draws.
    oob_score_ : float
        Accuracy on the rows that some tree has not seen, by those trees. What begins with
        ``oob_`` is there with ``oob_score`` or ``stop_when_stable``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Class shares without the trees that have seen the row; NaN for rows that all trees have seen.
    oob_errors_, oob_tree_errors_ : ndarray of shape (n_trees,)
        Share of wrong answers out of bag: of the first 1, 2, ... trees together, and of each tree alone.
    oob_strength_, oob_correlation_ : float
        Mean margin out of bag with one vote for each tree, and mean correlation of the trees' margins.
    error_bound_ : float
        Breiman's bound of the error, ``oob_correlation_ * (1 - s**2) / s**2`` with s = ``oob_strength_``;
        infinite when s is not above 0.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import ExtraTreesClassifier, datasets
    >>> model = ExtraTreesClassifier(50, random_state=0).fit(datasets.iris())
    >>> model.predict(datasets.iris()[[0, 149]]).tolist()
    ['setosa', 'virginica']
    """

    model_class = "many trees of questions about one column, with class shares in the leaves"
    objective = "purity of the leaves, one drawn split at a time"
    optimiser = "the best of a few drawn splits, from the root downwards"
    title = "Extra trees"
    random_thresholds: ClassVar[bool] = True
    splits = "binary"
    subset_size = None

    def __init__(
        self,
        n_estimators: NEstimators = 100,
        *,
        criterion: ClassCriterion = "gini",
        beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0,
        vote: Literal["soft", "hard"] = "soft",
        max_features: MaxFeatures = "sqrt",
        subspace: Literal["node", "tree"] = "node",
        missing: Missing = "direction",
        max_depth: MaxDepth = None,
        min_samples_split: MinSplit = 2,
        min_samples_leaf: MinLeaf = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        max_leaf_nodes: MaxLeaves = None,
        min_impurity_decrease: NotNegative = 0.0,
        leaf_size: NotNegative | None = None,
        purity: Purity = None,
        min_gain: NotNegative | None = None,
        bootstrap: bool = False,
        max_samples: MaxSamples = None,
        oob_score: bool = False,
        stop_when_stable: Annotated[int, Range(low=1)] | None = None,
        stable_tol: NotNegative = 0.005,
        class_weight: ClassWeight = None,
        max_bins: MaxBins = None,
        categorical_features: Categorical = None,
        random_state: Seed = None,
        n_jobs: Jobs = None,
        verbose: Verbose = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.beta = beta
        self.vote = vote
        self.max_features = max_features
        self.subspace = subspace
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.leaf_size = leaf_size
        self.purity = purity
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.stop_when_stable = stop_when_stable
        self.stable_tol = stable_tol
        self.class_weight = class_weight
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
