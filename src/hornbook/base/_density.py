"""Learners that give each row a density."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from hornbook.base._row_scores import RowScores
from hornbook.params import Floats

__all__ = ["DensityMixin"]


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
        return self._log_density(self._prepared(X))

    def _row_scores(self, rows: Any) -> Floats:
        return self._log_density(rows)
