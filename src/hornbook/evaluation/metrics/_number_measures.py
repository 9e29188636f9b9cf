"""Measures of predicted numbers."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import number_column, weight_column
from hornbook.evaluation.metrics._measure import RowMean, measure
from hornbook.params import Floats

__all__ = ["mae", "mse", "r2", "rmse"]


def _pair(
    function: str, y_true: Any, y_pred: Any, sample_weight: Any
) -> tuple[Floats, Floats, Floats | None]:
    truth = number_column(function, "y_true", y_true)
    predicted = number_column(function, "y_pred", y_pred, len(truth))
    return truth, predicted, weight_column(function, sample_weight, len(truth))


def _mean(values: Floats, weights: Floats | None) -> float:
    # Normalized at the end, not row by row: the weights' scale cancels with one rounding.
    return float(values.mean() if weights is None else values @ weights / weights.sum())


def _squares(truth: NDArray[Any], predicted: NDArray[Any], _: Any) -> Floats:
    return np.asarray((predicted - truth) ** 2)


def _distances(truth: NDArray[Any], predicted: NDArray[Any], _: Any) -> Floats:
    return np.asarray(np.abs(predicted - truth))


@measure(
    needs="numbers", greater_is_better=False, best=0.0, unit="squared target", row_mean=RowMean(_squares)
)
def mse(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Mean squared error: the mean of (prediction - truth)².

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true numbers.
    y_pred : array-like of shape (n,)
        The predicted numbers.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> mse([3.0, 5.0], [2.0, 7.0])
    2.5
    """
    truth, predicted, weights = _pair("mse", y_true, y_pred, sample_weight)
    return _mean((predicted - truth) ** 2, weights)


@measure(
    needs="numbers",
    greater_is_better=False,
    best=0.0,
    unit="target",
    row_mean=RowMean(_squares, root_of="mse"),
)
def rmse(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Root mean squared error, in the unit of the target.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true numbers.
    y_pred : array-like of shape (n,)
        The predicted numbers.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> rmse([3.0, 5.0], [0.0, 8.0])
    3.0
    """
    truth, predicted, weights = _pair("rmse", y_true, y_pred, sample_weight)
    return math.sqrt(_mean((predicted - truth) ** 2, weights))


@measure(needs="numbers", greater_is_better=False, best=0.0, unit="target", row_mean=RowMean(_distances))
def mae(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Mean absolute error: the mean of |prediction - truth|.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true numbers.
    y_pred : array-like of shape (n,)
        The predicted numbers.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> mae([3.0, 5.0], [2.0, 7.0])
    1.5
    """
    truth, predicted, weights = _pair("mae", y_true, y_pred, sample_weight)
    return _mean(np.abs(predicted - truth), weights)


@measure(needs="numbers", greater_is_better=True, best=1.0)
def r2(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Fraction of the variance explained: 1 - sum (prediction - truth)² / sum (truth - mean of the truth)².

    If the truth is constant there is no variance to explain: the value is 1 for perfect predictions and 0
    otherwise, with a warning.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true numbers.
    y_pred : array-like of shape (n,)
        The predicted numbers.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        1 is best, 0 is as good as the mean, negative is worse than it.

    Examples
    --------
    >>> r2([1.0, 2.0, 3.0], [1.0, 2.0, 4.0])
    0.5
    """
    truth, predicted, weights = _pair("r2", y_true, y_pred, sample_weight)
    center = _mean(truth, weights)
    residual = _mean((predicted - truth) ** 2, weights)
    # Two passes over the rows: E[y^2] - E[y]^2 would lose all digits for targets far from zero.
    spread = _mean((truth - center) ** 2, weights)
    counted = truth if weights is None else truth[weights > 0]
    # compared by value: rounding of the mean leaves a constant truth a spread that is not exactly 0
    if (counted == counted[0]).all():
        value = 1.0 if residual == 0 else 0.0
        warnings.warn(
            f"r2: 'y_true' is {counted[0]:g} in every row, so there is no variance to explain; "
            f"the value is {value:g} by definition.",
            UserWarning,
            stacklevel=2,
        )
        return value
    return 1.0 - residual / spread
