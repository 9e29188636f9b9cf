"""Learners that find groups of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import ClusterMixin
from sklearn.callback import with_callbacks
from sklearn.utils.metaestimators import available_if

from hornbook.base._learner import Learner, has_hook
from hornbook.base.intake._conversion import aligned_block
from hornbook.base.intake._names import check_names, remember_names
from hornbook.base.intake._weights import checked_weights, weight_factor, weight_range
from hornbook.params import Floats, check

__all__ = ["Clusterer"]


class Clusterer(ClusterMixin, Learner):
    """Base of clusterers; fitting sets ``labels_``.

    Hooks: ``_predict(X)`` places new rows, ``_losses(X)`` says how badly each fits in,
    ``_partial_fit(blocks)`` learns more rows.
    """

    supervised: ClassVar[bool] = False
    _losses: Callable[[Any], Floats]

    def _answer(self, rows: Any) -> NDArray[np.int32]:
        return np.asarray(self._predict(rows), dtype=np.int32)

    @available_if(has_hook("_losses"))
    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: ARG002 - as in pipelines
        """Say how well rows fit into the clusters: minus the sum of weight times loss.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : object, optional
            Not used; here because pipelines pass it.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        score : float
            The greater the better, at most 0.
        """
        if self.accepts.sparse and issparse(X):
            losses = self._by_chunks(lambda rows: self._losses(self._prepared(rows)), X)
        else:
            losses = self._losses(self._prepared(X))
        weights = checked_weights(sample_weight, len(losses))
        weight_factor(*weight_range(weights))  # refuses weights that are all 0
        return -float(losses.sum() if weights is None else (weights * losses).sum())

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
            blocks = blocks.map(partial(aligned_block, schema=self.schema_, conversion=self._conversion()))
        self._partial_fit(blocks)
