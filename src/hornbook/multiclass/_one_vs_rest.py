"""One-vs-rest: a member for each class."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.utils.metaestimators import available_if

from hornbook.base import Classifier, Code, Term, member_proba, member_rows, normalized, one_vs_rest
from hornbook.frame import Frame
from hornbook.multiclass._decomposed import Decomposed
from hornbook.params import Floats

__all__ = ["OneVsRest"]


def _gives_probabilities(learner: Any) -> bool:
    return learner.estimator is None or hasattr(learner.estimator, "predict_proba")


class OneVsRest(Decomposed, Classifier):
    """One member for each class, which separates it from all others; the highest score wins.

    If exactly one member predicts its class, that class is predicted; if several do, or none, the one with
    the highest score. Unlike scikit-learn's, members may learn from tables with categories and missing cells.
    It takes as long as k fits to all rows, and grows with rows, columns and categories as the member does.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The binary learner; `LogisticRegression` when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    code_ : ndarray of shape (n_classes, n_members)
        +1 for the class of the member, -1 for the others; one member is enough for two classes.
    estimators_ : list of learners
        The members.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import OneVsRest, datasets
    >>> iris = datasets.iris()
    >>> model = OneVsRest().fit(iris)
    >>> len(model.estimators_), model.predict(iris.features[:1]).tolist()
    (3, ['setosa'])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "one model of the member for each class"
    objective = "that of the member, for each class against the rest"
    optimizer = "that of the member"

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def _make_code(self, k: int) -> Code:
        return one_vs_rest(k)

    def _joined(self, scores: Floats) -> Floats:
        return np.column_stack([-scores, scores]) if scores.shape[1] == 1 else scores

    def _terms(self, scores: Floats) -> list[Term]:
        values = self._joined(np.diag(scores))
        return [
            Term(f"score of {name}", row.tolist()) for name, row in zip(self._names(), values, strict=True)
        ]

    @available_if(_gives_probabilities)
    def _proba(self, frame: Frame) -> Floats:
        """Probabilities of the members, normalized to sum 1; uniform where all members say 0."""
        k = len(self.classes_)
        if k == 1:
            return np.ones((len(frame), 1))
        rows = member_rows(self.estimators_[0], frame)
        probabilities = np.column_stack([member_proba(member, rows, 2)[:, 1] for member in self.estimators_])
        if k == 2:
            return np.column_stack([1 - probabilities, probabilities])
        return normalized(probabilities)
