"""Whether a hyperplane separates two classes: a linear program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from hornbook.concepts._points import points_of
from hornbook.params import Floats

__all__ = ["Separation", "can_be_split", "linearly_separable"]


NO_SOLUTION = 2  # status with which HiGHS reports infeasible constraints


@dataclass(frozen=True)
class Separation:
    """The result of `linearly_separable`; truthy when there is a separating hyperplane.

    Parameters
    ----------
    separable : bool
        Whether there is one.
    weights : ndarray of shape (n_columns,), optional
        w of a hyperplane: rows of the class that sorts last have w·x > threshold.
    threshold : float, optional
        Its threshold.
    """

    separable: bool
    weights: Floats | None = None
    threshold: float | None = None

    def __bool__(self) -> bool:
        return self.separable


def linearly_separable(X: Any, y: ArrayLike) -> Separation:
    """Test whether some hyperplane has all rows of one class on one side and all others on the other.

    Solved as a linear program: are there w and t with w·x - t >= 1 for one class and <= -1 for the other?
    Columns are scaled first; of several hyperplanes the one with the smallest sum of absolute weights is
    returned, which has the largest margin in the Chebyshev distance. Classes that touch are not separable.

    Parameters
    ----------
    X : table of numbers of shape (n_rows, n_columns)
        The points.
    y : array-like of shape (n_rows,)
        One or two classes.

    Returns
    -------
    Separation
        Truthy or falsy, with a hyperplane if there is one.

    Examples
    --------
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> bool(linearly_separable(corners, [0, 0, 0, 1])), bool(linearly_separable(corners, [0, 1, 1, 0]))
    (True, False)
    """
    points = points_of("linearly_separable", X)
    labels = np.asarray(y)
    if labels.shape != (len(points),):
        raise ValueError(
            f"linearly_separable: 'y' must have one class for each of the {len(points)} rows of X; got shape "
            f"{labels.shape}."
        )
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(
            f"linearly_separable: a hyperplane has two sides, and 'y' has {len(classes)} classes: compare "
            "two of them, or one with all others."
        )
    return can_be_split(points, labels == classes[-1])


def can_be_split(points: Floats, side: NDArray[np.bool_]) -> Separation:
    """Find a hyperplane with the points of one side above it and all others below."""
    # All points on one side: any hyperplane far enough away separates them from nothing.
    if side.all() or not side.any():
        return Separation(True, np.zeros(points.shape[1]), -1.0 if side.all() else 1.0)
    # Scaled columns keep the linear program well conditioned; the hyperplane is mapped back at the end.
    middle, reach = points.mean(axis=0), np.ptp(points, axis=0)
    reach = np.where(reach > 0, reach, 1.0)
    sign = np.where(side, 1.0, -1.0)
    scaled, d = (points - middle) / reach, points.shape[1]
    # w is a difference of two nonnegative vectors; minimizing their sum, the L1 norm of w, widens the margin.
    rows = -sign[:, None] * np.column_stack([scaled, -scaled, -np.ones(len(points))])
    answer = linprog(
        np.r_[np.ones(2 * d), 0.0],
        A_ub=rows,
        b_ub=-np.ones(len(rows)),
        bounds=[(0, None)] * (2 * d) + [(None, None)],
        method="highs",
    )
    if answer.status == NO_SOLUTION:
        return Separation(False)
    if answer.status != 0:
        raise RuntimeError(f"linearly_separable: the linear program was not solved: {answer.message}")
    solution = np.asarray(answer.x)
    weights = (solution[:d] - solution[d:-1]) / reach
    return Separation(True, weights, float(solution[-1] + weights @ middle))
