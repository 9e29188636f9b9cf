"""A recipe as an estimator, for functions that take estimators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook._scikit import BaseEstimator, available_if
from hornbook.studies.run._recipe import Recipe
from hornbook.studies.run._shared_table import Shared

__all__ = ["RowLearner"]


def _has(name: str) -> Callable[[Any], bool]:
    return lambda learner: hasattr(learner.recipe.learner, name)


class RowLearner(BaseEstimator):
    """Takes rows by their positions in the table of a study, which has their features, target and groups.

    Choosing settings takes the groups of rows, which the ``fit`` of an estimator does not get.

    Parameters
    ----------
    recipe : Recipe
        What is fitted, and how.
    shared : Shared
        The table.
    """

    def __init__(self, recipe: Recipe, shared: Shared) -> None:
        self.recipe = recipe
        self.shared = shared

    def __sklearn_clone__(self) -> RowLearner:
        return RowLearner(self.recipe, self.shared)  # the table is not copied

    def __sklearn_tags__(self) -> Tags:
        return self.recipe.learner.__sklearn_tags__()

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes of the fitted learner."""
        classes: NDArray[Any] = self.model_.classes_
        return classes

    def fit(self, X: NDArray[np.intp], y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 - the table has both
        """Fit to the rows at these positions."""
        self.model_ = self.recipe.fit(self.shared, X[:, 0]).model
        return self

    def predict(self, X: NDArray[np.intp]) -> NDArray[Any]:
        """Predict the rows at these positions."""
        return np.asarray(self.model_.predict(self.shared.features[X[:, 0]]))

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: NDArray[np.intp]) -> NDArray[np.float64]:
        """Predict the rows at these positions."""
        return np.asarray(self.model_.predict_proba(self.shared.features[X[:, 0]]))

    @available_if(_has("decision_function"))
    def decision_function(self, X: NDArray[np.intp]) -> NDArray[np.float64]:
        """Predict the rows at these positions."""
        return np.asarray(self.model_.decision_function(self.shared.features[X[:, 0]]))
