"""A tree with one question."""

from __future__ import annotations

from typing import ClassVar, Literal

from sklearn.utils import Tags

from hornbook.base import Accepts, Classifier
from hornbook.frame import Frame
from hornbook.params import Floats, declared
from hornbook.trees._fitted import class_probabilities
from hornbook.trees._parameters import (
    CategorySplits,
    ClassCriteria,
    ClassWeights,
    ColumnSampling,
    MissingValues,
    Thresholds,
    TreeWork,
)
from hornbook.trees._tree_methods import TreeMethods

__all__ = ["DecisionStump"]


@declared
class DecisionStump(
    TreeWork,
    ClassWeights,
    ColumnSampling,
    MissingValues,
    CategorySplits,
    ClassCriteria,
    TreeMethods,
    Classifier,
):
    """Decision stump: a tree that asks one question.

    A weak learner, and the usual base learner of boosting (Iba and Langley 1992). It is a
    `DecisionTreeClassifier` of depth 1; with ``max_features=1`` and ``thresholds="random"`` the question is
    random.

    Parameters
    ----------
    thresholds : {"best", "random"}
        Which threshold of a column competes: the best one, or one drawn evenly between its smallest and its
        largest value (for categories, a random set of levels).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.

    See Also
    --------
    DecisionTreeClassifier : Questions about one column after the other, for classes.
    AdaBoostClassifier : Boosting of classifiers by weights of rows.

    Examples
    --------
    >>> from hornbook import DecisionStump, datasets
    >>> print(DecisionStump().fit(datasets.watermelon("3.0a")).rules())
    if sugar <= 0.2045 then False  (8 rows)
    if sugar > 0.2045 then True  (9 rows)
    """

    title = "Decision stump"
    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    adjustable: ClassVar[frozenset[str]] = frozenset({"leaf_smoothing"})
    max_depth: ClassVar[int] = 1
    model_class = "trees with one question"
    objective = "purity of the leaves"
    optimizer = "search through all questions"

    thresholds: Thresholds = "best"

    def _node_values(self) -> Floats:
        return class_probabilities(self.nodes_.value, self._evenly(self.leaf_smoothing))

    def _proba(self, features: Frame) -> Floats:
        smoothing = self._evenly(self.leaf_smoothing)
        return self.nodes_.probabilities(self._coded(features), smoothing, self._threads(len(features)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        assert tags.classifier_tags is not None  # classifiers have them
        tags.classifier_tags.poor_score = True  # a single split cannot fit every problem
        return tags
