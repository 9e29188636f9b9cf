"""From records to scores, predictions and facts about learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import (
    OutOfFold,
    PositiveMeasure,
    Predictions,
    Scores,
    for_positive,
    measure_by_name,
)
from hornbook.studies._results import LearnerInfo, OutOfFoldPredictions, PredictionKind, named
from hornbook.studies.prepare._portfolio import Candidate
from hornbook.studies.prepare._setting_text import range_text
from hornbook.studies.prepare._training_data import TrainingData
from hornbook.studies.run._predict import from_array
from hornbook.studies.run._records import Record, Records

__all__ = ["Gathered", "gather", "info_of", "means_of", "out_of_fold", "table_of"]

Key = tuple[str, int, int]
Needs = Literal["labels", "probabilities", "scores", "numbers"]


@dataclass(frozen=True, eq=False)
class Gathered:
    """Results of the folds.

    Parameters
    ----------
    scores : Scores
        Of the metric over all folds, with NaN where one is missing.
    common : ndarray of int
        The folds, as columns of the scores, that all learners without a failure have finished.
    beside : dict
        Means of other measures.
    predictions : OutOfFoldPredictions
        Predictions for rows that were not in the training set.
    learners : tuple of LearnerInfo
        The outcome of each learner.
    """

    scores: Scores
    common: NDArray[np.intp]
    beside: dict[str, dict[str, float]]
    predictions: OutOfFoldPredictions
    learners: tuple[LearnerInfo, ...]


def gather(
    candidates: Sequence[Candidate],
    counted: Mapping[Key, Record],
    records: Records,
    training: TrainingData,
    folds: NDArray[np.int64],
    measures: tuple[str, ...],
) -> Gathered:
    """Collect the records of all folds.

    Parameters
    ----------
    candidates : sequence of Candidate
        The learners.
    counted : mapping
        Records by learner, repeat and fold.
    records : Records
        Reads the predictions.
    training : TrainingData
        The rows.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    measures : tuple of str
        The metric first, then the measures beside it.
    """
    names = [candidate.name for candidate in candidates]
    cv = int(folds.max()) + 1
    places = [(repeat, fold) for repeat in range(len(folds)) for fold in range(cv)]
    tables = {measure: table_of(names, places, counted, measure) for measure in measures}
    values = tables[measures[0]]
    failed = {record.learner: record.error for record in counted.values() if record.kind != "done"}
    healthy = [i for i, name in enumerate(names) if name not in failed]
    common = np.flatnonzero(np.isfinite(values[healthy]).all(axis=0)) if healthy else np.array([], np.intp)
    infos = tuple(info_of(one, [r for r in counted.values() if r.learner == one.name]) for one in candidates)
    n_test = np.array([int((folds[repeat] == fold).sum()) for repeat, fold in places], dtype=np.int64)
    scores = Scores(
        measures[0],
        measure_by_name(measures[0]).greater_is_better,
        tuple(names),
        values,
        folds.shape[1] - n_test,
        n_test,
        errors=failed,
        seconds={info.name: info.fit_seconds for info in infos},
        stored={info.name: info.stored for info in infos},
        positive=None if training.positive is None else str(training.classes[training.positive]),
    )
    beside = {measure: means_of(names, tables[measure]) for measure in measures[1:]}
    return Gathered(scores, common, beside, _predictions(counted, records, training, folds), infos)


def table_of(
    names: Sequence[str], places: Sequence[tuple[int, int]], counted: Mapping[Key, Record], measure: str
) -> NDArray[np.float64]:
    """Return the values of a measure, one row for each learner, NaN where a fold is missing."""
    scores = np.full((len(names), len(places)), np.nan)
    for i, name in enumerate(names):
        for k, place in enumerate(places):
            record = counted.get((name, *place))
            score = None if record is None else record.scores.get(measure)
            scores[i, k] = np.nan if score is None else score
    return scores


def means_of(names: Sequence[str], table: NDArray[np.float64]) -> dict[str, float]:
    """Return the mean of each learner over its known values."""
    known = {name: row[np.isfinite(row)] for name, row in zip(names, table, strict=True)}
    return {name: float(row.mean()) for name, row in known.items() if len(row)}


def info_of(candidate: Candidate, mine: Sequence[Record]) -> LearnerInfo:
    """Return the outcome for a learner from its records."""
    done = [record for record in mine if record.kind == "done"]
    parameters, picked = dict(candidate.parameters), candidate.sensible.chosen
    if values := [r.setting[picked] for r in done if picked in r.setting]:
        parameters[picked] += f": {range_text(values)}"
    failed = [record for record in mine if record.kind != "done"]
    return LearnerInfo(
        candidate.name,
        parameters,
        candidate.scaled,
        len(done),
        len(failed),
        failed[0].error if failed else "",
        float(np.mean([r.fit_seconds for r in done])) if done else None,
        float(np.mean([r.predict_seconds for r in done])) if done else None,
        float(np.mean([r.stored for r in done])) if done else None,
        next((r.warning for r in done if r.warning), ""),
        tuple({"repeat": r.repeat, "fold": r.fold, "setting": r.setting} for r in done if picked),
    )


def _predictions(
    counted: Mapping[Key, Record], records: Records, training: TrainingData, folds: NDArray[np.int64]
) -> OutOfFoldPredictions:
    names = list(dict.fromkeys(record.learner for record in counted.values() if record.kind == "done"))
    classes, (n_repeats, n_rows) = training.classes, folds.shape
    probabilities: dict[str, list[NDArray[np.float64]]] = {}
    decided = {name: [np.full(n_rows, np.nan) for _ in range(n_repeats)] for name in names}
    for (name, repeat, fold), record in counted.items():
        array = records.predictions(record) if record.kind == "done" else None
        if array is None:
            continue
        rows = folds[repeat] == fold
        decided[name][repeat][rows], of_rows = from_array(array)
        if of_rows is not None:
            if name not in probabilities:
                probabilities[name] = [np.full((n_rows, len(classes)), np.nan) for _ in range(n_repeats)]
            probabilities[name][repeat][rows] = of_rows
    kinds: dict[str, PredictionKind] = dict.fromkeys(names, "labels" if classes else "numbers")
    answers: dict[str, list[NDArray[Any]]] = dict(decided)
    if classes:
        answers = {name: [named(classes, codes) for codes in decided[name]] for name in names}
    answers |= probabilities
    kinds |= dict.fromkeys(probabilities, "probabilities")
    labels = {name: decided[name] for name in probabilities}
    return OutOfFoldPredictions(
        training.rows, training.target.labels, folds, kinds, answers, classes, training.weights, labels
    )


def out_of_fold(gathered: Gathered, training: TrainingData, repeats: Sequence[int]) -> OutOfFold | None:
    """Predictions in the form the metric takes, of repeats that are complete; None if there are none.

    Parameters
    ----------
    gathered : Gathered
        What came out of the folds.
    training : TrainingData
        The rows.
    repeats : sequence of int
        The complete repeats.
    """
    chosen = measure_by_name(gathered.scores.measure)
    predicted: dict[str, list[NDArray[Any]]] = {}
    for name, complete in zip(gathered.scores.names, gathered.scores.complete, strict=True):
        if complete or name not in gathered.scores.errors:
            parts = [
                _needed(gathered.predictions, name, repeat, chosen.needs, training) for repeat in repeats
            ]
            predicted[name] = [part for part in parts if part is not None]
            if len(predicted[name]) < len(parts):
                return None
    if not repeats or not predicted:
        return None
    labels = list(range(len(training.classes))) if training.classes else None
    measure = for_positive(chosen, labels or (), training.positive)
    if not isinstance(measure, PositiveMeasure):
        return OutOfFold(np.asarray(training.y), predicted, training.weights, labels)
    turned = {name: [measure.turned(part) for part in parts] for name, parts in predicted.items()}
    options = {"positive": measure.positive}
    return OutOfFold(np.asarray(training.y), turned, training.weights, labels, options)


def _needed(
    predictions: OutOfFoldPredictions, name: str, repeat: int, needs: Needs, training: TrainingData
) -> NDArray[Any] | None:
    """Predictions of a learner in the form a measure needs; None if it does not provide it."""
    predicted = predictions.answers[name][repeat]
    if needs == "numbers":
        return predicted
    if predictions.kinds[name] == "probabilities":
        labels, probabilities = predictions.decided[name][repeat].astype(np.int64), predicted
    else:
        labels, probabilities = training.target.codes_of(predicted), None
    return Predictions(labels, training.y, training.classes, probabilities).needed(needs)
