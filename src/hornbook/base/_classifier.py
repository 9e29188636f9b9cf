"""Learners that choose one of several classes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.callback import with_callbacks
from sklearn.utils.metaestimators import available_if

from hornbook.base._learner import has_hook
from hornbook.base._predictor import Predictor
from hornbook.base._watch import Watch
from hornbook.base.intake._conversion import aligned_block
from hornbook.base.intake._names import check_names, remember_names, remember_target
from hornbook.base.intake._target import DistinctLabels, coded, distinct_labels, target_array
from hornbook.frame import Block, Blocks, Schema, align
from hornbook.params import Floats, Shape, check

__all__ = ["Classifier", "spread_scores"]

LabelPair = tuple[DistinctLabels, DistinctLabels]  # of all rows, and of those that have weight


class Classifier(ClassifierMixin, Predictor):
    """Base of classifiers.

    Hooks: ``_proba(X)`` gives class probabilities, ``_log_proba(X)`` their logarithms,
    ``_decision(X)`` scores, ``_predict(X)`` positions in ``classes_`` where the largest probability or
    score is not the answer, ``_partial_fit(blocks)`` learns more rows.

    A class whose rows all weigh 0 keeps its place in ``classes_`` with probability 0.
    """

    # Whether the hooks themselves give probability 0 to a class whose rows all weigh 0. Other learners never
    # see such a class: they learn and answer as if its rows were not there.
    counts_absent: ClassVar[bool] = False

    score = Predictor.score  # some, such as Baseline, predict numbers when set up for them

    # Classes whose rows all weighed 0; only where there are any.
    absent_classes_: Annotated[NDArray[Any], Shape("n_absent")]

    def _learn_target(self, blocks: Blocks) -> Blocks:
        self.classes_, present = _labels(blocks)
        vars(self).pop("absent_classes_", None)  # of the fit that a warm start goes on from
        if len(present) < len(self.classes_):
            self.absent_classes_ = np.setdiff1d(self.classes_, present)
        if self._lacks_classes():
            absent, self.classes_ = self.absent_classes_, present
            blocks = blocks.where(partial(_has_other_class, absent=absent))
        return self._with_codes(blocks)

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

    def _evenly(self, amount: float) -> Floats:
        """An amount for each class, the same for all whose rows weigh anything: what smoothing adds."""
        absent = getattr(self, "absent_classes_", None)
        if absent is None:  # nearly always, and asked for with every prediction
            return np.full(len(self.classes_), amount / len(self.classes_))
        present = ~np.isin(self.classes_, absent)
        return np.asarray(amount / present.sum() * present)

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
        if not self._lacks_classes():
            return scores
        return spread_scores(scores, self._core().classes_, self.classes_)

    def _with_codes(self, blocks: Blocks) -> Blocks:
        return blocks.map(partial(_with_codes, classes=self.classes_))

    def _answer(self, rows: Any) -> NDArray[Any]:
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

    @available_if(has_hook("_partial_fit"))
    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, keeping what was learned before.

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
        blocks = self._training_blocks(X, y, sample_weight, later=True)
        if not hasattr(self, "classes_"):
            self.schema_ = blocks.schema.features
            remember_names(self, self.schema_)
            remember_target(self, X, y)
            self.classes_ = _labels(blocks)[0] if classes is None else _named(classes)
            blocks = self._learn_conversion(self._with_codes(blocks))
        else:
            check_names(self, blocks.schema.features)
            self._check_classes(classes)
            blocks = self._with_codes(blocks)
            if self.wants == "frame":  # all levels must be known before the first row is counted
                self.schema_ = blocks.fold(_with_new_levels, self.schema_)
            blocks = blocks.map(partial(aligned_block, schema=self.schema_, conversion=self._conversion()))
        vars(self).pop("absent_classes_", None)  # these rows may have weight in all classes
        self._partial_fit(blocks)

    def _check_classes(self, classes: Any) -> None:
        if classes is not None and not np.array_equal(_named(classes), self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_!r}; name all classes in the first call."
            )


def _present(y: NDArray[Any] | None) -> NDArray[Any]:
    assert y is not None
    return y


def _labels(blocks: Blocks) -> tuple[NDArray[Any], NDArray[Any]]:
    """The labels of all rows, and those of the rows that have any weight."""
    labels, weighty = blocks.reduce(_labels_of, merge=_all_labels)
    return labels.checked(), weighty.ascending()


def _labels_of(block: Block) -> LabelPair:
    y = _present(block.y)
    labels = DistinctLabels.of(y)
    rows = None if block.w is None or block.w.all() else np.flatnonzero(block.w)
    return labels, labels if rows is None else DistinctLabels.of(y[rows])


def _all_labels(one: LabelPair, other: LabelPair) -> LabelPair:
    return one[0].merge(other[0]), one[1].merge(other[1])


def _with_codes(block: Block, classes: NDArray[Any]) -> Block:
    return replace(block, y=coded(_present(block.y), classes))


def _has_other_class(block: Block, absent: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(~np.isin(_present(block.y), absent))


def _with_new_levels(block: Block, schema: Schema) -> Schema:
    return align(block.X, schema, extend=True, start=block.start).schema


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


def _named(classes: Any) -> NDArray[Any]:
    labels = np.asarray(classes)
    return distinct_labels(target_array(labels, len(labels), "partial_fit"))
