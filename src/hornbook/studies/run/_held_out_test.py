"""The test in the end: the recommended model predicts rows that no fit and no choice has seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hornbook.evaluation import (
    Predictions,
    answers_of,
    can_answer,
    for_positive,
    measure_by_name,
    measured,
)
from hornbook.studies._held_out import HeldOutScore, HeldOutScores
from hornbook.studies.prepare._held_out_rows import FinalTestRows
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.run._predict import COST
from hornbook.studies.run._shared_table import Shared

__all__ = ["HeldOutTask", "held_out_scores"]


@dataclass(frozen=True)
class HeldOutTask:
    """Predict the rows of a test table.

    Parameters
    ----------
    model : learner
        Fitted to all rows of the study.
    rows : FinalTestRows
        The rows.
    """

    model: Any
    rows: FinalTestRows

    def run(self, shared: Shared) -> Predictions:
        """Predict what the measures need."""
        model, X, truth, classes = self.model, self.rows.features, self.rows.truth, list(shared.classes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of levels that were not there at fit: the study has said so
            labels = np.asarray(model.predict(X))
            if not classes:
                return Predictions(labels.astype(np.float64), truth, weights=self.rows.weights)
            unknown = sorted({label for label in truth.tolist() if label not in classes}, key=str)
            probabilities, scores = None, None
            if can_answer(model, "probabilities"):
                probabilities = answers_of(model, X, "probabilities", classes)
                # A class that the model cannot predict has probability 0, and log loss counts it in full.
                probabilities = np.pad(probabilities, ((0, 0), (0, len(unknown))))
            elif can_answer(model, "scores") and not unknown:
                scores = answers_of(model, X, "scores", classes)
        names = (*classes, *unknown)
        return Predictions(labels, truth, names, probabilities, scores, self.rows.weights)


def held_out_scores(
    prepared: PreparedStudy, predictions: Predictions, baseline: Predictions, say: Callable[[str], None]
) -> HeldOutScores | None:
    """Measure the predictions for the rows of a test table; None if the metric has no value there.

    Parameters
    ----------
    prepared : PreparedStudy
        The study, with held-out rows.
    predictions, baseline : Predictions
        Those of the recommended model, and of `Baseline`.
    say : function
        Takes a sentence about each measure without a value.
    """
    rows, training, settings = prepared.held_out, prepared.training, prepared.settings
    assert rows is not None
    positive = None if training.positive is None else training.classes[training.positive]
    scores = []
    for name in prepared.measures:
        if name == COST:
            scores += _costs(prepared, predictions, baseline)
            continue
        measure = for_positive(measure_by_name(name), predictions.classes, positive)
        if predictions.needed(measure.needs) is None:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of 0/0 in few rows; the value follows a stated rule
                value = measured(predictions, measure, 1 - settings.alpha, settings.seed)
                usual = None if baseline.needed(measure.needs) is None else baseline.score(measure)
        except ValueError as error:
            say(f"test: {name} cannot be computed on the test table: {error}")
            continue
        if np.isfinite(value.value):
            low, high = (None, None) if value.interval is None else (value.interval.low, value.interval.high)
            known = None if usual is None or not np.isfinite(usual) else float(usual)
            scores.append(HeldOutScore(name, float(value.value), low, high, known))
    if not scores or scores[0].measure != prepared.measures[0]:
        return None
    return HeldOutScores(rows.data, len(rows.truth), rows.seen, tuple(scores))


def _costs(prepared: PreparedStudy, predictions: Predictions, baseline: Predictions) -> list[HeldOutScore]:
    """The mean cost of a row of the test table, with its interval; none if it has classes without costs."""
    costs, classes = prepared.training.costs, list(prepared.training.classes)
    assert costs is not None  # there is such a measure
    if len(predictions.classes) > len(classes):
        return []
    place_of = {label: place for place, label in enumerate(classes)}

    def row_costs(one: Predictions) -> NDArray[np.float64]:
        decided, truth = ([place_of[label] for label in part.tolist()] for part in (one.labels, one.truth))
        return np.asarray(costs[decided, truth])

    rows, weights = row_costs(predictions), predictions.weights
    value, usual = (float(np.average(part, weights=weights)) for part in (rows, row_costs(baseline)))
    shares = np.full(len(rows), 1 / len(rows)) if weights is None else weights / weights.sum()
    error = float(np.sqrt((shares**2 * (rows - value) ** 2).sum()))
    q = float(ndtri(1 - prepared.settings.alpha / 2))
    return [HeldOutScore(COST, value, value - q * error, value + q * error, usual)]
