"""The probability above which the second of two classes is predicted, by the costs of mistakes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["chosen_threshold", "least_cost_threshold"]

Numbers = NDArray[np.float64]


def least_cost_threshold(costs: Numbers) -> float:
    """Return the threshold of the least expected cost, if probabilities are what they should be (Elkan 2001).

    Parameters
    ----------
    costs : ndarray of shape (2, 2)
        The cost of predicting class i when the truth is class j.

    Examples
    --------
    >>> least_cost_threshold(np.array([[0.0, 9.0], [1.0, 0.0]]))
    0.1
    """
    # Where one of the decisions is never cheaper, the other is always taken.
    alarm, missed = max(costs[1, 0] - costs[0, 0], 0.0), max(costs[0, 1] - costs[1, 1], 0.0)
    return float(alarm / (alarm + missed)) if alarm + missed > 0 else 0.5


def chosen_threshold(
    probabilities: Numbers, y: NDArray[np.int64], w: Numbers | None, costs: Numbers
) -> float:
    """Return a threshold whose cost on held-out rows cannot be told from the least one.

    Of all thresholds within one standard error of the least mean cost, it is the one nearest to that of the
    least expected cost: few rows must not move it far.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows,)
        Of the second class, by models that have not seen the rows.
    y : ndarray of int of shape (n_rows,)
        The classes, 0 or 1.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows.
    costs : ndarray of shape (2, 2)
        The cost of predicting class i when the truth is class j.

    Examples
    --------
    >>> p, y = np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.8]), np.array([0, 0, 1, 1, 1, 1])
    >>> chosen_threshold(p, y, None, np.array([[0.0, 1.0], [1.0, 0.0]]))
    0.25
    """
    weights = np.ones(len(y)) if w is None else w
    usual = least_cost_threshold(costs)
    order = np.argsort(probabilities, kind="stable")
    values, place = np.unique(probabilities[order], return_index=True)
    # At threshold 0 all rows are taken for the second class; passing a value makes its rows the first.
    change = weights[order] * (costs[0, y[order]] - costs[1, y[order]])
    passed = np.concatenate([[0.0], np.cumsum(change)])
    ends = np.concatenate([place[1:], [len(y)]])
    total = float((weights * costs[1, y]).sum())
    means = (total + np.concatenate([[0.0], passed[ends]])) / weights.sum()
    thresholds = np.concatenate([[0.0], (values[:-1] + values[1:]) / 2, [1.0]])
    best = int(means.argmin())
    predicted = (probabilities > thresholds[best]).astype(np.intp)
    spread = costs[predicted, y]
    error = float(np.sqrt((weights**2 * (spread - means[best]) ** 2).sum()) / weights.sum())
    here = int(np.searchsorted(values, usual, side="left"))  # the values at or below the usual threshold
    if means[here] <= means[best] + error:
        return float(f"{usual:.3g}")
    close = thresholds[means <= means[best] + error]
    return float(f"{close[np.abs(close - usual).argmin()]:.3g}")
