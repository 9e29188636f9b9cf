"""What forests that predict numbers have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Floats, Regressor
from hornbook.ensembles._forest_questions import ForestQuestions
from hornbook.ensembles._out_of_bag import OutOfBag
from hornbook.ensembles._uncertainty import spread_of
from hornbook.frame import Frame

__all__ = ["ForestForNumbers"]


class ForestForNumbers(ForestQuestions, Regressor):
    """Base of forests for numbers."""

    def _fit(self, features: Frame, y: Floats, w: Floats | None) -> None:
        self._grow(features, y, w, None)

    def _predict(self, features: Frame) -> Floats:
        return self._mean(features)[:, 0]

    def _keep(self, unseen: OutOfBag) -> None:
        super()._keep(unseen)
        self.oob_prediction_ = unseen.means[:, 0]

    def uncertainty(self, X: Any) -> Floats:
        """Say how far the trees disagree about each row: the standard deviation of their answers.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        uncertainty : ndarray of shape (n_rows,)
            Standard deviation with divisor number of trees - 1; 0 for a single tree.
        """
        rows = self._coded(self._prepared(X))
        return spread_of(answer[:, 0] for answer in self.forest_.each(rows, self._threads()))

    def tree_answers(self, X: Any) -> Floats:
        """Give the answer of each tree; their mean is the prediction.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        answers : ndarray of shape (n_trees, n_rows)
            A row for each tree.
        """
        rows = self._coded(self._prepared(X))
        return np.array([answer[:, 0] for answer in self.forest_.each(rows, self._threads())])
