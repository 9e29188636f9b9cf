"""The curves of a classification: which are drawn, and the numbers behind them."""

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
from hornbook.studies.report._out_of_fold import LearnerPredictions, predictions_of

__all__ = ["Curves", "calibration_curves", "pr_curves", "roc_curves"]

MOST_LEARNERS = 4
MOST_CLASSES = 8
MOST_CALIBRATED = 4  # more lines with intervals hide each other
ROWS_OF_A_BIN = 25
LONGEST = 32  # characters of a name in a legend

Curve = TypeVar("Curve", RocCurve, PrecisionRecallCurve, CalibrationCurve)


@dataclass(frozen=True, eq=False)
class Curves(Generic[Curve]):
    """Curves by name, and a sentence about what they are."""

    curves: dict[str, Curve]
    words: str


@dataclass(frozen=True, eq=False)
class _Question:
    """Rows, the class in question, and its probabilities."""

    name: str
    truth: NDArray[np.bool_]
    probability: NDArray[np.float64]
    weights: NDArray[np.float64] | None


def _questions(study: StudyData) -> tuple[list[_Question], str]:
    """Two classes: the best learners side by side. More: each class against all others."""
    first = predictions_of(study.predictions, study.recommended)
    if first is None or first.probabilities is None:
        return [], ""
    if len(study.classes) == 2:
        asked = [_against_rest(study, each, 1, each.name) for each in _side_by_side(study, first)]
        return _answerable(asked), f"The positive class is {study.classes[1]}."
    order = np.argsort([-np.count_nonzero(first.truth == label) for label in study.classes], kind="stable")
    asked = [_against_rest(study, first, c, str(study.classes[c])) for c in order[:MOST_CLASSES].tolist()]
    rest = len(study.classes) - MOST_CLASSES
    words = f"{first.name}, each class against all others"
    return _answerable(asked), f"{words}{f'; the {MOST_CLASSES} largest classes' if rest > 0 else ''}."


def _answerable(asked: list[_Question]) -> list[_Question]:
    """Leave out classes of which there is no row, or no other, among those that were answered."""
    return [each for each in asked if 0 < np.count_nonzero(each.truth) < len(each.truth)]


def _side_by_side(study: StudyData, first: LearnerPredictions) -> Iterator[LearnerPredictions]:
    yield first
    assert study.verdict is not None
    others = [s.name for s in study.verdict.standings if s.mean is not None and s.name != first.name]
    found = (predictions_of(study.predictions, name) for name in others)
    known = [each for each in found if each is not None and each.probabilities is not None]
    yield from known[: MOST_LEARNERS - 1]


def _against_rest(study: StudyData, found: LearnerPredictions, c: int, name: str) -> _Question:
    assert found.probabilities is not None
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return _Question(
        short, np.asarray(found.truth == study.classes[c]), found.probabilities[:, c], found.weights
    )


def _drawn(study: StudyData, curve: Callable[..., Curve]) -> Curves[Curve] | None:
    asked, words = _questions(study)
    curves = {
        each.name: curve(each.truth, each.probability, positive=True, sample_weight=each.weights)
        for each in asked
    }
    return Curves(curves, words) if curves else None


def roc_curves(study: StudyData) -> Curves[RocCurve] | None:
    """Return the ROC curves of a study; None without probabilities."""
    return _drawn(study, roc_curve)


def pr_curves(study: StudyData) -> Curves[PrecisionRecallCurve] | None:
    """Return the precision-recall curves of a study; None without probabilities."""
    return _drawn(study, pr_curve)


def calibration_curves(study: StudyData) -> Curves[CalibrationCurve] | None:
    """Return the calibration curves; with many classes one, of the confidence in the predicted class."""
    if len(study.classes) <= MOST_CALIBRATED:
        found = _drawn(study, _binned)
        event = f"it is {study.classes[1]}" if len(study.classes) == 2 else "it is the class of the line"
        if found is None:
            return None
        return Curves({name: replace(each, event=event) for name, each in found.curves.items()}, found.words)
    first = predictions_of(study.predictions, study.recommended)
    if first is None or first.probabilities is None:
        return None
    right: Any = np.asarray(first.labels == first.truth)
    sure = _binned(right, first.probabilities.max(axis=1), positive=True, sample_weight=first.weights)
    words = f"{first.name}: how often the predicted class is right, by its probability."
    return Curves({first.name[:LONGEST]: replace(sure, event="the predicted class is right")}, words)


def _binned(truth: NDArray[np.bool_], probability: NDArray[np.float64], **more: Any) -> CalibrationCurve:
    """Bins of equal weight, so few that each has rows enough to say something."""
    bins = min(10, max(2, len(truth) // ROWS_OF_A_BIN))
    return calibration_curve(truth, probability, bins=bins, strategy="mass", **more)
