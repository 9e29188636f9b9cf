"""The measure that decides, and the others that are reported."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hornbook.evaluation import (
    PositiveMeasure,
    Predictions,
    can_answer,
    choose_positive,
    default_measure,
    for_positive,
    measure_by_name,
    measures,
    suggest_measure,
)
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._portfolio import Candidate
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["choose_metric", "with_positive"]


def choose_metric(settings: Settings, taken: Sequence[Candidate], training: TrainingData) -> tuple[str, str]:
    """Return the name of the measure that decides, and a sentence about the choice.

    Log loss if all learners give probabilities, else error rate; root mean squared error for numbers.
    """
    if settings.metric is not None:
        _try_out(settings.metric, settings, training)
        return settings.metric, f"metric: {settings.metric}, as requested"
    # Proper scoring rules such as log loss reward honest probabilities (Gneiting and Raftery 2007), but rank
    # only learners that give them.
    without = [candidate.name for candidate in taken if not can_answer(candidate.learner, "probabilities")]
    name = default_measure(classes=settings.task == "classification", probabilities=not without).name
    if settings.task == "regression":
        return name, f"metric: {name}, the root mean squared error; metric= names another"
    if not without:
        return name, f"metric: {name}, because all learners give probabilities; metric= names another"
    return name, f"metric: {name}, because {without[0]} gives no probabilities"


def with_positive(training: TrainingData, settings: Settings) -> tuple[TrainingData, Settings, str]:
    """Choose the positive class of two on the whole table; also return a note about it, or "".

    Parameters
    ----------
    training : TrainingData
        All rows.
    settings : Settings
        Settings of the user.
    """
    if len(training.classes) != 2:
        if settings.positive is not None:
            what = f"has {len(training.classes)} classes" if training.classes else "holds numbers"
            raise StudyError(
                f"positive= is for two classes, and the target {settings.target!r} {what}: leave it out."
            )
        return training, settings, ""
    # On the whole table, because folds must not disagree on which class is the positive one.
    masses = np.bincount(training.y, training.weights, 2).tolist()
    try:
        label, why = choose_positive(dict(zip(training.classes, masses, strict=True)), settings.positive)
    except ValueError as error:
        raise StudyError(f"study: parameter 'positive': {error}") from error
    fixed = replace(training, positive=training.classes.index(label))
    known = settings.metric in measures()
    matters = known and isinstance(
        for_positive(measure_by_name(str(settings.metric)), training.classes, label), PositiveMeasure
    )
    note = f"positive: {str(label)!r}, {why}; positive= names the other"
    return fixed, replace(settings, positive=str(label)), note if matters else ""


def _try_out(name: str, settings: Settings, training: TrainingData) -> None:
    """Measure perfect predictions: a measure that cannot be used here says so before anything is fitted."""
    fitting = [measure for measure in measures() if _fits(measure, settings.task)]
    if name not in measures() or name not in fitting:
        known = name in measures()
        raise StudyError(
            f"{name!r} {'is not a measure for' if known else 'is not a measure; for'} {settings.task}"
            f"{';' if known else ''} there are {', '.join(fitting)}."
            f"{'' if known else suggest_measure(name, fitting)}"
        )
    y, classes = training.y, tuple(range(len(training.classes)))
    measure = for_positive(measure_by_name(name), classes, training.positive)
    # Perfect predictions: if even they cannot be measured, no learner's can.
    certain = np.eye(len(classes))[y] if measure.needs in ("probabilities", "scores") else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Predictions(y, y, classes, certain).score(measure)
    except (ValueError, TypeError) as error:
        raise StudyError(f"{name} cannot be the metric of this study: {error}") from error


def _fits(name: str, task: str) -> bool:
    return (measure_by_name(name).needs == "numbers") == (task == "regression")
