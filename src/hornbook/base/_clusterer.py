"""Learners that find groups of rows."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import ClusterMixin, available_if, with_callbacks
from hornbook.base._learner import has_hook
from hornbook.base._row_scores import RowScores
from hornbook.base.intake._conversion import aligned_block
from hornbook.base.intake._names import check_names, remember_names
from hornbook.params import check

__all__ = ["Clusterer"]


class Clusterer(ClusterMixin, RowScores):
    """Base of clusterers; fitting sets ``labels_``.

    Hooks: ``_predict(X)`` places new rows, ``_row_scores(X)`` says how well each fits in,
    ``_partial_fit(blocks)`` learns more rows.
    """

    supervised: ClassVar[bool] = False

    def _answer(self, rows: Any) -> NDArray[np.int32]:
        return np.asarray(self._predict(rows), dtype=np.int32)

    @available_if(has_hook("_partial_fit"))
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 - same
        """Learn from more rows, keeping what was learned before.

        Parameters
        ----------
        X : Frame, DataFrame, array-like of shape (n_rows, n_columns), Blocks, or sparse matrix
            The rows.
        y : object, optional
            Not used; here because pipelines pass it.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        self : object
            The learner.
        """
        self._leave_intact(self._partial_fit_watched, X, sample_weight)
        return self

    @with_callbacks
    def _partial_fit_watched(self, X: Any, sample_weight: Any) -> None:
        check(self)
        blocks = self._training_blocks(X, None, sample_weight, later=True)
        if not hasattr(self, "schema_"):
            self.schema_ = blocks.schema.features
            remember_names(self, self.schema_)
            blocks = self._learn_conversion(blocks)
        else:
            check_names(self, blocks.schema.features)
            # The conversion of the first call stays: with other fills or levels the centers so far would be
            # in another space.
            blocks = blocks.map(partial(aligned_block, schema=self.schema_, conversion=self._conversion()))
        self._partial_fit(blocks)
