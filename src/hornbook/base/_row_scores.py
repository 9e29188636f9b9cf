"""Learners that say without a target how well rows fit their model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from scipy.sparse import issparse

from hornbook._scikit import available_if
from hornbook.base._learner import Learner, has_hook
from hornbook.base.intake._weights import checked_weights, weight_factor, weight_range
from hornbook.frame import brought_here, partition_answers
from hornbook.params import Floats

__all__ = ["DensityMixin", "RowScores"]


class RowScores(Learner):
    """Base of learners that score rows; the hook ``_row_scores(X)`` gives a number a row, high if it fits."""

    # Whether the score of a table is the mean of those of its rows; their sum otherwise.
    mean_score: ClassVar[bool] = False

    _row_scores: Callable[[Any], Floats]

    @available_if(has_hook("_row_scores"))
    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: ARG002 - as in pipelines
        """Say how well rows fit: the mean of the logs of their densities, or minus the sum of their losses.

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
            The greater the better.
        """
        if (answers := partition_answers(self, "_scored", X)) is not None:
            scores = brought_here(answers)
        elif self.accepts.sparse and issparse(X):
            scores = self._by_chunks(self._scored, X)
        else:
            scores = self._scored(X)
        weights = checked_weights(brought_here(sample_weight), len(scores))
        weight_factor(*weight_range(weights))  # refuses weights that are all 0
        # Not a BLAS product, whose last digits may depend on the number of threads.
        total = scores.sum() if weights is None else (weights * scores).sum()
        if not self.mean_score:
            return float(total)
        return float(total / (len(scores) if weights is None else weights.sum()))

    def _scored(self, X: Any) -> Floats:
        """The scores of rows that have not been looked at yet."""
        return self._row_scores(self._prepared(X))


class DensityMixin(RowScores):
    """Mixin of learners with a density; the hook ``_log_density(X)`` gives its logarithm for rows."""

    mean_score: ClassVar[bool] = True

    _log_density: Callable[[Any], Floats]

    def score_samples(self, X: Any) -> Floats:
        """Compute the log of the density of each row; the lowest belong to outliers.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows; missing cells are left out.

        Returns
        -------
        densities : ndarray of shape (n_rows,)
            Natural logarithms.
        """
        if (answers := partition_answers(self, "score_samples", X)) is not None:
            return answers
        return self._log_density(self._prepared(X))

    def _row_scores(self, rows: Any) -> Floats:
        return self._log_density(rows)
