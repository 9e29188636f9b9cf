"""Learners that tell outliers from the bulk of the rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import OutlierMixin
from hornbook.base._learner import Learner
from hornbook.frame import partition_answers
from hornbook.params import Floats

__all__ = ["OutlierDetector"]


class OutlierDetector(OutlierMixin, Learner):
    """Base of outlier detectors; the hook ``_decision(X)`` gives scores, below 0 for outliers.

    Fitting sets ``offset_``, by which they differ from `score_samples`.
    """

    supervised: ClassVar[bool] = False

    offset_: float

    def _answer(self, rows: Any) -> NDArray[np.int64]:
        # A row on the boundary is no outlier, as in scikit-learn.
        return np.where(self._decision(rows) >= 0, 1, -1)

    def score_samples(self, X: Any) -> Floats:
        """Score rows without the offset: what `decision_function` gives plus ``offset_``.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            One score for each row; the lowest belong to outliers.
        """
        if (answers := partition_answers(self, "score_samples", X)) is not None:
            return answers
        # scikit-learn's relation: the decision is the raw score less the offset.
        return np.asarray(self.decision_function(X) + self.offset_)
