"""Learners that choose one of several classes."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier
from sklearn.callback import with_callbacks
from sklearn.utils.metaestimators import available_if

from hornbook.base._learner import Floats, Learner, has_hook
from hornbook.base._names import check_names, remember_names, remember_target
from hornbook.base._target import coded, distinct_labels, target_array
from hornbook.frame import Block, Blocks, align
from hornbook.params import Shape, check

__all__ = ["Classifier"]


class Classifier(ClassifierMixin, Learner):
    """Base of classifiers.

    Hooks: ``_proba(X)`` gives class probabilities, ``_log_proba(X)`` their logarithms,
    ``_decision(X)`` scores, ``_predict(X)`` positions in ``classes_`` where the largest probability or
    score is not the answer, ``_partial_fit(blocks)`` learns more rows.
    """

    classes_: Annotated[NDArray[Any], Shape("n_classes")]

    def _learn_target(self, blocks: Blocks) -> Blocks:
        self.classes_ = _labels(blocks)
        return self._with_codes(blocks)

    def _with_codes(self, blocks: Blocks) -> Blocks:
        classes = self.classes_

        def with_codes(block: Block) -> Block:
            return Block(block.X, coded(_present(block.y), classes), block.w)

        return blocks.map(with_codes)

    def _answer(self, rows: Any) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[self._choice(rows)]
        return labels

    def _choice(self, rows: Any) -> NDArray[np.intp]:
        """Positions in ``classes_`` for prepared rows."""
        if hasattr(self, "_predict"):
            return np.asarray(self._predict(rows), dtype=np.intp)
        if hasattr(self, "_proba"):
            return np.asarray(self._proba(rows).argmax(axis=1))
        scores = self._decision(rows)
        return np.asarray((scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1))

    @available_if(has_hook("_proba"))
    def predict_proba(self, X: Any) -> Floats:
        """Give the probability of each class for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_proba, X)
        return self._proba(self._prepared(X))

    @available_if(has_hook("_proba"))
    def predict_log_proba(self, X: Any) -> Floats:
        """Give the natural logarithm of the probability of each class for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        log_probabilities : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_log_proba, X)
        rows = self._prepared(X)
        if hasattr(self, "_log_proba"):
            return self._log_proba(rows)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._proba(rows)))

    @available_if(has_hook("_decision"))
    def decision_function(self, X: Any) -> Floats:
        """Give the score behind the choice of a class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            With two classes, positive means the second.
        """
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.decision_function, X)
        return self._decision(self._prepared(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score the predictions: accuracy for classes, R² where the learner was set up for numbers.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,)
            The truth.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        score : float
            1 is perfect.
        """
        if is_classifier(self):
            return super().score(X, y, sample_weight)
        return RegressorMixin.score(self, X, y, sample_weight)  # type: ignore[arg-type]  # needs predict only

    @available_if(has_hook("_partial_fit"))
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, keeping what was learnt before.

        Parameters
        ----------
        X : Frame, DataFrame or array-like of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.
        classes : array-like, optional
            All classes there will ever be; needed in the first call unless the rows have them all.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner.
        """
        self._leave_intact(self._partial_fit_watched, X, y, classes, sample_weight)
        return self

    @with_callbacks
    def _partial_fit_watched(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> None:
        check(self)
        blocks = self._training_blocks(X, y, sample_weight)
        if not hasattr(self, "classes_"):
            self.schema_ = blocks.schema.features
            remember_names(self, self.schema_)
            remember_target(self, X, y)
            self.classes_ = _labels(blocks) if classes is None else _named(classes)
            blocks = self._learn_conversion(self._with_codes(blocks))
        else:
            check_names(self, blocks.schema.features)
            self._check_classes(classes)
            blocks = self._with_codes(blocks)
            for block in blocks if blocks.lazy else ():
                self._aligned(block)  # the levels of all rows must be known before the first is counted
            blocks = blocks.map(self._aligned)
        self._partial_fit(blocks)

    def _aligned(self, block: Block) -> Block:
        """More rows with the columns of the first ones; learners of whole frames also take new categories."""
        features = align(block.X, self.schema_, extend=self.wants == "frame")
        self.schema_ = features.schema
        return Block(self._converted(features, complete=False), block.y, block.w)

    def _check_classes(self, classes: Any) -> None:
        if classes is not None and not np.array_equal(_named(classes), self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_!r}; name all classes in the first call."
            )


def _present(y: NDArray[Any] | None) -> NDArray[Any]:
    assert y is not None
    return y


def _labels(blocks: Blocks) -> NDArray[Any]:
    found = [distinct_labels(_present(block.y)) for block in blocks]
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def _named(classes: Any) -> NDArray[Any]:
    labels = np.asarray(classes)
    return distinct_labels(target_array(labels, len(labels), "partial_fit"))
