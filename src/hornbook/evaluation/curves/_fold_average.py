"""Curves of several folds averaged: their mean and spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.curves._precision_recall import PrecisionRecallCurve
from hornbook.evaluation.curves._roc import RocCurve
from hornbook.params import Floats

__all__ = ["AveragedCurve", "average_curves", "band_of", "score_columns"]


def band_of(values: Floats, level: float | None) -> tuple[Floats, Floats]:
    """Return the bounds of a band around the mean of each column: one standard deviation, or a t interval."""
    n = len(values)
    if level is not None and not 0 < level < 1:
        raise ValueError(
            f"'level' must be a number between 0 and 1, or None for one deviation; got {level!r}."
        )
    if n < 2:
        raise ValueError(f"a band needs at least two folds; got {n}.")
    deviation = values.std(axis=0, ddof=1)
    # folds are taken as independent here; corrected_t has the test that allows for shared training rows
    half = deviation if level is None else stdtrit(n - 1, (1 + level) / 2) * deviation / np.sqrt(n)
    return values.mean(axis=0) - half, values.mean(axis=0) + half


def score_columns(train: Floats, test: Floats) -> dict[str, Floats]:
    """Return columns of scores over folds: the means, and a band if there are several folds."""
    columns = {"train": train.mean(axis=1), "test": test.mean(axis=1)}
    if test.shape[1] > 1:
        columns["low"], columns["high"] = band_of(test.T, None)
    return columns


@dataclass(frozen=True, eq=False)
class AveragedCurve:
    """The vertical average of ROC or precision-recall curves (Fawcett, 2006).

    Parameters
    ----------
    kind : {"roc", "precision_recall"}
        The kind of curves.
    x : ndarray of shape (n_places,)
        False positive rates, or recalls.
    heights : ndarray of shape (n_curves, n_places)
        The height of each curve there.
    areas : ndarray of shape (n_curves,)
        The area under each curve.
    """

    kind: str
    x: Floats
    heights: Floats
    areas: Floats

    @property
    def mean(self) -> Floats:
        """The mean height at each x."""
        return np.asarray(self.heights.mean(axis=0))

    @property
    def area(self) -> float:
        """The mean of the areas under the curves."""
        return float(self.areas.mean())

    def band(self, level: float | None = None) -> tuple[Floats, Floats]:
        """Return the lower and upper end of a band around the mean, within [0, 1].

        Parameters
        ----------
        level : float, optional
            Confidence level of a t interval of the mean; left out, the band is one standard deviation of the
            curves on either side.
        """
        low, high = band_of(self.heights, level)
        return np.maximum(low, 0.0), np.minimum(high, 1.0)

    def __str__(self) -> str:
        names = {
            "roc": ("ROC", "FPR", "TPR"),
            "precision_recall": ("precision-recall", "recall", "precision"),
        }
        word, across, up = names[self.kind]
        low, high = self.band()
        return str(
            curve_table(
                f"mean of {len(self.areas)} {word} curves, area {self.area:.4f} "
                f"(deviation {self.areas.std(ddof=1):.4f})",
                [across, up, "low", "high"],
                [self.x, self.mean, low, high],
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        low, high = self.band()
        return {
            "kind": self.kind,
            "area": self.area,
            "areas": self.areas.tolist(),
            "x": self.x.tolist(),
            "mean": self.mean.tolist(),
            "low": low.tolist(),
            "high": high.tolist(),
        }


def average_curves(
    curves: Sequence[RocCurve] | Sequence[PrecisionRecallCurve], x: ArrayLike | int = 101
) -> AveragedCurve:
    """Average the curves of several folds vertically: at each x, the mean of their heights.

    Parameters
    ----------
    curves : sequence of RocCurve or of PrecisionRecallCurve
        At least two.
    x : array-like of float or int, default 101
        False positive rates or recalls in [0, 1], or the number of evenly spaced ones.

    Returns
    -------
    AveragedCurve
        The mean with a band.

    Examples
    --------
    >>> from hornbook.evaluation import roc_curve
    >>> folds = [roc_curve([0, 1, 0, 1], scores) for scores in ([1, 2, 3, 4], [1, 3, 2, 4])]
    >>> print(average_curves(folds, x=3))
    mean of 2 ROC curves, area 0.8750 (deviation 0.1768)
      FPR   TPR     low  high
        0  0.75  0.3964     1
      0.5     1       1     1
        1     1       1     1
    """
    kinds = {type(curve) for curve in curves}
    if len(curves) < 2 or len(kinds) != 1 or not kinds <= {RocCurve, PrecisionRecallCurve}:
        raise ValueError(
            "average_curves: 'curves' must be at least two ROC curves, or two precision-recall curves; "
            f"got {len(curves)} of {sorted(kind.__name__ for kind in kinds)}."
        )
    places = np.linspace(0, 1, x) if isinstance(x, int | np.integer) else np.asarray(x, dtype=np.float64)
    # Heights at common x, not at common thresholds: scores of different folds are not on one scale.
    heights = np.stack([curve.at(places) for curve in curves])
    kind = "roc" if kinds == {RocCurve} else "precision_recall"
    return AveragedCurve(kind, places, heights, np.array([curve.area for curve in curves]))
