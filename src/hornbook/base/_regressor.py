"""Learners that predict a number."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

from hornbook._scikit import RegressorMixin, available_if, with_callbacks
from hornbook.base._learner import has_hook
from hornbook.base._predictor import Predictor
from hornbook.base.intake._coded_target import with_numbers
from hornbook.base.intake._conversion import aligned_block
from hornbook.base.intake._names import check_names, remember_names, remember_target
from hornbook.params import check

__all__ = ["Regressor"]


class Regressor(RegressorMixin, Predictor):
    """Base of regressors; the hook ``_partial_fit(blocks)`` learns more rows."""

    score = Predictor.score  # before the mixin's

    def _predicts_classes(self) -> bool:
        return False

    @available_if(has_hook("_partial_fit"))
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, keeping what was learned before.

        Parameters
        ----------
        X : Frame, DataFrame or array-like of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their numbers; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner.
        """
        self._leave_intact(self._partial_fit_watched, X, y, sample_weight)
        return self

    @with_callbacks
    def _partial_fit_watched(self, X: Any, y: Any, sample_weight: Any) -> None:
        check(self)
        blocks = with_numbers(self._training_blocks(X, y, sample_weight, later=True))
        if not hasattr(self, "schema_"):
            self.schema_ = blocks.schema.features
            remember_names(self, self.schema_)
            # Only in the first call, as the columns: later calls must fit to what the model already says.
            remember_target(self, X, y)
            blocks = self._learn_conversion(blocks)
        else:
            check_names(self, blocks.schema.features)
            blocks = blocks.map(partial(aligned_block, schema=self.schema_, conversion=self._conversion()))
        self._partial_fit(blocks)
