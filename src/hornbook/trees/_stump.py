"""A tree with one question."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook.base import Accepts, Classifier, ClassWeight, Floats
from hornbook.frame import Frame
from hornbook.params import Jobs, Range, Seed
from hornbook.trees._fit_tree import class_shares, fit_classes
from hornbook.trees._settings import (
    Categorical,
    ClassCriterion,
    MaxBins,
    MaxFeatures,
    Missing,
    NotNegative,
    SubsetSize,
)
from hornbook.trees._tree_methods import TreeMethods

__all__ = ["DecisionStump"]


class DecisionStump(TreeMethods, Classifier):
    """Decision stump: a tree that asks one question.

    Hardly better than guessing on its own, it is what boosting adds up. It is a `DecisionTreeClassifier` of
    depth 1; with ``max_features=1`` and ``thresholds="random"`` the question is drawn.

    Parameters
    ----------
    criterion : str, default "gini"
        Score of a split, as in `DecisionTreeClassifier`.
    beta : float, default 2.0
        Exponent of ``"daroczy"``.
    splits : {"binary", "multiway"}, default "binary"
        How categories are split: into two sets, or into one child for each level. Numbers are always cut in
        two.
    subset_size : int, optional
        Most levels in the set that is split off; any number when left out.
    missing : {"direction", "fractional"}, default "direction"
        Rows without a value go to the child where they do most good, or to all children in parts.
    thresholds : {"best", "random"}, default "best"
        Which threshold of a column competes: the best one, or one drawn evenly between its smallest and its
        largest value (for categories, a random set of levels).
    max_features : int, float, {"sqrt", "log2", "third"}, optional
        Columns that compete, drawn; all when left out.
    class_weight : dict or "balanced", optional
        Weights of the classes; ``"balanced"`` makes all weigh the same.
    leaf_smoothing : float, default 0.0
        Rows that a leaf counts besides its own, spread evenly over the K classes: (n_c + m / K) / (n + m)
        with m this number; m = K is Laplace's correction. Probabilities of 0 and 1 become milder, the class
        stays the same.
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
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import DecisionStump, datasets
    >>> print(DecisionStump().fit(datasets.watermelon("3.0a")).rules())
    if sugar <= 0.2045 then False  (8 rows)
    if sugar > 0.2045 then True  (9 rows)
    """

    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts()
    adjustable: ClassVar[frozenset[str]] = frozenset({"leaf_smoothing"})
    max_depth: ClassVar[int] = 1
    model_class = "trees with one question"
    objective = "purity of the leaves"
    optimizer = "search through all questions"

    def __init__(
        self,
        *,
        criterion: ClassCriterion = "gini",
        beta: Annotated[float, Range(low=0.0, open_low=True)] = 2.0,
        splits: Literal["binary", "multiway"] = "binary",
        subset_size: SubsetSize = None,
        missing: Missing = "direction",
        thresholds: Literal["best", "random"] = "best",
        max_features: MaxFeatures = None,
        class_weight: ClassWeight = None,
        leaf_smoothing: NotNegative = 0.0,
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
        self.thresholds = thresholds
        self.max_features = max_features
        self.class_weight = class_weight
        self.leaf_smoothing = leaf_smoothing
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

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        assert tags.classifier_tags is not None  # classifiers have them
        tags.classifier_tags.poor_score = True  # one question is not meant to get everything right
        return tags
