"""Whether the probabilities of the recommended learner should be made more or less sure, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles import fit_temperature, tempered
from hornbook.evaluation import corrected_t, measure_by_name, score_of

__all__ = ["CalibrationGain", "calibration_gain"]

SMALLEST = 1e-12  # added to probabilities before their logarithm is taken, as `Calibrated` does
LEAST = 1e-3  # of a mean log loss: a smaller gain is not worth another step
FEWEST = 50  # rows that a temperature is learned from

Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class CalibrationGain:
    """What dividing the logarithms of probabilities by a temperature does for rows held out.

    Parameters
    ----------
    temperature : float
        By all out-of-fold predictions; above 1, the learner was too sure.
    before, after : float
        Mean log loss over the folds, with the probabilities as they are, and with those of a temperature that
        was learned from the other folds.
    p : float
        Of the corrected resampled t-test that the log loss does not get smaller.
    used : bool
        Whether the model is calibrated.
    """

    temperature: float
    before: float
    after: float
    p: float
    used: bool

    @property
    def sentence(self) -> str:
        """The decision, as a sentence."""
        losses = f"{self.before:.4g} before, {self.after:.4g} after, p = {self.p:.2g}"
        change = f"log loss on held-out rows {losses}"
        if not self.used:
            return f"The model is not calibrated, because a temperature does not clearly help ({change})."
        how = "too sure" if self.temperature > 1 else "not sure enough"
        return (
            f"The probabilities were {how}, and the model divides their logarithms by the temperature "
            f"{self.temperature:.3g} ({change}). Predicted classes stay as they are."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


def calibration_gain(
    y: NDArray[np.int64],
    repeats: Sequence[tuple[NDArray[np.int64], Probabilities]],
    weights: NDArray[np.float64] | None,
    *,
    alpha: float,
    forward: bool = False,
) -> CalibrationGain | None:
    """Decide about a temperature; None where there are too few rows or folds to tell.

    A temperature is a single number, which a few rows determine, and it never changes the predicted class.
    It is learned from the predictions of all other folds, or of the earlier ones in time, and judged on the
    fold.

    Parameters
    ----------
    y : ndarray of int of shape (n_rows,)
        The classes, as positions.
    repeats : sequence of (ndarray, ndarray)
        For each repeat the fold in which each row is tested, and its out-of-fold probabilities; NaN where a
        fold is missing.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows.
    alpha : float
        Level of the test.
    forward : bool, default False
        Whether folds are in the order of time.
    """
    losses, sizes = [], []
    for folds, probabilities in repeats:
        known = np.isfinite(probabilities).all(axis=1)
        for fold in np.unique(folds[known]).tolist():
            test = np.flatnonzero(known & (folds == fold))
            others = np.flatnonzero(known & (folds < fold if forward else folds != fold))
            if len(others) >= FEWEST:
                factor = _factor(probabilities, y, weights, others)
                after = tempered(_logarithms(probabilities[test]), factor)
                pair = [_loss(y, part, weights, test) for part in (probabilities[test], after)]
                losses.append(pair)
                sizes.append(len(test))
    if len(losses) < 2:
        return None
    before, after = np.array(losses).T
    folds, probabilities = repeats[0]
    rows = np.flatnonzero(np.isfinite(probabilities).all(axis=1))
    fraction = float(np.mean(sizes)) / len(rows)
    p = (
        1.0
        if np.ptp(before - after) == 0
        else float(corrected_t(before, after, test_fraction=fraction, alternative="greater").p)
    )
    gain = float(np.mean(before - after))
    temperature = float(f"{1 / _factor(probabilities, y, weights, rows):.3g}")
    used = p <= alpha and gain >= LEAST
    return CalibrationGain(temperature, float(before.mean()), float(after.mean()), p, used)


def _factor(
    probabilities: Probabilities,
    y: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    rows: NDArray[np.intp],
) -> float:
    own = None if weights is None else weights[rows]
    return float(fit_temperature(_logarithms(probabilities[rows]), y[rows], own))


def _logarithms(probabilities: Probabilities) -> Probabilities:
    return np.asarray(np.log(probabilities + SMALLEST))


def _loss(
    y: NDArray[np.int64],
    probabilities: Probabilities,
    weights: NDArray[np.float64] | None,
    rows: NDArray[np.intp],
) -> float:
    own, classes = None if weights is None else weights[rows], range(probabilities.shape[1])
    return float(score_of(measure_by_name("log_loss"), y[rows], probabilities, classes, own))
