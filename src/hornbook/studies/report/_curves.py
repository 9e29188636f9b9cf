"""The curves of a classification: which are drawn, and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import (
    CalibrationCurve,
    PrecisionRecallCurve,
    RocCurve,
    calibration_curve,
    pr_curve,
    roc_curve,
)
from hornbook.studies._study_data import StudyData
from hornbook.studies.report._numbers import truncated
from hornbook.studies.report._out_of_fold import LearnerPredictions, predictions_of

__all__ = ["Curves", "calibration_curves", "pr_curves", "roc_curves"]

MOST_LEARNERS = 4
MOST_CLASSES = 8
MOST_CALIBRATED = 4  # more lines with intervals hide each other
ROWS_OF_A_BIN = 25  # at least, for an interval narrow enough to be informative
LONGEST = 32  # characters of a name in a legend

Curve = TypeVar("Curve", RocCurve, PrecisionRecallCurve, CalibrationCurve)


@dataclass(frozen=True, eq=False)
class Curves(Generic[Curve]):
    """Curves by name, and a sentence that describes them."""

    curves: dict[str, Curve]
    words: str


@dataclass(frozen=True, eq=False)
class _BinaryTask:
    """Whether each row is of one class, and the predicted probability of that class."""

    name: str
    truth: NDArray[np.bool_]
    probability: NDArray[np.float64]
    weights: NDArray[np.float64] | None


def _binary_tasks(study: StudyData) -> tuple[list[_BinaryTask], str]:
    """Return the best learners side by side for two classes, and one class against the rest for more."""
    first = predictions_of(study.predictions, study.recommended)
    if first is None or first.probabilities is None:
        return [], ""
    if len(study.classes) == 2:
        tasks = [
            _against_rest(study, predictions, 1, predictions.name)
            for predictions in _side_by_side(study, first)
        ]
        return _with_both_classes(tasks), f"The positive class is {study.classes[1]}."
    order = np.argsort([-np.count_nonzero(first.truth == label) for label in study.classes], kind="stable")
    tasks = [_against_rest(study, first, c, str(study.classes[c])) for c in order[:MOST_CLASSES].tolist()]
    rest = len(study.classes) - MOST_CLASSES
    words = f"{first.name}, each class against all others"
    return _with_both_classes(tasks), f"{words}{f'; the {MOST_CLASSES} largest classes' if rest > 0 else ''}."


def _with_both_classes(tasks: list[_BinaryTask]) -> list[_BinaryTask]:
    """Leave out classes to which none, or all, of the predicted rows belong."""
    return [task for task in tasks if 0 < np.count_nonzero(task.truth) < len(task.truth)]


def _side_by_side(study: StudyData, first: LearnerPredictions) -> Iterator[LearnerPredictions]:
    yield first
    assert study.verdict is not None
    others = [s.name for s in study.verdict.standings if s.mean is not None and s.name != first.name]
    predictions = (predictions_of(study.predictions, name) for name in others)
    known = [p for p in predictions if p is not None and p.probabilities is not None]
    yield from known[: MOST_LEARNERS - 1]


def _against_rest(study: StudyData, predictions: LearnerPredictions, c: int, name: str) -> _BinaryTask:
    assert predictions.probabilities is not None
    return _BinaryTask(
        truncated(name, LONGEST),
        np.asarray(predictions.truth == study.classes[c]),
        predictions.probabilities[:, c],
        predictions.weights,
    )


def _curves_of(study: StudyData, curve: Callable[..., Curve]) -> Curves[Curve] | None:
    tasks, words = _binary_tasks(study)
    curves = {
        task.name: curve(task.truth, task.probability, positive=True, sample_weight=task.weights)
        for task in tasks
    }
    return Curves(curves, words) if curves else None


def roc_curves(study: StudyData) -> Curves[RocCurve] | None:
    """Return the ROC curves of a study; None without probabilities."""
    return _curves_of(study, roc_curve)


def pr_curves(study: StudyData) -> Curves[PrecisionRecallCurve] | None:
    """Return the precision-recall curves of a study; None without probabilities."""
    return _curves_of(study, pr_curve)


def calibration_curves(study: StudyData) -> Curves[CalibrationCurve] | None:
    """Return the calibration curves; with many classes one, of the confidence in the predicted class."""
    if len(study.classes) <= MOST_CALIBRATED:
        binned = _curves_of(study, _binned)
        event = f"it is {study.classes[1]}" if len(study.classes) == 2 else "it is the class of the line"
        if binned is None:
            return None
        curves = {name: replace(curve, event=event) for name, curve in binned.curves.items()}
        return Curves(curves, binned.words)
    first = predictions_of(study.predictions, study.recommended)
    if first is None or first.probabilities is None:
        return None
    right: Any = np.asarray(first.labels == first.truth)
    confidence = _binned(right, first.probabilities.max(axis=1), positive=True, sample_weight=first.weights)
    words = f"{first.name}: how often the predicted class is right, by its probability."
    return Curves({first.name[:LONGEST]: replace(confidence, event="the predicted class is right")}, words)


def _binned(truth: NDArray[np.bool_], probability: NDArray[np.float64], **more: Any) -> CalibrationCurve:
    """Return a calibration curve with bins of equal weight, few enough for each to have many rows."""
    bins = min(10, max(2, len(truth) // ROWS_OF_A_BIN))
    return calibration_curve(truth, probability, bins=bins, strategy="mass", **more)
