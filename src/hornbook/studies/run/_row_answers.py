"""Rows of a study that are easy, typical and hard for a learner; and what more rows would bring."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook.display import plain
from hornbook.evaluation import LearningCurve
from hornbook.studies._explanation import RowAnswer
from hornbook.studies._results import OutOfFoldPredictions

__all__ = ["more_rows", "row_answers", "row_errors"]

HARDEST = 5
SMALLEST = 1e-15  # probability, so that losses stay finite


def row_answers(
    predictions: OutOfFoldPredictions, name: str
) -> tuple[tuple[RowAnswer, ...], tuple[int, ...]]:
    """Return the easiest row, a typical one and the hardest, and the places of these rows in the table.

    Parameters
    ----------
    predictions : OutOfFoldPredictions
        Of all learners; the first repeat counts.
    name : str
        The learner.
    """
    if name not in predictions.answers:
        return (), ()
    places = np.flatnonzero(predictions.known(name, 0))
    if not len(places):
        return (), ()
    labels = predictions.labels(name, 0)
    losses = _losses(predictions, name)[places]
    order = places[np.argsort(losses, kind="stable")]
    hardest = order[::-1][: min(HARDEST, max(1, len(order) - 2))].tolist()
    chosen = {int(order[0]): "easiest", int(order[len(order) // 2]): "typical"}
    chosen |= dict.fromkeys(hardest, "hardest")
    by_place = dict(zip(places.tolist(), losses.tolist(), strict=True))
    answers = tuple(
        RowAnswer(
            int(predictions.rows[place]),
            plain(predictions.truth[place]),
            plain(labels[place]),
            float(by_place[place]),
            kind,
        )
        for place, kind in chosen.items()
    )
    return answers, tuple(chosen)


def row_errors(predictions: OutOfFoldPredictions, name: str) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the error of each row that is predicted in the first repeat, and the places of these rows.

    Parameters
    ----------
    predictions : OutOfFoldPredictions
        Of all learners.
    name : str
        The learner.

    Returns
    -------
    errors, places
        Whether the class is wrong, or how far the number is off; positions in the table.
    """
    if name not in predictions.answers:
        return np.empty(0), np.empty(0, dtype=np.intp)
    places = np.flatnonzero(predictions.known(name, 0))
    labels, truth = predictions.labels(name, 0)[places], predictions.truth[places]
    if predictions.kinds[name] == "numbers":
        return np.abs(labels.astype(np.float64) - truth.astype(np.float64)), places
    return np.asarray(labels != truth, dtype=np.float64), places


def _losses(predictions: OutOfFoldPredictions, name: str) -> NDArray[np.float64]:
    """Loss of every row; what is not known does not matter."""
    answers, truth = predictions.answers[name][0], predictions.truth
    kind = predictions.kinds[name]
    if kind == "numbers":
        return np.abs(answers.astype(np.float64) - truth.astype(np.float64))
    if kind == "labels":
        return np.array([float(a != t) for a, t in zip(answers.tolist(), truth.tolist(), strict=True)])
    place_of = {label: k for k, label in enumerate(predictions.classes)}
    codes = np.array([place_of[label] for label in truth.tolist()])
    certainty: NDArray[np.float64] = answers[np.arange(len(codes)), codes]
    return np.asarray(np.abs(np.log(np.maximum(certainty, SMALLEST))))


def more_rows(curve: LearningCurve | None) -> str:
    """Say what more rows would bring, by the second half of a learning curve.

    Parameters
    ----------
    curve : LearningCurve, optional
        Of at least two sizes.
    """
    if curve is None or len(curve.sizes) < 2:
        return ""
    last = len(curve.sizes) - 1
    before = int(np.argmin(np.abs(curve.sizes[:last] - curve.sizes[last] / 2)))
    sign = 1.0 if curve.greater_is_better else -1.0
    gains = sign * (curve.test[last] - curve.test[before])
    gain, count = float(gains.mean()), gains.size
    error = float(gains.std(ddof=1) / np.sqrt(count)) if count > 1 else 0.0
    n, m = int(curve.sizes[before]), int(curve.sizes[last])
    measured = (
        f"From {n} to {m} training rows, {curve.measure} improved by {gain:.2g} (standard error {error:.2g})"
    )
    if gain <= error:
        return (
            f"More rows would hardly help: from {n} to {m} training rows, {curve.measure} changed by "
            f"{sign * gain:.2g} (standard error {error:.2g}), which is not a clear gain."
        )
    # Errors that fall as 1/n: what n to m rows have brought, times this, is what m to 2m would bring.
    again = gain * 0.5 / (m / n - 1)
    return f"{measured}; expect about {again:.2g} more from twice as many rows."
