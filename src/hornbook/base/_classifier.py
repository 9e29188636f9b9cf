"""Learners that choose one of several classes."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import ClassifierMixin, available_if, with_callbacks
from hornbook.base._learner import has_hook
from hornbook.base._predictor import Predictor
from hornbook.base.intake._coded_target import labels_of
from hornbook.base.intake._conversion import aligned_block
from hornbook.base.intake._names import check_names, remember_names, remember_target
from hornbook.base.intake._target import distinct_labels, target_array
from hornbook.frame import Block, Schema, align
from hornbook.params import Floats, check

__all__ = ["Classifier"]


class Classifier(ClassifierMixin, Predictor):
    """Base of classifiers; the hook ``_partial_fit(blocks)`` learns more rows."""

    score = Predictor.score  # before the mixin's

    def _predicts_classes(self) -> bool:
        return True

    def _evenly(self, amount: float) -> Floats:
        """An amount for each class, the same for all whose rows weigh anything: what smoothing adds."""
        absent = getattr(self, "absent_classes_", None)
        if absent is None:  # nearly always, and asked for with every prediction
            return np.full(len(self.classes_), amount / len(self.classes_))
        present = ~np.isin(self.classes_, absent)
        return np.asarray(amount / present.sum() * present)

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
            self.classes_ = labels_of(blocks)[0] if classes is None else _named(classes)
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


def _with_new_levels(block: Block, schema: Schema) -> Schema:
    return align(block.X, schema, extend=True, start=block.start).schema


def _named(classes: Any) -> NDArray[Any]:
    labels = np.asarray(classes)
    return distinct_labels(target_array(labels, len(labels), "partial_fit"))
