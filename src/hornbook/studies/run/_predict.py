"""Predictions of a fitted learner for rows of a study, and their scores."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Predictions, answers_of, can_answer, cost_risk, for_positive, measure_by_name
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["COST", "from_array", "predict", "scores_of", "to_array"]

COST = "cost_risk"  # the measure that needs costs of mistakes
LARGE = 20_000  # rows of a table; above, rows are predicted once only


def predict(model: Any, X: Frame, rows: NDArray[np.intp], metric: str, training: TrainingData) -> Predictions:
    """Predict some rows of a study with a fitted learner; classes are positions, as in its target.

    Parameters
    ----------
    model : Learner
        Fitted to classes, or to numbers.
    X : Frame
        The features of the rows.
    rows : ndarray of int
        Which rows they are.
    metric : str
        The measure that decides. If it takes probabilities and the table is large, the class is the most
        probable one, which for some learners differs from ``predict`` where classes are equally probable.
    training : TrainingData
        The table.
    """
    target, needs = training.target, measure_by_name(metric).needs
    weights = None if training.weights is None else training.weights[rows]
    truth, classes = target.codes[rows], list(target.classes)
    if not classes:
        return Predictions(np.asarray(model.predict(X), dtype=np.float64), truth, weights=weights)
    large, probabilities, scores = len(target) > LARGE, None, None
    if can_answer(model, "probabilities"):
        probabilities = answers_of(model, X, "probabilities", classes)
    elif can_answer(model, "scores") and (needs == "scores" or not large):
        scores = answers_of(model, X, "scores", classes)
    if probabilities is not None and needs == "probabilities" and large and training.costs is None:
        labels = probabilities.argmax(axis=1)
    else:
        labels = target.codes_of(np.asarray(model.predict(X)))
    return Predictions(labels, truth, tuple(range(len(classes))), probabilities, scores, weights)


def scores_of(
    predictions: Predictions,
    metric: str,
    beside: Sequence[str] = (),
    positive: int | None = None,
    costs: NDArray[np.float64] | None = None,
) -> dict[str, float | None]:
    """Measure predictions; None for measures beside the metric that have no value here.

    Parameters
    ----------
    predictions : Predictions
        Of some rows of a study.
    metric : str
        The measure that decides, which must have a value.
    beside : sequence of str, default ()
        Further measures.
    positive : int, optional
        The positive one of two classes.
    costs : ndarray of shape (n_classes, n_classes), optional
        The cost of predicting class i when the truth is class j.
    """
    value = _score(predictions, metric, positive)
    if value is None or not np.isfinite(value):
        raise ValueError(f"its {metric} on the test rows is {value}, which cannot be compared")
    scores: dict[str, float | None] = {metric: value}
    for name in beside:
        try:
            score = _cost(predictions, costs) if name == COST else _score(predictions, name, positive)
        except ValueError:  # not defined on these rows, such as R² of a single one
            score = None
        scores[name] = score if score is not None and np.isfinite(score) else None
    return scores


def _score(predictions: Predictions, name: str, positive: int | None) -> float | None:
    measure = for_positive(measure_by_name(name), predictions.classes, positive)
    if predictions.needed(measure.needs) is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of 0/0 in small folds; the value follows a stated rule
        return predictions.score(measure)


def _cost(predictions: Predictions, costs: NDArray[np.float64] | None) -> float | None:
    if costs is None:
        return None
    labels, weights = list(predictions.classes), predictions.weights
    return cost_risk(predictions.truth, predictions.labels, costs=costs, labels=labels, sample_weight=weights)


def to_array(predictions: Predictions) -> NDArray[Any]:
    """Return what is stored of predictions, as one array: probabilities, if there are any, and labels."""
    if predictions.probabilities is not None:
        # Labels, too: what a learner predicts need not be its most probable class.
        return np.column_stack([predictions.probabilities, predictions.labels.astype(np.float64)])
    return predictions.labels.astype(np.int32 if predictions.classes else np.float64)


def from_array(array: NDArray[Any]) -> tuple[NDArray[Any], Floats | None]:
    """Labels and probabilities, if there are any, of an array that `to_array` made."""
    return (array[:, -1], array[:, :-1]) if array.ndim == 2 else (array, None)
