"""Decision trees for classes and for numbers."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, ClassWeight, Floats, Regressor
from hornbook.frame import Frame
from hornbook.params import Jobs, MaxDepth, Range, Seed
from hornbook.trees._fit_tree import class_shares, fit_classes, fit_numbers
from hornbook.trees._pruned_methods import PrunedMethods
from hornbook.trees._pruning import ClassPruning, NumberPruning
from hornbook.trees._settings import (
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

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor"]


class DecisionTreeClassifier(PrunedMethods, Classifier):
    """Decision tree for classes: asks about one column after the other until a class stands out.

    Each node takes the question with the largest gain, and a row gets the class shares of the leaf it ends
    in. Unlike in scikit-learn, categories and missing values go in as they are, equal gains go to the first
    column instead of a drawn one, and the tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : str, default "gini"
        Score of a split. ``"gini"``, ``"entropy"`` (also ``"log_loss"`` and ``"gain"``), ``"daroczy"`` and
        ``"misclassification"`` are the fall of that impurity. ``"raw_gain_ratio"`` is the information
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
    beta : float, default 2.0
        Exponent of ``"daroczy"``.
    splits : {"binary", "multiway"}, default "binary"
        How categories are split: into two sets, or into one child for each level. Numbers are always cut in
        two.
    subset_size : int, optional
        Most levels in the set that is split off, at most 4096 sets being tried. When left out, all sets
        compete: with two classes and a criterion that is an impurity the best is found by ordering the
        levels; otherwise up to 4096 sets are tried, and of more levels the cuts of the orders by each
        class's share.
    missing : {"direction", "fractional"}, default "direction"
        Rows without a value go to the child where they do most good, or to all children with parts of their
        weight in proportion to the rows that have one, in training and prediction; what adds up to less
        than one row is then not split.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int or float, default 2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default 1
        Fewest rows of a child; a float is a share of all rows.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    max_features : int, float, {"sqrt", "log2", "third"}, optional
        Columns looked at in each node, drawn anew; all when left out. More are looked at while none can be
        split.
    max_leaf_nodes : int, optional
        Most leaves; the split that takes away most impurity comes next.
    min_impurity_decrease : float, default 0.0
        Smallest gain of a split times the node's share of all weight.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    purity : float, optional
        A node whose largest class has at least this share is a leaf (pi of the notes).
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0 (T of the notes, not weighted by the node's
        share). When left out, a split without gain is taken too, as in scikit-learn.
    class_weight : dict or "balanced", optional
        Weights of the classes; ``"balanced"`` makes all weigh the same.
    leaf_smoothing : float, default 0.0
        Rows that a leaf counts besides its own, spread evenly over the K classes: (n_c + m / K) / (n + m)
        with m this number; m = K is Laplace's correction. Probabilities of 0 and 1 become milder, the class
        stays the same.
    pruning : {"pre", "reduced_error", "pessimistic"}, optional
        How the tree is cut back. ``"pre"`` keeps a split only if it makes fewer errors on held-out rows,
        from the root downwards. ``"reduced_error"`` makes a leaf of every node whose subtree makes no fewer
        errors there, from the leaves upwards. ``"pessimistic"`` holds nothing out: a node of
        weight N with e errors, whose leaves make e' with half an error added for each, becomes a leaf when
        e + 1/2 <= e' + sqrt(e' (N - e') / N). The half is half a step of the count of errors. With
        ``missing="fractional"`` that count moves by parts of rows: their mean s in the node (sum p**2 / sum p
        over the parts p) takes the place of one, and the rule is e + s/2 <= e' + sqrt(s e' (N - e') / N).
    validation_fraction : float, default 0.3
        Share of the rows (of each class) held out for ``"pre"`` and ``"reduced_error"``.
    ccp_alpha : float, default 0.0
        Price of a leaf: the smallest subtree with the least impurity plus price is kept.
    max_bins : int, optional
        Cut numbers only between so many bins of about equal weight, which are finer at both ends; between all
        distinct values when left out.
    categorical_features : sequence, optional
        Names, positions or marks of numeric columns that hold categories.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : FittedTree
        The nodes as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the fall of impurity.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import DecisionTreeClassifier, datasets
    >>> model = DecisionTreeClassifier(criterion="entropy").fit(datasets.watermelon("3.0a"))
    >>> print(model.rules())
    if sugar <= 0.126 then False  (5 rows)
    if sugar > 0.126 and density <= 0.3815 then False  (2 rows)
    if sugar > 0.126 and density > 0.3815 and sugar <= 0.2045 and density <= 0.56 then True  (1 row)
    if sugar > 0.126 and density > 0.3815 and sugar <= 0.2045 and density > 0.56 then False  (2 rows)
    if sugar > 0.126 and density > 0.3815 and sugar > 0.2045 then True  (7 rows)
    """

    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts()
    adjustable: ClassVar[frozenset[str]] = frozenset({"ccp_alpha", "leaf_smoothing"})
    model_class = "trees of questions about one column, with class shares in the leaves"
    objective = "purity of the leaves, one split at a time"
    optimizer = "greedy search from the root downwards"

    def __init__(
        self,
        *,
        criterion: ClassCriterion = "gini",
        beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0,
        splits: Literal["binary", "multiway"] = "binary",
        subset_size: SubsetSize = None,
        missing: Missing = "direction",
        max_depth: MaxDepth = None,
        min_samples_split: MinSplit = 2,
        min_samples_leaf: MinLeaf = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        max_features: MaxFeatures = None,
        max_leaf_nodes: MaxLeaves = None,
        min_impurity_decrease: NotNegative = 0.0,
        leaf_size: NotNegative | None = None,
        purity: Purity = None,
        min_gain: NotNegative | None = None,
        class_weight: ClassWeight = None,
        leaf_smoothing: NotNegative = 0.0,
        pruning: ClassPruning = None,
        validation_fraction: Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)] = 0.3,
        ccp_alpha: NotNegative = 0.0,
        max_bins: MaxBins = None,
        categorical_features: Categorical = None,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.criterion = criterion
        self.beta = beta
        self.splits = splits
        self.subset_size = subset_size
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.leaf_size = leaf_size
        self.purity = purity
        self.min_gain = min_gain
        self.class_weight = class_weight
        self.leaf_smoothing = leaf_smoothing
        self.pruning = pruning
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, features: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        fit_classes(self, features, y, w)

    def _node_values(self) -> Floats:
        return class_shares(self.tree_.value, self._evenly(self.leaf_smoothing))

    def _proba(self, features: Frame) -> Floats:
        return self.tree_.answers(self._coded(features), self._node_values(), self._threads())


class DecisionTreeRegressor(PrunedMethods, Regressor):
    """Decision tree for numbers: asks about one column after the other and answers with the mean of a leaf.

    Each node takes the question after which the numbers differ least. Unlike in scikit-learn, categories
    and missing values go in as they are, and equal gains go to the first column.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default "squared_error"
        What a split makes small: the variance around the mean, or the mean absolute deviation from the
        median, which is then the answer of a leaf.
    splits : {"binary", "multiway"}, default "binary"
        How categories are split: into two sets, or into one child for each level. Numbers are always cut in
        two.
    subset_size : int, optional
        Most levels in the set that is split off, at most 4096 sets being tried. When left out, all sets
        compete: the best is found by ordering the levels by their means (for ``"absolute_error"`` by their
        medians, which is a rule of thumb).
    missing : {"direction", "fractional"}, default "direction"
        Rows without a value go to the child where they do most good, or to all children with parts of their
        weight in proportion to the rows that have one, in training and prediction; what adds up to less
        than one row is then not split.
    max_depth : int, optional
        Most questions before an answer.
    min_samples_split : int or float, default 2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_samples_leaf : int or float, default 1
        Fewest rows of a child; a float is a share of all rows.
    min_weight_fraction_leaf : float, default 0.0
        Smallest share of all weight in a child.
    max_features : int, float, {"sqrt", "log2", "third"}, optional
        Columns looked at in each node, drawn anew; all when left out. More are looked at while none can be
        split.
    max_leaf_nodes : int, optional
        Most leaves; the split that takes away most impurity comes next.
    min_impurity_decrease : float, default 0.0
        Smallest gain of a split times the node's share of all weight.
    leaf_size : float, optional
        A node of at most this weight is a leaf (eta of the notes).
    min_gain : float, optional
        Smallest gain of a split, which must then be above 0 (T of the notes, not weighted by the node's
        share). When left out, a split without gain is taken too, as in scikit-learn.
    pruning : {"pre", "reduced_error"}, optional
        How the tree is cut back. ``"pre"`` keeps a split only if it lowers the error on held-out rows, from
        the root downwards. ``"reduced_error"`` makes a leaf of every node whose subtree has no smaller
        error there, from the leaves upwards.
    validation_fraction : float, default 0.3
        Share of the rows held out for ``"pre"`` and ``"reduced_error"``.
    ccp_alpha : float, default 0.0
        Price of a leaf: the smallest subtree with the least impurity plus price is kept.
    max_bins : int, optional
        Cut numbers only between so many bins of about equal weight, which are finer at both ends; between all
        distinct values when left out.
    categorical_features : sequence, optional
        Names, positions or marks of numeric columns that hold categories.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    tree_ : FittedTree
        The nodes as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the fall of impurity.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 4.0, 6.0])
    >>> print(model.rules())
    if x0 <= 4.5 then 1  (2 rows)
    if x0 > 4.5 then 5  (2 rows)
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts()
    model_class = "trees of questions about one column, with a number in each leaf"
    objective = "squared or absolute error within the leaves, one split at a time"
    optimizer = "greedy search from the root downwards"

    def __init__(
        self,
        *,
        criterion: NumberCriterion = "squared_error",
        splits: Literal["binary", "multiway"] = "binary",
        subset_size: SubsetSize = None,
        missing: Missing = "direction",
        max_depth: MaxDepth = None,
        min_samples_split: MinSplit = 2,
        min_samples_leaf: MinLeaf = 1,
        min_weight_fraction_leaf: MinShare = 0.0,
        max_features: MaxFeatures = None,
        max_leaf_nodes: MaxLeaves = None,
        min_impurity_decrease: NotNegative = 0.0,
        leaf_size: NotNegative | None = None,
        min_gain: NotNegative | None = None,
        pruning: NumberPruning = None,
        validation_fraction: Annotated[float, Range(0.0, 1.0, open_low=True, open_high=True)] = 0.3,
        ccp_alpha: NotNegative = 0.0,
        max_bins: MaxBins = None,
        categorical_features: Categorical = None,
        random_state: Seed = None,
        n_jobs: Jobs = None,
    ) -> None:
        self.criterion = criterion
        self.splits = splits
        self.subset_size = subset_size
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.leaf_size = leaf_size
        self.min_gain = min_gain
        self.pruning = pruning
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit(self, features: Frame, y: Floats, w: Floats | None) -> None:
        fit_numbers(self, features, y, w)

    def _node_values(self) -> Floats:
        return self.tree_.value

    def _predict(self, features: Frame) -> Floats:
        return self.tree_.answers(self._coded(features), self.tree_.value, self._threads())[:, 0]
