"""Learners that predict a target, whether classes or numbers."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.utils.metaestimators import available_if

from hornbook.base._learner import Learner, has_hook
from hornbook.params import Floats, Shape

__all__ = ["Predictor"]


class Predictor(Learner):
    """Base of classifiers and regressors, and of learners that are either by what they are set up with.

    It knows how predictions are asked for and scored; what the target is, its kinds say. A learner around
    others that leaves the target to them derives from it directly.
    """

    classes_: Annotated[NDArray[Any], Shape("n_classes")]

    def _spread(self, values: Floats, fill: float) -> Floats:  # noqa: ARG002 - for those with absent classes
        """Columns for all classes from those of the classes that were learned."""
        return values

    def _spread_scores(self, scores: Floats) -> Floats:
        """Scores for all classes from those of the classes that were learned."""
        return scores

    @available_if(has_hook("_proba"))
    def predict_proba(self, X: Any) -> Floats:
        """Give the probability of each class for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_proba, X)
        return self._spread(self._hook("_proba", self._prepared(X)), 0.0)

    @available_if(has_hook("_proba"))
    def predict_log_proba(self, X: Any) -> Floats:
        """Give the natural logarithm of the probability of each class for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        log_probabilities : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_log_proba, X)
        rows = self._prepared(X)
        if hasattr(self, "_log_proba"):
            return self._spread(self._hook("_log_proba", rows), -np.inf)
        with np.errstate(divide="ignore"):
            return self._spread(np.log(self._hook("_proba", rows)), -np.inf)

    @available_if(has_hook("_decision"))
    def decision_function(self, X: Any) -> Floats:
        """Give the score behind the choice of a class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            With two classes, positive means the second. A class without weight has score -inf.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.decision_function, X)
        return self._spread_scores(self._hook("_decision", self._prepared(X)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score the predictions: accuracy for classes, R² where the learner was set up for numbers.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,)
            The truth.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        score : float
            1 is perfect.
        """
        mixin = ClassifierMixin if is_classifier(self) else RegressorMixin
        return float(mixin.score(self, X, y, sample_weight))  # type: ignore[arg-type]  # needs predict only
