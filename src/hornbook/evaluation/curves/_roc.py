"""The ROC curve: true positives against false positives, threshold by threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import _native
from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.metrics._ranking import ranked_rows, threshold_counts
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["RocCurve", "roc_curve"]

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RocCurve:
    """True against false positives as the threshold falls; a row is positive when its score reaches it.

    Rows with the same score move together, so a tie is one sloped step. Between its points the curve is
    straight.

    Parameters
    ----------
    thresholds : ndarray of shape (n_points,)
        Descending; the first is infinity, which no row reaches.
    true_positives, false_positives : ndarray of shape (n_points,)
        Weights of the positive and negative rows that reach each threshold; the last are the totals.
    positive : label
        The positive class.
    """

    thresholds: Floats
    true_positives: Floats
    false_positives: Floats
    positive: Label

    @property
    def true_positive_rate(self) -> Floats:
        """Recall at each threshold: the height of the curve."""
        return np.asarray(self.true_positives / self.true_positives[-1])

    @property
    def false_positive_rate(self) -> Floats:
        """Fraction of the negative rows predicted positive at each threshold."""
        return np.asarray(self.false_positives / self.false_positives[-1])

    @property
    def areas(self) -> Floats:
        """The area under the curve from the left to each point, by trapezoids."""
        x, y = self.false_positive_rate, self.true_positive_rate
        return np.concatenate([[0.0], np.cumsum(np.diff(x) * (y[1:] + y[:-1]) / 2)])

    @property
    def area(self) -> float:
        """The area under the curve: the probability that a positive row is ranked above a negative one."""
        # Trapezoids count ties as half, so that the area is Mann and Whitney's statistic (Hanley and McNeil
        # 1982).
        return float(self.areas[-1])

    def hull(self) -> RocCurve:
        """Return the ROC convex hull (Provost and Fawcett, 2001): the smallest concave curve above this one.

        Its points are the thresholds that are best for some costs and class priors; points between two of
        them are reached by choosing between them at random.
        """
        # On counts, not on rates: integers (or sums of weights) make collinearity exact.
        corners = _native.upper_hull(self.false_positives, self.true_positives)
        return RocCurve(
            self.thresholds[corners],
            self.true_positives[corners],
            self.false_positives[corners],
            self.positive,
        )

    def at(self, false_positive_rate: ArrayLike) -> Floats:
        """Return the height of the curve at false positive rates; on a vertical step, its upper end.

        Parameters
        ----------
        false_positive_rate : array-like of float
            Numbers in [0, 1].
        """
        return self.limits(np.asarray(false_positive_rate, dtype=np.float64))[1]

    def limits(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the heights just before and just after given rates, which differ on vertical steps.

        Parameters
        ----------
        x : ndarray of float
            False positive rates in [0, 1].
        """
        if not ((x >= 0) & (x <= 1)).all():
            raise ValueError("a false positive rate must be a number in [0, 1].")
        places, heights = self.false_positive_rate, self.true_positive_rate
        last = len(places) - 1
        first = np.searchsorted(places, x, side="left")
        next_one = np.minimum(np.searchsorted(places, x, side="right"), last)
        return (
            _on_line(x, places, heights, np.maximum(first - 1, 0), first),
            # One step back unless x is the point itself, where a vertical step ends.
            _on_line(x, places, heights, next_one - (places[next_one] > x), next_one),
        )

    def __str__(self) -> str:
        return str(
            curve_table(
                f"ROC curve of {self.positive!r}, area {self.area:.4f}",
                ["threshold", "FP", "TP", "FPR", "TPR", "area so far"],
                [
                    self.thresholds,
                    self.false_positives,
                    self.true_positives,
                    self.false_positive_rate,
                    self.true_positive_rate,
                    self.areas,
                ],
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data; the first threshold, infinity, is None."""
        return {
            "positive": self.positive,
            "area": self.area,
            "thresholds": [None, *self.thresholds[1:].tolist()],
            "true_positives": self.true_positives.tolist(),
            "false_positives": self.false_positives.tolist(),
            "true_positive_rate": self.true_positive_rate.tolist(),
            "false_positive_rate": self.false_positive_rate.tolist(),
        }


def _on_line(x: Floats, places: Floats, heights: Floats, start: Places, end: Places) -> Floats:
    """Return heights on the lines between points; for a vertical line or a single point, its end."""
    across = places[end] - places[start]
    share = np.divide(x - places[start], across, out=np.ones_like(x), where=across > 0)
    return np.asarray(heights[start] + share * (heights[end] - heights[start]))


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> RocCurve:
    """Move the threshold from the highest score to the lowest and count true and false positives.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,)
        Scores that are higher the more likely a row is positive.
    labels : sequence, optional
        The classes; those of ``y_true`` when left out.
    positive : label, optional
        The positive class; all others are negative. 1, or else the one of two that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    RocCurve
        One point for each distinct score, and the start.

    Examples
    --------
    >>> print(roc_curve(["P", "N", "P", "P", "N"], [0.9, 0.8, 0.8, 0.8, 0.1], positive="P"))
    ROC curve of 'P', area 0.8333
      threshold  FP  TP  FPR     TPR  area so far
            inf   0   0    0       0            0
            0.9   0   1    0  0.3333            0
            0.8   1   3  0.5       1       0.3333
            0.1   2   3    1       1       0.8333
    """
    rows = ranked_rows(
        "roc_curve", y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight
    )
    counts = threshold_counts(rows)
    return RocCurve(counts.thresholds, counts.true_positives, counts.false_positives, rows.positive)
