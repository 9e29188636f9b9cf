"""Classifiers that map the columns and delegate to another classifier."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook._scikit import available_if
from hornbook.base import Description, Learner, Term, Working, draw_beside_rows, in_plane
from hornbook.frame import Frame, Moments
from hornbook.linear._logistic_regression import LogisticRegression
from hornbook.linear.explain._far_columns import warn_powers
from hornbook.linear.explain._plot import draw_mapped, regions
from hornbook.linear.solvers._require_classes import require_classes
from hornbook.params import Floats, Shape

__all__ = ["Mapped"]


def _inner(learner: Any) -> Any:
    """The classifier on the mapped columns: ``estimator``, or logistic regression."""
    return LogisticRegression() if learner.estimator is None else learner.estimator


def _inner_has(method: str) -> Any:
    return lambda learner: hasattr(_inner(learner), method)


class Mapped(ABC):
    """Mixin of classifiers whose columns are mapped to others, with ``map_names_``."""

    estimator: Any
    map_names_: Annotated[NDArray[Any], Shape("n_products")]
    estimator_: Any

    @abstractmethod
    def _map(self, X: Floats) -> Floats:
        """Columns to learn from."""

    @abstractmethod
    def _powers(self) -> int:
        """How many factors the largest product of columns has; 1 if there are none."""

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        learner: Any = self
        mass = np.bincount(y, weights=w, minlength=len(learner.classes_)).astype(np.float64)
        require_classes(mass, learner.classes_, type(self).__name__)
        inner = clone(_inner(self))
        # Mapped once for the fit; predictions map the new rows by the same functions.
        rows = self._table(X, inner)
        inner.fit(rows, learner.classes_[y], **({} if w is None else {"sample_weight": w}))
        self.estimator_ = inner
        moments = Moments.of_rows(X, w)
        # Powers of columns far from 0 are nearly collinear, so the user is told.
        warn_powers(self, moments.mean[0], moments.variance()[0], self._powers())

    def _table(self, X: Floats, inner: Any) -> Any:
        """Mapped rows; our own learners also get the names."""
        mapped = self._map(X)
        if not isinstance(inner, Learner):
            return mapped
        return Frame({str(name): mapped[:, j] for j, name in enumerate(self.map_names_)})

    def _call(self, method: str, X: Floats) -> Any:
        return getattr(self.estimator_, method)(self._table(X, self.estimator_))

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        learner: Any = self
        return np.asarray(np.searchsorted(learner.classes_, self._call("predict", X)))

    @available_if(_inner_has("predict_proba"))
    def _proba(self, X: Floats) -> Floats:
        return np.asarray(self._call("predict_proba", X))

    @available_if(_inner_has("decision_function"))
    def _decision(self, X: Floats) -> Floats:
        return np.asarray(self._call("decision_function", X))

    def _mapped_description(self, title: str, facts: dict[str, Any]) -> Description:
        """Describe the map, followed by the description of the inner classifier."""
        facts |= {"classifier": type(self.estimator_).__name__}
        if not hasattr(self.estimator_, "describe"):
            return Description(title, facts)
        inner = self.estimator_.describe()
        return Description(title, facts | dict(inner.facts), inner.tables)

    def _mapped_working(self, title: str, X: Floats) -> Working:
        learner: Any = self
        if hasattr(self.estimator_, "working"):
            inner = self.estimator_.working(self._table(X[:1], self.estimator_))
            return Working(
                title, inner.rule, inner.candidates, inner.terms, inner.prediction, inner.costs, inner.softmax
            )
        # A foreign estimator explains nothing: its vote is all there is to show.
        prediction = learner._answer(X)[0]  # noqa: SLF001 - of the learner this is mixed into
        votes = (learner.classes_ == prediction).astype(float).tolist()
        terms = [Term(f"chosen by {type(self.estimator_).__name__}", votes)]
        return Working(title, "sum", learner.classes_.tolist(), terms, prediction)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        if in_plane(X):
            return regions(self, X, y, ax)
        return draw_beside_rows(
            self, lambda place: draw_mapped(self.estimator_, self.map_names_, place), X, y, ax
        )
