"""From records to scores, predictions and facts about learners."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
from hornbook.studies.prepare._folds import training_and_test
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
        The folds, as columns of the scores, that all learners have finished that neither failed nor were
        stopped.
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
    stopped: Collection[str] = (),
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
    stopped : collection of str, default ()
        Learners that a race has stopped.
    """
    names = [candidate.name for candidate in candidates]
    scores = scores_of_folds(candidates, counted, training, folds, measures[0])
    values = scores.values
    # Learners are compared fold by fold, so that only folds count which all of them have; one that failed or
    # was stopped must not take folds away from the others.
    healthy = [i for i, name in enumerate(names) if name not in {*scores.errors, *stopped}]
    common = np.flatnonzero(np.isfinite(values[healthy]).all(axis=0)) if healthy else np.array([], np.intp)
    infos = tuple(info_of(one, [r for r in counted.values() if r.learner == one.name]) for one in candidates)
    scores = replace(
        scores,
        seconds={info.name: info.fit_seconds for info in infos},
        stored={info.name: info.stored for info in infos},
    )
    places = _places(folds)
    beside = {name: means_of(names, table_of(names, places, counted, name)) for name in measures[1:]}
    return Gathered(scores, common, beside, _predictions(counted, records, training, folds), infos)


def scores_of_folds(
    candidates: Sequence[Candidate],
    counted: Mapping[Key, Record],
    training: TrainingData,
    folds: NDArray[np.int64],
    metric: str,
) -> Scores:
    """Return the scores of the metric, fold by fold.

    Parameters
    ----------
    candidates, counted, training, folds
        As of `gather`.
    metric : str
        The measure that decides.
    """
    names, places = [candidate.name for candidate in candidates], _places(folds)
    sizes = [
        [len(part) for part in training_and_test(folds[repeat], fold, forward=training.times is not None)]
        for repeat, fold in places
    ]
    n_train, n_test = np.array(sizes, dtype=np.int64).T
    return Scores(
        metric,
        measure_by_name(metric).greater_is_better,
        tuple(names),
        table_of(names, places, counted, metric),
        n_train,
        n_test,
        errors={record.learner: record.error for record in counted.values() if record.kind != "done"},
        positive=None if training.positive is None else str(training.classes[training.positive]),
    )


def _places(folds: NDArray[np.int64]) -> list[tuple[int, int]]:
    return [(repeat, fold) for repeat in range(len(folds)) for fold in range(int(folds.max()) + 1)]


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
    # A measure may be undefined in a fold, for example where a class has no test rows.
    known = {name: row[np.isfinite(row)] for name, row in zip(names, table, strict=True)}
    return {name: float(row.mean()) for name, row in known.items() if len(row)}


def info_of(candidate: Candidate, mine: Sequence[Record]) -> LearnerInfo:
    """Return the outcome for a learner from its records."""
    done = [record for record in mine if record.kind == "done"]
    parameters, tuned = dict(candidate.parameters), candidate.sensible.tuned
    for name in tuned:
        if values := [r.setting[name] for r in done if name in r.setting]:
            parameters[name] += f": {range_text(values)}"
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
        tuple({"repeat": r.repeat, "fold": r.fold, "setting": r.setting} for r in done if tuned or r.setting),
    )


def _predictions(
    counted: Mapping[Key, Record], records: Records, training: TrainingData, folds: NDArray[np.int64]
) -> OutOfFoldPredictions:
    names = list(dict.fromkeys(record.learner for record in counted.values() if record.kind == "done"))
    classes, (n_repeats, n_rows) = training.classes, folds.shape
    probabilities: dict[str, list[NDArray[np.float64]]] = {}
    # NaN marks rows without a prediction: of folds that failed, and of the earliest times.
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


def out_of_fold(
    gathered: Gathered, training: TrainingData, repeats: Sequence[int], stopped: Collection[str] = ()
) -> OutOfFold | None:
    """Predictions in the form the metric takes, of repeats that are complete; None if there are none.

    Parameters
    ----------
    gathered : Gathered
        What came out of the folds.
    training : TrainingData
        The rows.
    repeats : sequence of int
        The complete repeats.
    stopped : collection of str, default ()
        Learners that a race has stopped, which have no complete repeat or were not chosen from.
    """
    chosen = measure_by_name(gathered.scores.measure)
    predicted: dict[str, list[NDArray[Any]]] = {}
    # In time, the earliest rows are in no test set.
    tested = np.flatnonzero((gathered.predictions.folds >= 0).all(axis=0))
    for name, complete in zip(gathered.scores.names, gathered.scores.complete, strict=True):
        if name not in stopped and (complete or name not in gathered.scores.errors):
            parts = [
                _needed(gathered.predictions, name, repeat, chosen.needs, training, tested)
                for repeat in repeats
            ]
            predicted[name] = [part for part in parts if part is not None]
            # Rows are compared in pairs, which needs the predictions of every learner in every repeat.
            if len(predicted[name]) < len(parts):
                return None
    if not repeats or not predicted:
        return None
    labels = list(range(len(training.classes))) if training.classes else None
    measure = for_positive(chosen, labels or (), training.positive)
    truth = np.asarray(training.y)[tested]
    weights = None if training.weights is None else training.weights[tested]
    if not isinstance(measure, PositiveMeasure):
        return OutOfFold(truth, predicted, weights, labels)
    turned = {name: [measure.turned(part) for part in parts] for name, parts in predicted.items()}
    return OutOfFold(truth, turned, weights, labels, {"positive": measure.positive})


def _needed(
    predictions: OutOfFoldPredictions,
    name: str,
    repeat: int,
    needs: Needs,
    training: TrainingData,
    rows: NDArray[np.intp],
) -> NDArray[Any] | None:
    """Predictions of a learner in the form a measure needs; None if it does not provide it."""
    predicted = predictions.answers[name][repeat][rows]
    if needs == "numbers":
        return predicted
    if predictions.kinds[name] == "probabilities":
        labels, probabilities = predictions.decided[name][repeat][rows].astype(np.int64), predicted
    else:
        labels, probabilities = training.target.codes_of(predicted), None
    return Predictions(labels, training.y[rows], training.classes, probabilities).needed(needs)
