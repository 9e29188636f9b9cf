"""Learners that predict a target, whether classes or numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import ClassifierTags, RegressorTags, Tags

from hornbook._scikit import ClassifierMixin, RegressorMixin, available_if
from hornbook.base._learner import Learner, has_hook
from hornbook.base._watch import Watch
from hornbook.base.intake._coded_target import labels_of, with_codes, with_numbers, without_classes
from hornbook.frame import Blocks, brought_here, partition_answers
from hornbook.params import Floats, Shape

__all__ = ["Predictor", "spread_scores"]


class Predictor(Learner):
    """Base of classifiers and regressors, and of learners that are either by what they are set up with.

    The latter derive from it directly and say by ``_predicts_classes`` which they are.

    Hooks: ``_predict(X)`` gives one number a row. For classes, ``_proba(X)`` gives their probabilities,
    ``_log_proba(X)`` the logarithms, ``_decision(X)`` scores, and ``_predict(X)`` positions in ``classes_``
    where the largest probability or score is not the answer.

    A class whose rows all weigh 0 keeps its place in ``classes_`` with probability 0.
    """

    # Whether the hooks themselves give probability 0 to a class whose rows all weigh 0. Other learners never
    # see such a class: they learn and answer as if its rows were not there.
    counts_absent: ClassVar[bool] = False

    classes_: Annotated[NDArray[Any], Shape("n_classes")]

    # Classes whose rows all weighed 0; only where there are any.
    absent_classes_: Annotated[NDArray[Any], Shape("n_absent")]

    # Whether the target is one of several classes; a number otherwise.
    _predicts_classes: Callable[[], bool]

    def _learn_target(self, blocks: Blocks) -> Blocks:
        if not self._predicts_classes():
            return with_numbers(blocks)
        self.classes_, present = labels_of(blocks)
        vars(self).pop("absent_classes_", None)  # of the fit that a warm start goes on from
        if len(present) < len(self.classes_):
            self.absent_classes_ = np.setdiff1d(self.classes_, present)
        if self._lacks_classes():
            self.classes_ = present
            blocks = without_classes(blocks, self.absent_classes_)
        return self._with_codes(blocks)

    def _with_codes(self, blocks: Blocks) -> Blocks:
        return with_codes(blocks, self.classes_)

    def _learn(self, blocks: Blocks, watch: Watch) -> None:
        super()._learn(blocks, watch)
        if self._lacks_classes():
            self.classes_ = self._all_classes()

    def _all_classes(self) -> NDArray[Any]:
        """All classes of the target; in a fit hook ``classes_`` lacks those without weight."""
        return np.union1d(self.classes_, getattr(self, "absent_classes_", self.classes_))

    def _lacks_classes(self) -> bool:
        """Whether the hooks never saw some of the classes."""
        return not self.counts_absent and hasattr(self, "absent_classes_")

    def _core(self) -> Self:
        if not self._lacks_classes():
            return self
        core = object.__new__(type(self))
        vars(core).update(vars(self))
        core.classes_ = np.setdiff1d(self.classes_, self.absent_classes_)
        del core.absent_classes_
        return core

    def _spread(self, values: Floats, fill: float) -> Floats:
        """Columns for all classes from those of the classes that were learned."""
        if not self._lacks_classes():
            return values
        whole = np.full((len(values), len(self.classes_)), fill)
        whole[:, ~np.isin(self.classes_, self.absent_classes_)] = values
        return whole

    def _spread_scores(self, scores: Floats) -> Floats:
        """Scores for all classes from those of the classes that were learned."""
        if not self._lacks_classes():
            return scores
        return spread_scores(scores, self._core().classes_, self.classes_)

    def _answer(self, rows: Any) -> NDArray[Any]:
        if not self._predicts_classes():
            return np.asarray(self._predict(rows), dtype=np.float64)
        labels: NDArray[Any] = self._core().classes_[self._hook("_choice", rows)]
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
        if (answers := partition_answers(self, "predict_proba", X)) is not None:
            return answers
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_proba, X)
        return self._spread(self._hook("_proba", self._prepared(X)), 0.0)

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
        if (answers := partition_answers(self, "predict_log_proba", X)) is not None:
            return answers
        if self.accepts.sparse and issparse(X):
            return self._by_chunks(self.predict_log_proba, X)
        rows = self._prepared(X)
        if hasattr(self, "_log_proba"):
            return self._spread(self._hook("_log_proba", rows), -np.inf)
        with np.errstate(divide="ignore"):
            return self._spread(np.log(self._hook("_proba", rows)), -np.inf)

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
        mixin = ClassifierMixin if self._predicts_classes() else RegressorMixin
        model: Any = self
        if (answers := partition_answers(self, "predict", X)) is not None:
            model, X = _Predicted(), brought_here(answers)  # rows stay where they are
        # Typed for learners, but needs predict only.
        return float(mixin.score(model, X, brought_here(y), brought_here(sample_weight)))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if self._predicts_classes():
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        else:
            tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        return tags


class _Predicted:
    """In the place of a learner for rows that have been predicted: what is passed are the predictions."""

    def predict(self, predictions: NDArray[Any]) -> NDArray[Any]:
        """The predictions."""
        return predictions


def spread_scores(scores: Floats, learned: NDArray[Any], classes: NDArray[Any]) -> Floats:
    """Scores for all classes from those of the learned ones; the others have -inf and are never chosen.

    Parameters
    ----------
    scores : ndarray of shape (n_rows,) or (n_rows, n_learned)
        With two learned classes, positive means the second.
    learned, classes : ndarray
        The labels, sorted.

    Returns
    -------
    ndarray of shape (n_rows,) or (n_rows, n_classes)
        The largest score is that of the class chosen before; with two classes, positive means the second.

    Examples
    --------
    >>> spread_scores(np.array([0.5]), np.array(["a", "c"]), np.array(["a", "b", "c"])).tolist()
    [[-0.5, -inf, 0.5]]
    """
    if len(learned) == len(classes):
        return scores
    whole = np.full((len(scores), len(classes)), -np.inf)
    by_class = np.column_stack([-scores, scores]) if len(learned) == 2 else scores.reshape(len(scores), -1)
    whole[:, np.isin(classes, learned)] = by_class
    return np.asarray(whole[:, 1] - whole[:, 0]) if len(classes) == 2 else whole
