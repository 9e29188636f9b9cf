"""Cost-sensitive learning: weight the rows, or decide by expected cost (Elkan 2001)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Classifier, Description, Term, Working
from hornbook.frame import Frame
from hornbook.imbalance._class_costs import Costs, cost_table, factors_of
from hornbook.imbalance._one_member import PredictsAsMember
from hornbook.params import Floats, ParameterError, Range, Shape

__all__ = ["CostSensitive"]


class CostSensitive(PredictsAsMember, Classifier):
    """A learner for which some mistakes cost more than others.

    With two classes and ``method="weights"``, positive rows weigh cost+ / cost- times as much as negative
    ones, where cost+ is the cost of calling a positive row negative: the prediction is positive if the odds
    y / (1 - y) of a plain learner exceed cost- / cost+. Three or more classes need factors of which any two
    agree with the costs of confusing them; where there are none, the expected cost decides. Time grows with
    rows, columns and categories as that of the member.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The learner inside; `LogisticRegression` when left out.
    costs : dict, array-like of shape (n_classes,) or (n_classes, n_classes), optional
        The cost of missing each class, by class or in the order of ``classes_``; or a table whose entry
        [i][j] is the cost of deciding for class i when the truth is class j. Every mistake costs 1 when left
        out.
    method : {"weights", "decision"}, default "weights"
        Weight the training rows by class, keeping the sum of the weights; or learn as usual and decide for
        the class with the least expected cost, which needs a learner with ``predict_proba``.
    threshold : float, optional
        With ``method="decision"`` and two classes, the probability of the second one above which it is
        decided for, such as one that was best on held-out rows; that of the least expected cost when left
        out, which is right as far as the probabilities are.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    costs_ : ndarray of shape (n_classes, n_classes)
        The table of costs.
    factor_ : ndarray of shape (n_classes,)
        The weight of a row of each class; 1 when the expected cost decides.
    estimator_ : learner
        The member, fitted.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    ThresholdMoving : Other thresholds for classes of other frequency.
    OverSampler : Rows of rare classes repeated.

    Examples
    --------
    >>> from hornbook import Baseline, CostSensitive
    >>> model = CostSensitive(Baseline(), costs={"ill": 9.0, "well": 1.0})
    >>> model.fit([[0]] * 5, ["ill", "well", "well", "well", "well"]).predict([[0]]).tolist()
    ['ill']
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "that of the member"
    objective = "that of the member, with the costs of mistakes as weights; or the expected cost"
    optimizer = "that of the member"

    costs_: Annotated[Floats, Shape("n_classes", "n_classes")]
    factor_: Annotated[Floats, Shape("n_classes")]

    def __init__(
        self,
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        method: Literal["weights", "decision"] = "weights",
        threshold: Annotated[float, Range(0.0, 1.0)] | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.method = method
        self.threshold = threshold

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        self.costs_ = cost_table("CostSensitive", self.costs, self.classes_)
        if self.threshold is not None and (self.method == "weights" or len(self.classes_) > 2):
            raise ParameterError(
                "CostSensitive: parameter 'threshold' is for method='decision' and two classes; got "
                f"method={self.method!r} and {len(self.classes_)} classes: leave it out."
            )
        if self.method == "decision":
            self._require_probabilities()
            self.factor_ = np.ones(len(self.classes_))
            self._fit_member(frame, y, w)
            return
        factors = factors_of("CostSensitive", self.costs_, self.classes_)
        mass = np.bincount(y, weights=w, minlength=len(self.classes_))
        # Scaled to keep the total weight, so that penalties of the member keep their meaning.
        self.factor_ = factors * mass.sum() / (factors @ mass)
        # Equal factors are no weights, so that a member which takes none can be used.
        if (self.factor_ != self.factor_[0]).any():
            w = self.factor_[y] * (1.0 if w is None else w)
        self._fit_member(frame, y, w)

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        if self.method == "weights":
            return super()._predict(frame)
        costs = self._probabilities(frame) @ self._decisive_costs().T
        # A class that the member never saw has probability 0, but could still be the cheapest decision.
        absent = ~np.isin(self.classes_, self.estimator_.classes_)
        return np.asarray(np.where(absent, np.inf, costs).argmin(axis=1))

    def _decisive_costs(self) -> Floats:
        """The costs that decide: those given, or ones with the given threshold."""
        if self.threshold is None or len(self.classes_) != 2:
            return self.costs_
        return np.array([[0.0, 1.0 - self.threshold], [self.threshold, 0.0]])

    def _describe(self) -> Description:
        how = "weights of the rows" if self.method == "weights" else "expected cost of each decision"
        facts: dict[str, Any] = {"method": how}
        if self.threshold is not None:
            facts["threshold"] = f"{self.classes_.tolist()[-1]} above a probability of {self.threshold:.3g}"
        missed = [f"cost of deciding {label}" for label in self.classes_.tolist()]
        words = self._class_description(facts, ["weight", *missed], self.factor_, *self.costs_)
        if self.method == "weights" or not hasattr(self.estimator_, "describe"):
            return words
        # The member decides most of it, in its own words.
        inside = self.estimator_.describe()
        return replace(words, facts={**words.facts, **inside.facts}, tables=[*words.tables, *inside.tables])

    def _working(self, row: Frame) -> Working:
        if self.method == "weights":
            return super()._working(row)
        terms = [Term("probability", self._probabilities(row)[0].tolist())]
        answer = self.classes_[self._predict(row)[0]]
        title = "The decision with the least expected cost"
        return Working(title, "sum", self.classes_.tolist(), terms, answer, self._decisive_costs().tolist())

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        worst = np.asarray(self.costs_.max(axis=0), dtype=np.float64)
        return self._bars(worst, "Largest cost of missing each class", X, y, ax)
