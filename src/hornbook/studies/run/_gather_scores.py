"""From records to scores, predictions and facts about learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import OutOfFold, PositiveMeasure, Scores, for_positive, measure_by_name
from hornbook.studies._results import AnswerKind, LearnerInfo, Predictions, named
from hornbook.studies.prepare._portfolio import Entrant
from hornbook.studies.prepare._setting_text import range_text
from hornbook.studies.prepare._training_data import Material, class_numbers
from hornbook.studies.run._records import Record, Records

__all__ = ["Gathered", "gather", "out_of_fold"]

Key = tuple[str, int, int]
Needs = Literal["labels", "probabilities", "scores", "numbers"]


@dataclass(frozen=True, eq=False)
class Gathered:
    """What came out of the folds.

    Parameters
    ----------
    scores : Scores
        Of the metric over all folds, with NaN where one is missing.
    common : ndarray of int
        The folds, as columns of the scores, that all learners without a failure have finished.
    beside : dict
        Means of other measures.
    predictions : Predictions
        What was said about rows that were not learned from.
    learners : tuple of LearnerInfo
        What became of each learner.
    """

    scores: Scores
    common: NDArray[np.intp]
    beside: dict[str, dict[str, float]]
    predictions: Predictions
    learners: tuple[LearnerInfo, ...]


def gather(
    entrants: Sequence[Entrant],
    counted: Mapping[Key, Record],
    records: Records,
    material: Material,
    folds: NDArray[np.int64],
    measures: tuple[str, ...],
) -> Gathered:
    """Put records together.

    Parameters
    ----------
    entrants : sequence of Entrant
        The learners.
    counted : mapping
        Records by learner, repeat and fold.
    records : Records
        Knows where answers are.
    material : Material
        The rows.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    measures : tuple of str
        The metric first, then the measures beside it.
    """
    names = [each.name for each in entrants]
    cv = int(folds.max()) + 1
    places = [(repeat, fold) for repeat in range(len(folds)) for fold in range(cv)]
    tables = {measure: _table(names, places, counted, measure) for measure in measures}
    values = tables[measures[0]]
    failed = {record.learner: record.error for record in counted.values() if record.kind != "done"}
    healthy = [i for i, name in enumerate(names) if name not in failed]
    common = np.flatnonzero(np.isfinite(values[healthy]).all(axis=0)) if healthy else np.array([], np.intp)
    infos = tuple(_info(each, [r for r in counted.values() if r.learner == each.name]) for each in entrants)
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
        positive=None if material.positive is None else str(material.classes[material.positive]),
    )
    beside = {measure: _means(names, tables[measure]) for measure in measures[1:]}
    return Gathered(scores, common, beside, _predictions(counted, records, material, folds), infos)


def _table(
    names: Sequence[str], places: Sequence[tuple[int, int]], counted: Mapping[Key, Record], measure: str
) -> NDArray[np.float64]:
    found = np.full((len(names), len(places)), np.nan)
    for i, name in enumerate(names):
        for k, place in enumerate(places):
            record = counted.get((name, *place))
            score = None if record is None else record.scores.get(measure)
            found[i, k] = np.nan if score is None else score
    return found


def _means(names: Sequence[str], table: NDArray[np.float64]) -> dict[str, float]:
    known = {name: row[np.isfinite(row)] for name, row in zip(names, table, strict=True)}
    return {name: float(row.mean()) for name, row in known.items() if len(row)}


def _info(entrant: Entrant, mine: Sequence[Record]) -> LearnerInfo:
    done = [record for record in mine if record.kind == "done"]
    parameters, picked = dict(entrant.parameters), entrant.sensible.chosen
    if values := [r.setting[picked] for r in done if picked in r.setting]:
        parameters[picked] += f": {range_text(values)}"
    failed = [record for record in mine if record.kind != "done"]
    return LearnerInfo(
        entrant.name,
        parameters,
        entrant.scaled,
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
    counted: Mapping[Key, Record], records: Records, material: Material, folds: NDArray[np.int64]
) -> Predictions:
    names = list(dict.fromkeys(record.learner for record in counted.values() if record.kind == "done"))
    kinds: dict[str, AnswerKind] = {}
    answers: dict[str, list[NDArray[Any]]] = {}
    decided: dict[str, list[NDArray[np.float64]]] = {}
    k = len(material.classes)
    n_repeats, n_rows = folds.shape
    for name in names:
        decided[name] = [np.full(n_rows, np.nan) for _ in range(n_repeats)]
        answers[name] = decided[name]
        kinds[name] = "labels" if k else "numbers"
    for (name, repeat, fold), record in counted.items():
        packed = records.answers(record) if record.kind == "done" else None
        if packed is None:
            continue
        rows = folds[repeat] == fold
        if packed.ndim == 2:
            if kinds[name] != "probabilities":
                kinds[name] = "probabilities"
                answers[name] = [np.full((n_rows, k), np.nan) for _ in range(n_repeats)]
            answers[name][repeat][rows] = packed[:, :k]
        decided[name][repeat][rows] = packed[:, k] if packed.ndim == 2 else packed
    for name in names:
        if kinds[name] == "labels":
            answers[name] = [named(material.classes, codes) for codes in decided[name]]
    shares = {name: decided[name] for name in names if kinds[name] == "probabilities"}
    given = (material.rows, material.truth, folds, kinds, answers)
    return Predictions(*given, material.classes, material.weights, shares)


def out_of_fold(gathered: Gathered, material: Material, repeats: Sequence[int]) -> OutOfFold | None:
    """Predictions in the form the metric takes, of repeats that are complete; None if there are none.

    Parameters
    ----------
    gathered : Gathered
        What came out of the folds.
    material : Material
        The rows.
    repeats : sequence of int
        The complete repeats.
    """
    needs = measure_by_name(gathered.scores.measure).needs
    predictions = gathered.predictions
    answers: dict[str, list[NDArray[Any]]] = {}
    for name, complete in zip(gathered.scores.names, gathered.scores.complete, strict=True):
        if complete or name not in gathered.scores.errors:
            found = [_as_needed(predictions, name, repeat, needs) for repeat in repeats]
            if any(each is None for each in found):
                return None
            answers[name] = [each for each in found if each is not None]
    if not repeats or not answers:
        return None
    labels = list(range(len(material.classes))) if material.classes else None
    measure = for_positive(measure_by_name(gathered.scores.measure), labels or (), material.positive)
    if not isinstance(measure, PositiveMeasure):
        return OutOfFold(np.asarray(material.y), answers, material.weights, labels)
    turned = {name: [measure.turned(each) for each in found] for name, found in answers.items()}
    options = {"positive": measure.positive}
    return OutOfFold(np.asarray(material.y), turned, material.weights, labels, options)


def _as_needed(predictions: Predictions, name: str, repeat: int, needs: Needs) -> NDArray[Any] | None:
    """Answers of a learner as a measure takes them; None if it did not give them so."""
    found = predictions.answers[name][repeat]
    if needs == "numbers":
        return found
    if predictions.kinds[name] != "probabilities":
        if needs != "labels":
            return None
        return class_numbers(found, predictions.classes)
    if needs == "labels":
        return predictions.decided[name][repeat].astype(np.int64)
    return found[:, 1] if needs == "scores" and found.shape[1] == 2 else found
