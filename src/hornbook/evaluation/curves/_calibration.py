"""Calibration: whether events happen as often as predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.intervals._interval import wilson_ends
from hornbook.evaluation.metrics._columns import weight_column
from hornbook.evaluation.metrics._labels import positive_of
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._probabilities import probability_table
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["CalibrationCurve", "calibration_curve", "calibration_error"]

Bins = Literal["width", "mass"]


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """Predicted probability and observed frequency, bin by bin; bins without rows are left out.

    Parameters
    ----------
    predicted : ndarray of shape (n_bins,)
        Mean predicted probability of the rows of each bin.
    observed : ndarray of shape (n_bins,)
        Fraction of these rows in which the event happened.
    low, high : ndarray of shape (n_bins,)
        Wilson interval of the observed frequency.
    weights : ndarray of shape (n_bins,)
        Weight of the rows of each bin.
    level : float
        The confidence level of the intervals.
    event : str
        The event that the probabilities predict.
    """

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    weights: Floats
    level: float
    event: str

    @property
    def error(self) -> float:
        """Expected calibration error: the mean of |predicted - observed|, weighted by rows."""
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.weights))

    @property
    def largest_error(self) -> float:
        """Maximum calibration error: the largest |predicted - observed| of a bin."""
        return float(np.abs(self.predicted - self.observed).max())

    def __str__(self) -> str:
        return str(
            curve_table(
                f"calibration of the probability that {self.event}, error {self.error:.4f}",
                ["predicted", "observed", "low", "high", "rows"],
                [self.predicted, self.observed, self.low, self.high, self.weights],
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "event": self.event,
            "error": self.error,
            "level": self.level,
            "predicted": self.predicted.tolist(),
            "observed": self.observed.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "weights": self.weights.tolist(),
        }


def calibration_curve(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    bins: int = 10,
    strategy: Bins = "width",
    level: float = 0.95,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> CalibrationCurve:
    """Compare predicted probabilities with observed frequencies.

    With two classes the event is the positive class. With more it is that the predicted class is right: its
    probability is the confidence of the prediction.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_pred : array-like of shape (n, n_classes) or (n,)
        The probability of each class, or of the positive one of two.
    bins : int, default 10
        Number of bins.
    strategy : {"width", "mass"}, default "width"
        Bins of equal width, or of about the same weight of rows. A bin includes its upper end.
    level : float, default 0.95
        Confidence level of the interval of each bin; with weights, for the effective sample size of Kish,
        (sum w)² / sum w².
    labels : sequence, optional
        The classes in the order of the columns; the sorted classes of ``y_true`` when left out.
    positive : label, optional
        The event, with two classes; 1, or else the class that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    CalibrationCurve
        One point for each bin with rows.

    Examples
    --------
    >>> print(calibration_curve([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9], bins=2))
    calibration of the probability that it is 1, error 0.1400
      predicted  observed      low    high  rows
            0.2    0.3333  0.06149  0.7923     3
           0.85         1   0.3424       1     2
    """
    if not 0 < level < 1:
        raise ValueError(f"calibration_curve: 'level' must be a number between 0 and 1; got {level!r}.")
    probability, happened, weights, event = _events(
        "calibration_curve", y_true, y_pred, labels, positive, sample_weight
    )
    sums = _sums("calibration_curve", probability, happened, weights, bins, strategy)
    mass, predicted, observed, squares = sums
    # Kish's effective sample size (sum w)^2 / sum w^2: weighted rows carry less information than
    # their number suggests.
    effective = mass**2 / squares
    ends = [
        wilson_ends(float(o * n), float(n), (1 - level) / 2) for o, n in zip(observed, effective, strict=True)
    ]
    low, high = np.array(ends).T
    return CalibrationCurve(predicted, observed, low, high, mass, level, event)


@measure(needs="probabilities", greater_is_better=False, best=0.0)
def calibration_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    bins: int = 10,
    strategy: Bins = "width",
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Expected calibration error: the mean over bins of |predicted - observed| (Naeini et al., 2015).

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_pred : array-like of shape (n, n_classes) or (n,)
        The probability of each class, or of the positive one of two.
    bins : int, default 10
        Number of bins.
    strategy : {"width", "mass"}, default "width"
        Bins of equal width, or of about the same weight of rows.
    labels : sequence, optional
        The classes in the order of the columns; the sorted classes of ``y_true`` when left out.
    positive : label, optional
        The event, with two classes; 1, or else the class that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> round(calibration_error([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9], bins=2), 12)
    0.14
    """
    probability, happened, weights, _ = _events(
        "calibration_error", y_true, y_pred, labels, positive, sample_weight
    )
    mass, predicted, observed, _ = _sums("calibration_error", probability, happened, weights, bins, strategy)
    return float(np.average(np.abs(predicted - observed), weights=mass))


def _events(
    function: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: Sequence[Label] | None,
    positive: Label | None,
    sample_weight: ArrayLike | None,
) -> tuple[Floats, Floats, Floats, str]:
    """Return a probability for each row, whether the event happened, the row's weight, and the event."""
    checked = probability_table(function, y_true, y_pred, labels, positive)
    weights = weight_column(function, sample_weight, len(checked.codes))
    if weights is None:
        weights = np.ones(len(checked.codes))
    if len(checked.classes) == 2:
        place = checked.classes.index(positive_of(function, checked.classes, positive))
        event = f"it is {checked.classes[place]!r}"
        return checked.table[:, place], (checked.codes == place).astype(np.float64), weights, event
    # Many classes: confidence calibration (Guo et al. 2017), of the top class only.
    chosen = checked.table.argmax(axis=1)
    happened = (chosen == checked.codes).astype(np.float64)
    return checked.table.max(axis=1), happened, weights, "the predicted class is right"


def _sums(
    function: str, probability: Floats, happened: Floats, weights: Floats, bins: int, strategy: Bins
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return weight, mean probability, observed frequency and sum of squared weights of nonempty bins."""
    if not isinstance(bins, int | np.integer) or bins < 1:
        raise ValueError(f"{function}: 'bins' must be a positive integer; got {bins!r}.")
    if strategy not in ("width", "mass"):
        raise ValueError(f"{function}: 'strategy' must be 'width' or 'mass'; got {strategy!r}.")
    inner = np.arange(1, bins) / bins
    if strategy == "mass":
        # Quantiles without interpolation: a row of weight 2 is then the same as two rows.
        # Ties may make quantiles coincide; the bins between them would be empty.
        inner = np.unique(np.quantile(probability, inner, weights=weights, method="inverted_cdf"))
    place = np.searchsorted(inner, probability, side="left")  # a bin includes its upper end
    mass, squares = np.bincount(place, weights), np.bincount(place, weights**2)
    nonempty = mass > 0
    means = [
        np.bincount(place, weights * values)[nonempty] / mass[nonempty] for values in (probability, happened)
    ]
    return (
        np.asarray(mass[nonempty], dtype=np.float64),
        means[0],
        means[1],
        np.asarray(squares[nonempty], np.float64),
    )
