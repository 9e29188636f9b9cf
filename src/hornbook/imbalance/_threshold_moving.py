"""Threshold moving: learn as usual, decide with another threshold."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Classifier, Description, Term, Working
from hornbook.frame import Frame
from hornbook.imbalance._class_costs import Costs, per_class
from hornbook.imbalance._one_member import OneMember
from hornbook.params import Floats, Shape

__all__ = ["ThresholdMoving"]


class ThresholdMoving(OneMember, Classifier):
    """Probabilities of a learner times a factor for each class; the training rows stay as they are.

    Of two classes, the positive one is predicted if its odds y / (1 - y) exceed m+ / m-, the ratio of the
    numbers of rows, instead of 1: the odds are multiplied by m- / m+. (Some textbooks print the inverse
    factor, which contradicts their own rule.) With costs, m- / m+ becomes cost+ / cost-. Time grows with
    rows, columns and categories as that of the member.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        A learner with ``predict_proba``; `LogisticRegression` when left out.
    factor : "prior", dict or array-like of shape (n_classes,), default "prior"
        ``"prior"`` divides by the frequency of each class in the training rows; else the factors themselves,
        by class or in the order of ``classes_``, such as the cost of missing each class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight.
    factor_ : ndarray of shape (n_classes,)
        What their probabilities are multiplied by, before they are normalized again.
    estimator_ : learner
        The member, fitted.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    CostSensitive : Costs of mistakes in the fit or in the decision.
    Calibrated : Scores turned into probabilities on held-out rows.

    Examples
    --------
    >>> from hornbook import Baseline, ThresholdMoving
    >>> model = ThresholdMoving(Baseline(), factor={"ill": 9.0, "well": 1.0})
    >>> model.fit([[0]] * 5, ["ill", "well", "well", "well", "well"]).predict([[0]]).tolist()
    ['ill']
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "that of the member, with a factor for each class"
    objective = "that of the member"
    optimizer = "that of the member"

    class_prior_: Annotated[Floats, Shape("n_classes")]
    factor_: Annotated[Floats, Shape("n_classes")]

    def __init__(self, estimator: Any = None, *, factor: Literal["prior"] | Costs = "prior") -> None:
        self.estimator = estimator
        self.factor = factor

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        self._require_probabilities()
        mass = np.bincount(y, weights=w, minlength=len(self.classes_))
        self.class_prior_ = mass / mass.sum()
        if isinstance(self.factor, str):
            # A class without weight is never predicted, whatever its factor.
            self.factor_ = np.divide(1.0, self.class_prior_, out=np.zeros_like(mass, float), where=mass > 0)
        else:
            self.factor_ = per_class("ThresholdMoving", "factor", self.factor, self.classes_)
        self._fit_member(frame, y, w)

    def _proba(self, frame: Frame) -> Floats:
        # Multiplying by the factors multiplies the odds of any two classes by their ratio.
        moved = self._probabilities(frame) * self.factor_
        return np.asarray(moved / moved.sum(axis=1, keepdims=True))

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        return np.asarray(self._proba(frame).argmax(axis=1))

    def _describe(self) -> Description:
        return self._class_description({}, ["share", "factor"], self.class_prior_, self.factor_)

    def _working(self, row: Frame) -> Working:
        name = type(self._inner()).__name__
        with np.errstate(divide="ignore"):
            terms = [
                Term(f"probability by {name}", np.log(self._probabilities(row)[0]).tolist()),
                Term("factor of the class", np.log(self.factor_).tolist()),
            ]
        answer = self.classes_[self._predict(row)[0]]
        return Working(
            "Probabilities with a moved threshold", "product", self.classes_.tolist(), terms, answer
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return self._bars(self.factor_, "Factor of each class", X, y, ax)
