"""Learners that give each row a density."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hornbook.base.intake._weights import checked_weights
from hornbook.params import Floats

__all__ = ["DensityMixin"]


class DensityMixin:
    """Mixin of learners with a density; the hook ``_log_density(X)`` gives its logarithm for rows."""

    _log_density: Callable[[Any], Floats]
    _prepared: Callable[[Any], Any]

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

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: ARG002 - as in pipelines
        """Compute the mean of the logs of the densities of rows.

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
        densities = self.score_samples(X)
        return float(np.average(densities, weights=checked_weights(sample_weight, len(densities))))
