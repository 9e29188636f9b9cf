"""Rows with their target, groups and weights: some of them to learn from, some to measure on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from hornbook.evaluation.folds._scorer import measure_learner
from hornbook.evaluation.metrics._measure import Measure
from hornbook.evaluation.splits._kfold import Rows
from hornbook.evaluation.splits._rows import count_rows, same_rows, take_rows
from hornbook.frame import Frame

__all__ = ["Supervised"]


@dataclass(frozen=True, eq=False)
class Supervised:
    """A table with what belongs to its rows.

    Parameters
    ----------
    X : table
        The features.
    y : ndarray of shape (n_rows,)
        The target.
    groups : ndarray of shape (n_rows,) or None
        Group of each row.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row.
    """

    X: Any
    y: NDArray[Any]
    groups: NDArray[Any] | None = None
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, who: str, X: Any, y: Any = None, groups: Any = None, sample_weight: Any = None) -> Supervised:
        """Put together what was given; a Frame brings what its roles say.

        Parameters
        ----------
        who : str
            Function to name in errors.
        X, y, groups, sample_weight
            As the user gave them.
        """
        if isinstance(X, Frame):
            y, groups = X.y if y is None else y, X.groups if groups is None else groups
            sample_weight, X = X.w if sample_weight is None else sample_weight, X.features
        if y is None:
            raise ValueError(f"{who}: the target is needed: give y, or a Frame with a target.")
        columns = same_rows(count_rows(X), y=y, groups=groups, sample_weight=sample_weight)
        weights = columns["sample_weight"]
        numbers = None if weights is None else weights.astype(np.float64)
        return cls(X, np.asarray(columns["y"]), columns["groups"], numbers)

    def __getitem__(self, rows: Rows) -> Supervised:
        parts = (take_rows(each, rows) for each in (self.X, self.y, self.groups, self.weights))
        return Supervised(*parts)

    def fitted(self, learner: Any) -> Any:
        """Return a clone of the learner, fitted to all rows with their weights."""
        if self.weights is None:
            return clone(learner).fit(self.X, self.y)
        if not has_fit_parameter(learner, "sample_weight"):
            raise TypeError(f"{type(learner).__name__} takes no weights: leave sample_weight out.")
        return clone(learner).fit(self.X, self.y, sample_weight=self.weights)

    def measured(self, measure: Measure, model: Any) -> float:
        """Measure a fitted learner on all rows with their weights."""
        return measure_learner(measure, model, self.X, self.y, sample_weight=self.weights)
