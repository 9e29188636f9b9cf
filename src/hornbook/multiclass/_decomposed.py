"""What decompositions into binary problems have in common: one member for each column of a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Accepts,
    Code,
    Description,
    Prepared,
    Table,
    Term,
    Working,
    binary_problem,
    draw_beside_rows,
    in_plane,
    member_rows,
    member_scores,
    prepare,
)
from hornbook.frame import Frame, Schema
from hornbook.linear import LogisticRegression
from hornbook.params import Floats, Shape
from hornbook.plots import boundaries, code_matrix

__all__ = ["Decomposed"]


class Decomposed:
    """Members for the columns of a code: ``_make_code(k)``; ``_joined(scores)`` is what they decide."""

    scale_sensitive: ClassVar[bool] = True
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)

    estimator: Any
    classes_: Annotated[NDArray[Any], Shape("n_classes")]
    schema_: Schema
    code_: Annotated[Code, Shape("n_classes", "n_members")]
    estimators_: Annotated[list[Any], Shape("n_members")]
    _make_code: Callable[[int], Code]
    _joined: Callable[[Floats], Floats]
    _terms: Callable[[Floats], list[Term]]
    iterate: Any

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        k = len(self.classes_)
        # One class is no problem to learn: no members, and the only answer is given.
        self.code_ = np.zeros((1, 0), dtype=np.int8) if k == 1 else self._make_code(k)
        prepared = self._prepare(frame, w)
        self.estimators_ = []
        for j in self.iterate(self.code_.shape[1], name="member"):
            target, rows = binary_problem(self.code_, y, j)
            self.estimators_.append(prepared.fit(target, w, rows))

    def _inner(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _prepare(self, frame: Frame, w: Floats | None) -> Prepared:
        """The rows, encoded once for all members, which differ in their targets and rows only."""
        # The number that a regressor predicts for 0 and 1 is its score of 1.
        return prepare(
            self._inner(), frame, w, "regression" if is_regressor(self._inner()) else "classification"
        )

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    def _scores(self, frame: Frame) -> Floats:
        """Scores of the members for their +1, one column each."""
        if not self.estimators_:
            return np.empty((len(frame), 0))
        rows = member_rows(self.estimators_[0], frame)
        return np.column_stack([member_scores(member, rows) for member in self.estimators_])

    def _by_class(self, frame: Frame) -> Floats:
        """The score of each class."""
        return np.zeros((len(frame), 1)) if not self.estimators_ else self._joined(self._scores(frame))

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        return np.asarray(self._by_class(frame).argmax(axis=1))

    def _decision(self, frame: Frame) -> Floats:
        scores = self._by_class(frame)
        # With one member the scores of the classes are s and -s, of which this gives s back.
        return np.asarray((scores[:, 1] - scores[:, 0]) / 2) if scores.shape[1] == 2 else scores

    def _names(self) -> list[str]:
        """Which classes each member separates."""
        sides = [
            [[str(self.classes_[i]) for i in np.flatnonzero(column == side)] for side in (1, -1)]
            for column in self.code_.T
        ]
        return [" against ".join(" or ".join(side) for side in pair) for pair in sides]

    def _describe(self) -> Description:
        inner = type(self._inner()).__name__
        head = ["class", *(str(j + 1) for j in range(self.code_.shape[1]))]
        signs = [[str(label), *row.tolist()] for label, row in zip(self.classes_, self.code_, strict=True)]
        title = f"{type(self).__name__} of {len(self.estimators_)} members for {len(self.classes_)} classes"
        return Description(title, {"learner": inner}, [Table("Code", head, signs)])

    def _working(self, row: Frame) -> Working:
        labels = self.classes_.tolist()
        answer = self.classes_[self._predict(row)[0]]
        if not self.estimators_:
            return Working("There is one class only", "sum", labels, [Term("the only class", [1.0])], answer)
        terms = self._terms(self._scores(row)[0])
        return Working(f"What {len(self.estimators_)} members say", "sum", labels, terms, answer)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        if in_plane(X):
            title = f"{type(self).__name__} (bold) and its {len(self.estimators_)} members"
            labels = self.classes_[self._predict(X)] if y is None else y
            return boundaries(self.estimators_, X, labels, ax, bold=self, title=title)
        names = [str(label) for label in self.classes_]
        return draw_beside_rows(self, lambda place: code_matrix(self.code_, names, ax=place), X, y, ax)
