"""Estimators of scikit-learn as learners: they get the encoded matrix and the classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from hornbook.base._classifier import Classifier
from hornbook.base._learner import Learner
from hornbook.base._regressor import Regressor
from hornbook.base.intake._target import coded
from hornbook.params import Floats

__all__ = ["adopted"]


def adopted(estimator: Any) -> Learner:
    """Return an estimator of scikit-learn as one of our learners; ours are returned as they are.

    It takes tables as ours do, and its estimator gets the encoded matrix.

    Parameters
    ----------
    estimator : Learner, or classifier or regressor of scikit-learn
        The estimator; it is cloned, never changed.

    Returns
    -------
    Learner
        A learner around it.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> model = adopted(KNeighborsClassifier(n_neighbors=1)).fit({"color": ["red", "green"]}, ["a", "b"])
    >>> model.predict({"color": ["green"]}).tolist()
    ['b']
    """
    if isinstance(estimator, Learner):
        return estimator
    if not isinstance(estimator, type) and hasattr(estimator, "get_params"):
        if is_classifier(estimator):
            return AdoptedClassifier(estimator=estimator)
        if is_regressor(estimator):
            return AdoptedRegressor(estimator=estimator)
    raise TypeError(
        "parameter 'estimator' must be a classifier or regressor of Hornbook or scikit-learn, such as "
        f"hornbook.NaiveBayes(); got {estimator!r}."
    )


def _can(method: str) -> Callable[[Any], bool]:
    return lambda learner: hasattr(learner.estimator, method)


class _Adopted:
    """What adopted classifiers and regressors have in common."""

    model_class: ClassVar[str] = "that of the estimator"
    objective: ClassVar[str] = "that of the estimator"
    optimizer: ClassVar[str] = "that of the estimator"

    estimator_: Any

    def __init__(self, *, estimator: Any) -> None:
        self.estimator = estimator

    def _fit(self, X: Floats, y: NDArray[Any], w: Floats | None) -> None:
        estimator = clone(self.estimator)
        if w is None or (w == w[0]).all():
            self.estimator_ = estimator.fit(X, y)
        elif has_fit_parameter(estimator, "sample_weight"):
            self.estimator_ = estimator.fit(X, y, sample_weight=w)
        else:
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, but the rows have weights that differ: "
                "choose a learner that takes them, or leave out the weights."
            )

    def _predict(self, X: Floats) -> NDArray[Any]:
        return np.asarray(self.estimator_.predict(X))


class AdoptedClassifier(_Adopted, Classifier):
    """A classifier of scikit-learn; it gets the classes themselves, which its parameters may name."""

    def _fit(self, X: Floats, y: NDArray[Any], w: Floats | None) -> None:
        super()._fit(X, self.classes_[y], w)

    def _predict(self, X: Floats) -> NDArray[Any]:
        return coded(super()._predict(X), self.classes_)

    @available_if(_can("predict_proba"))
    def _proba(self, X: Floats) -> Floats:
        return np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)

    @available_if(_can("decision_function"))
    def _decision(self, X: Floats) -> Floats:
        return np.asarray(self.estimator_.decision_function(X), dtype=np.float64)


class AdoptedRegressor(_Adopted, Regressor):
    """A regressor of scikit-learn."""
