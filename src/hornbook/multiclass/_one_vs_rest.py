"""One-vs-rest: a member for each class."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.utils import Tags

from hornbook._scikit import available_if
from hornbook.base import (
    Baseline,
    Classifier,
    Code,
    Term,
    Working,
    member_proba,
    member_rows,
    member_scores,
    normalized,
    one_vs_rest,
    prepare,
)
from hornbook.frame import Blocks, Frame
from hornbook.multiclass._decomposed import Decomposed
from hornbook.params import Floats

__all__ = ["OneVsRest"]


def _gives_probabilities(learner: Any) -> bool:
    return learner.estimator is None or hasattr(learner.estimator, "predict_proba")


class OneVsRest(Decomposed, Classifier):
    """One member for each class, which separates it from all others; the highest score wins.

    If exactly one member predicts its class, that class is predicted; if several do, or none, the one with
    the highest score. Where rows may have several classes at once, y has a column of 0 and 1 for each
    (multilabel), and so have predictions. Unlike scikit-learn's, members may learn from tables with
    categories and missing cells. It takes as long as k fits to all rows, and grows with rows, columns and
    categories as the member does.

    Parameters
    ----------
    estimator : classifier or regressor of Hornbook or scikit-learn, optional
        The binary learner; `LogisticRegression` when left out. A regressor learns 0 and 1.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes; of several targets, their positions.
    n_classes_ : int
        Their number.
    multilabel_ : bool
        Whether rows may have several classes at once.
    code_ : ndarray of shape (n_classes, n_members)
        +1 for the class of the member, -1 for the others; one member is enough for two classes.
    estimators_ : list of learners
        The members.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    OneVsOne : One member for each pair of classes.
    OutputCodes : Members for the columns of an error-correcting code.

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

    multilabel_: bool = False
    sparse_labels_: bool = False

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def _training_blocks(self, X: Any, y: Any, sample_weight: Any, *, later: bool = False) -> Blocks:
        if _width(y) < 2:
            return super()._training_blocks(X, y, sample_weight, later=later)
        self.multilabel_, self.sparse_labels_ = True, issparse(y)
        labels = _indicators(y)
        blocks = super()._training_blocks(X, labels[:, 0], sample_weight)
        (block,) = blocks
        return Blocks.of(replace(block, y=labels), blocks.schema, self._threads())

    def _learn_target(self, blocks: Blocks) -> Blocks:
        if not self.multilabel_:
            return super()._learn_target(blocks)
        (block,) = blocks
        assert block.y is not None
        self.classes_ = np.arange(block.y.shape[1])
        return blocks

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        if not self.multilabel_:
            super()._fit(frame, y, w)
            return
        self.code_ = one_vs_rest(len(self.classes_)) if len(self.classes_) > 2 else _both()
        prepared, self.estimators_ = self._prepare(frame, w), []
        for j in self.iterate(len(self.classes_), name="member"):
            seen = np.unique(y[:, j] if w is None else y[w > 0, j])
            if len(seen) < 2:
                # A label that all rows have, or none, needs no member.
                warnings.warn(
                    f"Label {'' if seen[0] else 'not '}{j} is present in all training examples.",
                    UserWarning,
                    stacklevel=6,
                )
                self.estimators_.append(prepare(Baseline(), frame, w).fit(y[:, j], w))
            else:
                self.estimators_.append(prepared.fit(y[:, j], w))

    def _answer(self, rows: Any) -> NDArray[Any]:
        if not self.multilabel_:
            return super()._answer(rows)
        return (self._each_score(rows) > 0).astype(np.intp)

    def predict(self, X: Any) -> Any:
        """Predict the class of each row, or mark its labels.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        answers : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Classes; of several labels, a column of 0 and 1 for each, sparse if those of the fit were.
        """
        dense = super().predict
        answers = self._by_chunks(dense, X) if issparse(X) else dense(X)
        return csr_matrix(answers) if self.sparse_labels_ else answers

    def _each_score(self, frame: Frame) -> Floats:
        """Scores of members, of which some may be of another kind."""
        return np.column_stack([member_scores(one, member_rows(one, frame)) for one in self.estimators_])

    def _decision(self, frame: Frame) -> Floats:
        return self._each_score(frame) if self.multilabel_ else super()._decision(frame)

    def _make_code(self, k: int) -> Code:
        return one_vs_rest(k)

    def _joined(self, scores: Floats) -> Floats:
        return np.column_stack([-scores, scores]) if scores.shape[1] == 1 else scores

    def _terms(self, scores: Floats) -> list[Term]:
        # A member speaks for its own class only, so that its term is 0 for the others.
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
        if self.multilabel_:
            parts = [member_proba(one, member_rows(one, frame), 2)[:, 1] for one in self.estimators_]
            return np.column_stack(parts)
        rows = member_rows(self.estimators_[0], frame)
        probabilities = np.column_stack([member_proba(member, rows, 2)[:, 1] for member in self.estimators_])
        if k == 2:
            return np.column_stack([1 - probabilities, probabilities])
        # Members are fitted apart from each other, so that their probabilities need not add up to 1.
        return normalized(probabilities)

    def _working(self, row: Frame) -> Working:
        if not self.multilabel_:
            return super()._working(row)
        scores = self._each_score(row)[0]
        labels = self.classes_.tolist()
        terms = [
            Term(f"score of label {label}", [score * (i == j) for j in labels])
            for i, (label, score) in enumerate(zip(labels, scores.tolist(), strict=True))
        ]
        answer = [label for label, score in zip(labels, scores, strict=True) if score > 0]
        return Working("Labels with a score above 0", "sum", labels, terms, answer)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        # Rows with several labels have no color of one class.
        return super()._plot(None, None, ax) if self.multilabel_ else super()._plot(X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_label = True
        return tags


def _both() -> Code:
    """The code of two labels, each of which has a member."""
    return np.array([[1, -1], [-1, 1]], dtype=np.int8)


def _width(y: Any) -> int:
    """Number of columns of a target."""
    shape: tuple[int, ...] = tuple(getattr(y, "shape", ()))
    if not shape and isinstance(y, list | tuple) and y and isinstance(y[0], list | tuple | np.ndarray):
        return len(y[0])
    return shape[1] if len(shape) == 2 else 1


def _indicators(y: Any) -> NDArray[np.int32]:
    """A column of 0 and 1 for each label."""
    labels = np.asarray(cast("Any", y).toarray() if issparse(y) else y)
    if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
        raise ValueError(
            "Multioutput target data is not supported with label binarization: y has several columns, which "
            "must hold 0 and 1, a column for each label; fit one learner for each column of y."
        )
    return labels.astype(np.int32)
