"""Base class of forests for numbers."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from hornbook.base import Regressor, Working
from hornbook.ensembles.forests._description import number_terms
from hornbook.ensembles.forests._forest import Forest
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._single_tree import require_one_target
from hornbook.ensembles.forests._uncertainty import spread_of
from hornbook.frame import Frame
from hornbook.params import Floats, Shape
from hornbook.trees import WeightedTrees, contributions, with_contributions

__all__ = ["ForestRegressor"]


class ForestRegressor(Forest, Regressor):
    """Base class of forests for numbers.

    Attributes
    ----------
    oob_score_ : float
        Coefficient of determination on the rows that some tree has not seen, by those trees. Attributes
        that begin with ``oob_`` need ``oob_score`` or ``stop_when_stable``.
    oob_prediction_ : ndarray of shape (n_rows,)
        Predictions without the trees that have seen the row; NaN for rows that all trees have seen.
    oob_errors_, oob_tree_errors_ : ndarray of shape (n_trees,)
        Mean squared error out of bag: of the first 1, 2, ... trees together, and of each tree alone.
    """

    model_class = "many trees of questions about one column, with a number in each leaf"

    oob_prediction_: Annotated[Floats, Shape("n_bag_rows"), Shape("n_bag_rows", "n_targets")]

    def _predict(self, features: Frame) -> Floats:
        means = self._mean(features)
        return means[:, 0] if self.n_outputs_ == 1 else means

    def _compute_partial_dependence_recursion(self, grid: Any, target_features: Any) -> Floats:
        """What `sklearn.inspection.partial_dependence` asks forests for: the mean of the trees."""
        answers = [
            tree._compute_partial_dependence_recursion(grid, target_features)  # noqa: SLF001 - our own
            for tree in self
        ]
        return np.asarray(np.mean(answers, axis=0))

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:  # noqa: ARG002 - any rows
        return self.forest_.weighted(
            1.0 / len(self.forest_), np.zeros(self.n_outputs_), "value", shares=False
        )

    def _working(self, row: Frame) -> Working:
        """What the trees add to the mean."""
        answers = np.concatenate(list(self.forest_.each(self._coded(row), 1)))
        working = number_terms(answers, self._answer(row)[0].tolist())
        return with_contributions(self, row, working)

    def _keep(self, unseen: OutOfBag) -> None:
        super()._keep(unseen)
        self.oob_prediction_ = unseen.means if self.n_outputs_ > 1 else unseen.means[:, 0]

    def uncertainty(self, X: Any) -> Floats:
        """Measure how far the trees disagree about each row: the standard deviation of their predictions.

        The divisor is the number of trees minus 1; a single tree gives 0.
        """
        require_one_target(self, "uncertainty")
        rows = self._coded(self._prepared(X))
        return spread_of(answer[:, 0] for answer in self.forest_.each(rows, self._threads()))
