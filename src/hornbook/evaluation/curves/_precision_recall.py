"""The precision-recall curve, its break-even point and its area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._ranking import ranked_rows, threshold_counts
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["PrecisionRecallCurve", "break_even_point", "pr_area", "pr_curve"]


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision against recall as the threshold falls; a row is positive when its score reaches it.

    Between two points true and false positives grow in proportion, so the curve is not a straight line there
    (Davis and Goadrich, 2006): linear interpolation would be too optimistic.

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
    def recall(self) -> Floats:
        """Fraction of the positive rows that reach each threshold."""
        return np.asarray(self.true_positives / self.true_positives[-1])

    @property
    def precision(self) -> Floats:
        """Fraction of positive rows among those that reach each threshold; at infinity, that of the first."""
        tp, fp = self.true_positives[1:], self.false_positives[1:]
        precision = tp / (tp + fp)
        return np.concatenate([precision[:1], precision])

    @property
    def area(self) -> float:
        """The area under the curve, with exact interpolation between its points."""
        tp, fp = self.true_positives, self.false_positives
        step = np.diff(tp)
        # Steps without new positives are vertical in recall and add no area.
        up = step > 0
        a, c, step = tp[:-1][up], fp[:-1][up], step[up]
        # On a step tp goes from a to a + step and fp from c in proportion, so that precision is
        # t / (A t + B) with A = 1 + slope and B = c - slope a; its integral is step / A - B / A² ln(1 + ...).
        slope = np.diff(fp)[up] / step
        A, B = 1.0 + slope, c - slope * a
        growth = np.divide(A * step, a + c, out=np.zeros_like(a), where=a + c > 0)
        return float((step / A - B / A**2 * np.log1p(growth)).sum() / tp[-1])

    @property
    def step_area(self) -> float:
        """The area under steps at the precision of their right end: average precision."""
        return float((np.diff(self.recall) * self.precision[1:]).sum())

    @property
    def break_even_point(self) -> float:
        """Precision and recall where they are equal: as many rows are predicted positive as are positive."""
        # precision tp / (tp + fp) equals recall tp / positives where tp + fp is the number of positives
        tp, fp = self.true_positives, self.false_positives
        # Linear in counts, not in rates: rows of one tie become positive in proportion.
        return float(np.interp(tp[-1], tp + fp, tp) / tp[-1])

    @property
    def break_even_threshold(self) -> float:
        """The highest threshold that at least as many rows reach as are positive."""
        predicted = self.true_positives + self.false_positives
        return float(self.thresholds[int(np.argmax(predicted >= self.true_positives[-1]))])

    def at(self, recall: ArrayLike) -> Floats:
        """Return the precision at the given recalls; on a vertical step, its upper end.

        Parameters
        ----------
        recall : array-like of float
            Numbers in [0, 1].
        """
        return self.limits(np.asarray(recall, dtype=np.float64))[0]

    def limits(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the precision just before and just after the given recalls; it jumps on vertical steps.

        Parameters
        ----------
        x : ndarray of float
            Recalls in [0, 1].
        """
        if not ((x >= 0) & (x <= 1)).all():
            raise ValueError("a recall must be a number in [0, 1].")
        recall, total = self.recall, self.true_positives[-1]
        last = len(recall) - 1
        before = np.clip(np.searchsorted(recall, x, side="left"), 1, last)
        after = np.clip(np.searchsorted(recall, x, side="right"), 1, last)
        return self._between(before, x * total), self._between(after, x * total)

    def _between(self, end: np.ndarray[Any, np.dtype[np.intp]], tp: Floats) -> Floats:
        """Return the precision for counts of true positives on the steps that end at these points."""
        t0, t1 = self.true_positives[end - 1], self.true_positives[end]
        f0, f1 = self.false_positives[end - 1], self.false_positives[end]
        # Davis and Goadrich (2006): between points, counts are interpolated and not precisions, whose
        # straight line would be too optimistic.
        share = np.divide(tp - t0, t1 - t0, out=np.ones_like(tp), where=t1 > t0)
        fp = f0 + np.clip(share, 0.0, 1.0) * (f1 - f0)
        precision = np.divide(tp, tp + fp, out=np.zeros_like(tp), where=tp + fp > 0)
        # Where no row is predicted positive, the precision is defined as that of the first point.
        return np.asarray(np.where(tp + fp > 0, precision, self.precision[0]))

    def __str__(self) -> str:
        return str(
            curve_table(
                f"precision-recall curve of {self.positive!r}, area {self.area:.4f}, "
                f"break-even point {self.break_even_point:.4f}",
                ["threshold", "TP", "FP", "recall", "precision"],
                [self.thresholds, self.true_positives, self.false_positives, self.recall, self.precision],
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data; the first threshold, infinity, is None."""
        return {
            "positive": self.positive,
            "area": self.area,
            "break_even_point": self.break_even_point,
            "thresholds": [None, *self.thresholds[1:].tolist()],
            "true_positives": self.true_positives.tolist(),
            "false_positives": self.false_positives.tolist(),
            "recall": self.recall.tolist(),
            "precision": self.precision.tolist(),
        }


def _curve_of(
    function: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    labels: Sequence[Label] | None,
    positive: Label | None,
    sample_weight: ArrayLike | None,
) -> PrecisionRecallCurve:
    rows = ranked_rows(
        function, y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight
    )
    counts = threshold_counts(rows)
    return PrecisionRecallCurve(
        counts.thresholds, counts.true_positives, counts.false_positives, rows.positive
    )


def pr_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> PrecisionRecallCurve:
    """Move the threshold from the highest score to the lowest and compute precision and recall.

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
    PrecisionRecallCurve
        One point for each distinct score, and the start.

    Examples
    --------
    >>> print(pr_curve([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]))
    precision-recall curve of 1, area 0.7690, break-even point 0.6667
      threshold  TP  FP  recall  precision
            inf   0   0       0          1
            0.9   1   0  0.3333          1
            0.8   1   1  0.3333        0.5
            0.7   2   1  0.6667     0.6667
            0.6   3   1       1       0.75
            0.1   3   2       1        0.6
    """
    return _curve_of("pr_curve", y_true, y_score, labels, positive, sample_weight)


@measure(needs="scores", greater_is_better=True, best=1.0)
def pr_area(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    interpolation: Literal["exact", "step"] = "exact",
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the precision-recall curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,)
        Scores that are higher the more likely a row is positive.
    interpolation : {"exact", "step"}, default "exact"
        "exact": between two points true and false positives grow in proportion. "step": the precision is
        constant between two points, that of the right one, as in scikit-learn's average precision.
    labels : sequence, optional
        The classes; those of ``y_true`` when left out.
    positive : label, optional
        The positive class; all others are negative. 1, or else the one of two that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        1 is best; chance level is the fraction of positive rows.

    Examples
    --------
    >>> pr_area([1, 1, 0, 0], [0.9, 0.8, 0.3, 0.1]), pr_area([1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5])
    (1.0, 0.5)
    """
    if interpolation not in ("exact", "step"):
        raise ValueError(f"pr_area: 'interpolation' must be 'exact' or 'step'; got {interpolation!r}.")
    curve = _curve_of("pr_area", y_true, y_score, labels, positive, sample_weight)
    return curve.area if interpolation == "exact" else curve.step_area


@measure(needs="scores", greater_is_better=True, best=1.0)
def break_even_point(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Precision and recall at the threshold where they are equal.

    That is where as many rows are predicted positive as are positive.

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
    float
        1 is best.

    Examples
    --------
    >>> break_even_point([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.5
    """
    curve = _curve_of("break_even_point", y_true, y_score, labels, positive, sample_weight)
    return curve.break_even_point
