"""One learner, fitted and measured on the rows it learned from and on rows it did not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from hornbook.evaluation.folds._scorer import measure_learner
from hornbook.evaluation.metrics._measure import Measure, as_measure
from hornbook.evaluation.splits._kfold import KFold, Split, Splitter
from hornbook.evaluation.splits._rows import count_rows, same_rows, take_rows
from hornbook.evaluation.splits._stratified import StratifiedKFold
from hornbook.frame import Frame, as_frame

__all__ = ["Experiment", "experiment"]

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Experiment:
    """Rows, folds and a measure, all that a learner meets."""

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    folds: list[Split]
    measure: Measure

    def scores(self, learner: Any, train: Rows, test: Rows) -> tuple[float, float]:
        """Fit a copy of a learner on some rows; return its score there and on others."""
        options = {} if self.weights is None else {"sample_weight": self.weights[train]}
        model = clone(learner)
        model.fit(take_rows(self.X, train), self.y[train], **options)
        return self._score(model, train), self._score(model, test)

    def _score(self, model: Any, rows: Rows) -> float:
        weights = None if self.weights is None else self.weights[rows]
        return measure_learner(
            self.measure, model, take_rows(self.X, rows), self.y[rows], sample_weight=weights
        )


def experiment(
    function: str,
    learner: Any,
    X: Any,
    y: Any,
    *,
    cv: Splitter | int,
    measure: str | Callable[..., Any] | None,
    groups: Any = None,
    sample_weight: Any = None,
) -> Experiment:
    """Check and cut the rows once, for all fits."""
    if isinstance(X, Frame):
        y, groups = X.y if y is None else y, X.groups if groups is None else groups
        sample_weight, X = X.w if sample_weight is None else sample_weight, X.features
    elif hasattr(learner, "accepts"):
        X = as_frame(X)  # our own learners read a Frame as it is, and it is made once
    if y is None:
        raise ValueError(f"{function}: 'y' is missing; pass the target, or a Frame that has one.")
    columns = same_rows(count_rows(X), y=y, groups=groups, sample_weight=sample_weight)
    target, weights = np.asarray(columns["y"]), columns["sample_weight"]
    classes = is_classifier(learner)
    if measure is None:
        measure = ("log_loss" if hasattr(learner, "predict_proba") else "error_rate") if classes else "rmse"
    if isinstance(cv, int):
        cv = (StratifiedKFold if classes else KFold)(cv, shuffle=True, random_state=0)
    return Experiment(
        X,
        target,
        None if weights is None else weights.astype(np.float64),
        list(cv.split(X, target, columns["groups"])),
        as_measure(measure),
    )
