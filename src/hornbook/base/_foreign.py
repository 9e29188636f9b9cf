"""Estimators of scikit-learn as learners: they get the encoded matrix and the classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from hornbook._scikit import available_if
from hornbook.base._learner import Learner
from hornbook.base._predictor import Predictor
from hornbook.base.intake._target import coded
from hornbook.params import Floats

__all__ = ["Foreign", "adopted"]


def adopted(estimator: Any, task: str | None = None, container: Any = None) -> Learner:
    """Return an estimator of scikit-learn as one of our learners; ours are returned as they are.

    It takes tables as ours do, and its estimator gets the encoded matrix.

    Parameters
    ----------
    estimator : Learner, or classifier or regressor of scikit-learn
        The estimator; it is cloned, never changed.
    task : {"classification", "regression"}, optional
        What it is for, where its tags do not say so.
    container : type, optional
        The type of the sparse matrix that the rows came in: an estimator that takes sparse matrices gets one.

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
    if isinstance(estimator, Learner) and not _has_own_fit(estimator):
        return estimator
    ready = not isinstance(estimator, type) and hasattr(estimator, "get_params")
    if container is not None and ready and not get_tags(estimator).input_tags.sparse:
        container = None
    if ready and (is_classifier(estimator) or is_regressor(estimator)):
        return Foreign(estimator=estimator, container=container)
    if (
        ready
        and task is not None
        and get_tags(estimator).estimator_type is None
        and hasattr(estimator, "predict")
    ):
        return Foreign(estimator=estimator, task=task, container=container)
    raise TypeError(
        "parameter 'estimator' must be a classifier or regressor of Hornbook or scikit-learn, such as "
        f"hornbook.NaiveBayes(); got {estimator!r}."
    )


def _has_own_fit(estimator: Learner) -> bool:
    """Whether a learner is of a user's class that overrides ``fit``, which hooks alone would never call."""
    return not type(estimator).fit.__module__.startswith("hornbook.")


def _has(method: str) -> Callable[[Any], bool]:
    return lambda learner: hasattr(learner.estimator, method)


class Foreign(Predictor):
    """An estimator of scikit-learn; it gets the classes themselves, which its parameters may name."""

    model_class = "that of the estimator"
    objective = "that of the estimator"
    optimizer = "that of the estimator"

    estimator_: Any

    def __init__(self, *, estimator: Any, task: str | None = None, container: Any = None) -> None:
        self.estimator = estimator
        self.task = task
        self.container = container

    def __getattr__(self, name: str) -> Any:
        """Attributes of the fitted estimator, as if it were not wrapped."""
        if name.startswith("_") or "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(vars(self)["estimator_"], name)

    def _predicts_classes(self) -> bool:
        return is_classifier(self.estimator) if self.task is None else self.task == "classification"

    def _fit(self, X: Floats, y: NDArray[Any], w: Floats | None) -> None:
        estimator, target = clone(self.estimator), self.classes_[y] if self._predicts_classes() else y
        X = X if self.container is None else self.container(X)
        # Equal weights count as none, because some estimators take no weights.
        if w is None or (w == w[0]).all():
            estimator.fit(X, target)
        elif has_fit_parameter(estimator, "sample_weight"):
            estimator.fit(X, target, sample_weight=w)
        else:
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, but the rows have weights that differ: "
                "choose a learner that takes them, or leave out the weights."
            )
        self.estimator_ = estimator

    def _predict(self, X: Floats) -> NDArray[Any]:
        answers = np.asarray(self.estimator_.predict(X))
        # Hooks speak in codes, the estimator in labels: the base class translates back.
        return coded(answers, self.classes_) if self._predicts_classes() else answers

    @available_if(_has("predict_proba"))
    def _proba(self, X: Floats) -> Floats:
        return np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)

    @available_if(_has("decision_function"))
    def _decision(self, X: Floats) -> Floats:
        return np.asarray(self.estimator_.decision_function(X), dtype=np.float64)
