"""Measures of a model's predictions for rows it was not fitted to, each with an interval."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.evaluation.curves._auc import auc_interval
from hornbook.evaluation.folds._predictions import Predictions
from hornbook.evaluation.intervals._bootstrap_interval import bootstrap_interval
from hornbook.evaluation.intervals._interval import Interval, proportion_interval
from hornbook.evaluation.metrics._measure import Measure

__all__ = ["Measured", "measured"]

MOST_DRAWS = 1000  # bootstrap replicates; fewer for many rows
CELLS = 20_000_000  # rows times replicates that take a few seconds


@dataclass(frozen=True)
class Measured:
    """One measure.

    Parameters
    ----------
    name : str
        Its name.
    value : float
        Over all rows.
    interval : Interval, optional
        Confidence interval; None where it cannot be computed.
    """

    name: str
    value: float
    interval: Interval | None

    def __str__(self) -> str:
        return (
            f"{self.value:.4g} (too few rows for an interval)"
            if self.interval is None
            else str(self.interval)
        )

    def to_dict(self) -> dict[str, Any]:
        """Value and interval as plain data."""
        interval = None if self.interval is None else self.interval.to_dict()
        return {"value": self.value, "interval": interval}


def measured(predictions: Predictions, measure: Measure, level: float, seed: int) -> Measured:
    """Compute a measure and its interval: Wilson's for proportions, else by the bootstrap.

    Parameters
    ----------
    predictions : Predictions
        Predictions of the model, with what the measure needs.
    measure : Measure
        The measure, bound to the positive class where it needs one.
    level : float
        Confidence level of the interval.
    seed : int
        Seed of the bootstrap.
    """
    name, predicted, n = measure.name, predictions.needed(measure.needs), len(predictions)
    if predicted is None:
        raise ValueError(f"{name} needs {measure.needs}, which the model does not provide.")
    whole = predictions.score(measure)
    if measure.row_mean is not None and measure.row_mean.share and predictions.weights is None:
        return Measured(name, whole, proportion_interval(round(whole * n), n, level=level))
    # Fewer replicates for many rows, where intervals are narrow anyway; with less than 100 an end of the
    # interval would rest on two or three of them.
    draws = max(100, min(MOST_DRAWS, CELLS // n))
    try:
        if name == "auc" and len(predictions.classes) == 2 and predictions.weights is None:
            drawn = {"positive": predictions.classes[1], "n_replicates": draws, "random_state": seed}
            return Measured(name, whole, auc_interval(predictions.truth, predicted, level=level, **drawn))
        with warnings.catch_warnings():
            # A replicate may lack a class; warnings about all rows were shown above.
            warnings.simplefilter("ignore")
            interval = bootstrap_interval(
                lambda rows: predictions.score(measure, rows),
                np.arange(n),
                n_replicates=draws,
                level=level,
                random_state=seed,
            )
    except ValueError:
        return Measured(name, whole, None)
    return Measured(name, whole, interval)
