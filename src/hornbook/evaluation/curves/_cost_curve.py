"""The cost curve: what the best threshold costs, for all misclassification costs and class priors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.curves._roc import RocCurve
from hornbook.evaluation.metrics._ranking import ranked_rows, threshold_counts
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["CostCurve", "cost_curve", "probability_cost"]


@dataclass(frozen=True, eq=False)
class CostCurve:
    """Normalized expected cost of the best threshold against the probability cost of the positive class.

    A threshold with false positive rate FPR and false negative rate FNR costs FNR x + FPR (1 - x) at the
    probability cost x, a straight line; the curve is the lower envelope of the lines of all thresholds
    (Drummond and Holte, 2006). 1 is the cost of getting everything wrong.

    Parameters
    ----------
    probability_costs : ndarray of shape (n_thresholds + 1,)
        Ascending from 0 to 1: where the best threshold changes.
    costs : ndarray of shape (n_thresholds + 1,)
        The cost there.
    thresholds : ndarray of shape (n_thresholds,)
        The best threshold between consecutive ones; infinity means: predict everything negative.
    false_positive_rate, false_negative_rate : ndarray of shape (n_thresholds,)
        The rates of these thresholds.
    positive : label
        The positive class.
    """

    probability_costs: Floats
    costs: Floats
    thresholds: Floats
    false_positive_rate: Floats
    false_negative_rate: Floats
    positive: Label

    @property
    def area(self) -> float:
        """The area under the curve: the mean cost if every probability cost is equally likely."""
        # Exact: the lower envelope of lines is piecewise linear, and its corners are the nodes.
        return float(np.trapezoid(self.costs, self.probability_costs))

    def at(self, probability_cost: ArrayLike) -> Floats:
        """Return the cost at the given probability costs.

        Parameters
        ----------
        probability_cost : array-like of float
            Numbers in [0, 1], see `probability_cost`.
        """
        return np.interp(_shares(probability_cost), self.probability_costs, self.costs)

    def best_threshold(self, probability_cost: float) -> float:
        """Return the threshold that costs least; infinity means: predict everything negative.

        Parameters
        ----------
        probability_cost : float
            A number in [0, 1], see `probability_cost`.
        """
        place = float(_shares(probability_cost))
        # The inner nodes separate the thresholds; at a node both neighbors cost the same.
        return float(self.thresholds[int(np.searchsorted(self.probability_costs[1:-1], place, side="right"))])

    def __str__(self) -> str:
        return str(
            curve_table(
                f"cost curve of {self.positive!r}, area {self.area:.4f}",
                ["from", "to", "threshold", "FPR", "FNR", "cost at its start"],
                [
                    self.probability_costs[:-1],
                    self.probability_costs[1:],
                    self.thresholds,
                    self.false_positive_rate,
                    self.false_negative_rate,
                    self.costs[:-1],
                ],
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data; an infinite threshold is None."""
        return {
            "positive": self.positive,
            "area": self.area,
            "probability_costs": self.probability_costs.tolist(),
            "costs": self.costs.tolist(),
            "thresholds": [value if np.isfinite(value) else None for value in self.thresholds.tolist()],
            "false_positive_rate": self.false_positive_rate.tolist(),
            "false_negative_rate": self.false_negative_rate.tolist(),
        }


def _shares(values: ArrayLike) -> Floats:
    shares = np.asarray(values, dtype=np.float64)
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(
            "a probability cost must be a number in [0, 1]; see hornbook.evaluation.probability_cost."
        )
    return shares


def cost_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> CostCurve:
    """Find the best threshold, and its cost, for every combination of costs and class priors.

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
    CostCurve
        The lower envelope of the costs of all thresholds.

    Examples
    --------
    >>> curve = cost_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> print(curve)
    cost curve of 1, area 0.0833
      from   to  threshold     FPR     FNR  cost at its start
         0  0.5        0.8       0  0.3333                  0
       0.5    1        0.6  0.3333       0             0.1667
    >>> curve.best_threshold(probability_cost(0.5, cost_false_negative=1, cost_false_positive=1))
    0.6
    """
    rows = ranked_rows(
        "cost_curve", y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight
    )
    counts = threshold_counts(rows)
    hull = RocCurve(counts.thresholds, counts.true_positives, counts.false_positives, rows.positive).hull()
    fpr, fnr = hull.false_positive_rate, 1.0 - hull.true_positive_rate
    # Only thresholds on the convex hull of the ROC curve are ever best. Neighbors on it cost the same at the
    # x where FNR x + FPR (1 - x) is the same for both.
    # Drummond and Holte (2006): a point (FPR, FNR) of ROC space is the line FNR x + FPR (1 - x) here.
    right, down = np.diff(fpr), -np.diff(fnr)
    places = np.concatenate([[0.0], right / (right + down), [1.0]])
    best = np.diff(places) > 0  # drop thresholds that are best at a single point only
    places, fpr, fnr = np.concatenate([places[:-1][best], [1.0]]), fpr[best], fnr[best]
    costs = np.concatenate([fnr * places[:-1] + fpr * (1.0 - places[:-1]), fnr[-1:]])
    return CostCurve(places, costs, hull.thresholds[best], fpr, fnr, rows.positive)


def probability_cost(
    share_positive: float, *, cost_false_negative: float, cost_false_positive: float
) -> float:
    """Compute the position on a cost curve: the fraction of the highest possible cost due to positives.

    It is p a / (p a + (1 - p) b) for the prior p of the positive class and the costs a of a false negative
    and b of a false positive; with equal costs it is p.

    Parameters
    ----------
    share_positive : float
        The fraction of positive rows where the classifier will be used, in [0, 1].
    cost_false_negative : float
        The cost of predicting a positive row negative, at least 0.
    cost_false_positive : float
        The cost of predicting a negative row positive, at least 0.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> probability_cost(0.1, cost_false_negative=9, cost_false_positive=1)
    0.5
    """
    if not 0 <= share_positive <= 1:
        raise ValueError(
            f"probability_cost: 'share_positive' must be a number in [0, 1]; got {share_positive!r}."
        )
    for name, cost in (
        ("cost_false_negative", cost_false_negative),
        ("cost_false_positive", cost_false_positive),
    ):
        if not 0 <= cost < float("inf"):
            raise ValueError(
                f"probability_cost: '{name}' must be a finite number of at least 0; got {cost!r}."
            )
    positive_cost, negative_cost = (
        share_positive * cost_false_negative,
        (1 - share_positive) * cost_false_positive,
    )
    if positive_cost + negative_cost == 0:
        raise ValueError(
            "probability_cost: at least one mistake that can happen must have a positive cost; none has."
        )
    return positive_cost / (positive_cost + negative_cost)
