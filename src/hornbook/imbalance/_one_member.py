"""Shared by meta-learners around one member: they fit it and predict as it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from hornbook._scikit import available_if
from hornbook.base import (
    Baseline,
    Description,
    Table,
    Term,
    Working,
    draw_beside_rows,
    member_answers,
    member_rows,
    prepare,
    spread_scores,
)
from hornbook.frame import Frame
from hornbook.linear import LogisticRegression
from hornbook.params import Floats, Shape
from hornbook.plots import bars

__all__ = ["OneMember", "PredictsAsMember", "member_has"]


def member_has(method: str) -> Callable[[Any], bool]:
    """Condition under which a hook exists: the member has this method."""
    return lambda learner: learner.estimator is None or hasattr(learner.estimator, method)


def _scores_decide(learner: Any) -> bool:
    """Whether the member has scores that decide the prediction as they are."""
    by_scores = getattr(learner, "method", "weights") == "weights"
    return by_scores and member_has("decision_function")(learner)


class OneMember:
    """A member that learns the classes from some rows, or with some weights."""

    counts_absent: ClassVar[bool] = True
    scale_sensitive: ClassVar[bool] = True

    estimator: Any
    classes_: Annotated[NDArray[Any], Shape("n_classes")]
    estimator_: Any

    def _inner(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _fit_member(
        self, frame: Frame, y: NDArray[np.int32], w: Floats | None, seed: int | None = None
    ) -> None:
        """Fit the member with weights; one that takes none gets rows repeated according to their weights."""
        # With a single class there is nothing to learn, and many learners reject it.
        several = len(np.unique(y if w is None else y[w > 0])) > 1
        inner = self._inner() if several else Baseline()
        prepared, labels = prepare(inner, frame, w), self.classes_[y]
        # Whole weights can be had by repeating rows; others need a member that takes weights.
        if w is None or has_fit_parameter(self._inner(), "sample_weight") or (w != np.rint(w)).any():
            self.estimator_ = prepared.fit(labels, w, seed=seed)
        else:
            rows = np.repeat(np.arange(len(y)), np.rint(w).astype(np.intp))
            self.estimator_ = prepared.fit(labels, rows=rows, seed=seed)

    def _require_probabilities(self) -> None:
        if not hasattr(self._inner(), "predict_proba"):
            raise TypeError(
                f"{type(self).__name__} needs probabilities, which {type(self._inner()).__name__} does not "
                "give: choose a learner that has predict_proba."
            )

    def _probabilities(self, frame: Frame) -> Floats:
        """Class probabilities of the member, in the order of the classes."""
        member = self.estimator_
        probabilities = member._proba(member_rows(member, frame))  # noqa: SLF001 - unchecked, as the hooks are
        aligned = np.zeros((len(probabilities), len(self.classes_)))
        aligned[:, np.searchsorted(self.classes_, member.classes_)] = probabilities
        return aligned

    def _class_description(
        self, facts: dict[str, Any], head: list[str], *columns: NDArray[Any]
    ) -> Description:
        """Describe the treatment of each class, and the member."""
        rows = [list(row) for row in zip(self.classes_.tolist(), *(c.tolist() for c in columns), strict=True)]
        title = f"{type(self).__name__} around {type(self._inner()).__name__}"
        return Description(title, facts, [Table("Classes", ["class", *head], rows)])

    def _bars(self, values: Floats, title: str, X: Any, y: Any, ax: Any) -> Any:
        """Draw a bar for each class, and beside them the predictions for rows."""
        names = [str(label) for label in self.classes_]
        return draw_beside_rows(self, lambda place: bars(values, names, ax=place, title=title), X, y, ax)


class PredictsAsMember(OneMember):
    """A learner whose predictions are those of its member."""

    @available_if(member_has("predict_proba"))
    def _proba(self, frame: Frame) -> Floats:
        return self._probabilities(frame)

    @available_if(_scores_decide)
    def _decision(self, frame: Frame) -> Floats:
        member = self.estimator_
        if len(self.classes_) == 1:
            return np.zeros(len(frame))
        if hasattr(member, "_decision"):
            scores = member._decision(member_rows(member, frame))  # noqa: SLF001
        else:  # the member that replaces a learner for a single class
            scores = np.zeros(len(frame))
        return spread_scores(np.asarray(scores), member.classes_, self.classes_)

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        answers = member_answers(self.estimator_, member_rows(self.estimator_, frame))
        return np.searchsorted(self.classes_, answers)

    def _working(self, row: Frame) -> Working:
        member = self.estimator_
        rows = member_rows(member, row)
        if hasattr(member, "_working"):
            working: Working = member._working(rows)  # noqa: SLF001
            return replace(working, title=f"{type(self).__name__}: {working.title}")
        name = type(self._inner()).__name__
        labels, answer = self.classes_.tolist(), self.classes_[self._predict(row)[0]]
        if hasattr(member, "_proba"):
            terms = [Term(f"probability by {name}", self._probabilities(row)[0].tolist())]
        else:
            terms = [Term(f"answer of {name}", (self.classes_ == answer).astype(float).tolist())]
        return Working(f"{type(self).__name__}: {name} says", "sum", labels, terms, answer)
