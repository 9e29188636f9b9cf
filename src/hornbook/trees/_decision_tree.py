"""Decision trees for classes and for numbers."""

from __future__ import annotations

from typing import ClassVar, Literal

from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Classifier, Regressor, class_counts
from hornbook.frame import Frame
from hornbook.params import Floats, declared
from hornbook.trees._fit_tree import Pruning
from hornbook.trees._fitted import class_probabilities
from hornbook.trees._parameters import (
    ClassCriteria,
    ClassLeaves,
    ClassWeights,
    NumberCriteria,
    TreeGrowth,
    TreeWork,
)
from hornbook.trees._pruned_methods import PrunedMethods
from hornbook.trees.pruning._parameters import ClassPruning, NumberPruning

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor"]


@declared
class DecisionTreeClassifier(
    TreeWork,
    ClassPruning,
    ClassWeights,
    ClassLeaves,
    TreeGrowth,
    ClassCriteria,
    PrunedMethods,
    Classifier,
):
    """Decision tree for classes: asks about one column after the other until a class stands out.

    Each node takes the split with the largest gain, and a row gets the class frequencies of the leaf it ends
    in (CART, Breiman, Friedman, Olshen and Stone 1984; C4.5, Quinlan 1993). Unlike in scikit-learn,
    categories and missing values go in as they are, equal gains go to the first column instead of a random
    one, and the tree does not depend on the number of threads.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of several targets, a list with one array for each.
    n_classes_ : int
        Their number; of several targets, a list.

    See Also
    --------
    DecisionTreeRegressor : Questions about one column after the other, for numbers.
    RandomForestClassifier : Trees on drawn rows and columns, for classes.

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

    title = "Decision tree classifier"
    counts_absent: ClassVar[bool] = True
    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True, multi_output=True)
    # Both act on a finished tree, so that tuning them needs one fit for all their values.
    adjustable: ClassVar[frozenset[str]] = frozenset({"ccp_alpha", "leaf_smoothing"})
    model_class = "trees of questions about one column, with class frequencies in the leaves"
    objective = "purity of the leaves, one split at a time"
    optimizer = "greedy search from the root downward"

    @property
    def n_classes_(self) -> int | list[int]:
        """Number of classes; of several targets, a list."""
        check_is_fitted(self)
        return class_counts(self)

    def _pruning(self) -> Pruning:
        return Pruning(self.pruning, self.validation_fraction)

    def _node_values(self) -> Floats:
        return class_probabilities(self.nodes_.value, self._smoothing())

    def _smoothing(self) -> Floats:
        # Values of several targets sum to the weight of the node times their number.
        return self.n_outputs_ * self._evenly(self.leaf_smoothing)

    def _proba(self, features: Frame) -> Floats:
        return self.nodes_.probabilities(
            self._coded(features), self._smoothing(), self._threads(len(features))
        )


@declared
class DecisionTreeRegressor(TreeWork, NumberPruning, TreeGrowth, NumberCriteria, PrunedMethods, Regressor):
    """Decision tree for numbers: asks about one column after the other and answers with the mean of a leaf.

    Each node takes the split after which the numbers differ least (CART, Breiman, Friedman, Olshen and Stone
    1984). Unlike in scikit-learn, categories and missing values go in as they are, and equal gains go to the
    first column.

    See Also
    --------
    DecisionTreeClassifier : Questions about one column after the other, for classes.
    RandomForestRegressor : Trees on drawn rows and columns, for numbers.

    Examples
    --------
    >>> from hornbook import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 4.0, 6.0])
    >>> print(model.rules())
    if x0 <= 4.5 then 1  (2 rows)
    if x0 > 4.5 then 5  (2 rows)
    """

    title = "Decision tree regressor"
    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True, multi_output=True)
    model_class = "trees of questions about one column, with a number in each leaf"
    objective = "squared error, absolute error or Poisson deviance within the leaves, one split at a time"
    optimizer = "greedy search from the root downward"

    def _pruning(self) -> Pruning:
        return Pruning(self.pruning, self.validation_fraction)

    def _node_values(self) -> Floats:
        return self.nodes_.value

    def _predict(self, features: Frame) -> Floats:
        n_threads = self._threads(len(features))
        answers = self.nodes_.answers(self._coded(features), self.nodes_.value, n_threads)
        return answers[:, 0] if self.n_outputs_ == 1 else answers
