"""Measures of class probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import weight_column
from hornbook.evaluation.metrics._labels import coded
from hornbook.evaluation.metrics._measure import RowMean, measure
from hornbook.evaluation.metrics._probabilities import probability_table
from hornbook.frame import Label

__all__ = ["brier_score", "log_loss"]


def _surprises(
    truth: NDArray[Any], probabilities: NDArray[Any], labels: Sequence[Any]
) -> NDArray[np.float64]:
    codes = coded("log_loss", "truth", truth, labels)
    # single precision probabilities sum to 1 only approximately
    own = probabilities[np.arange(len(codes)), codes] / probabilities.sum(axis=1)
    # The same floor as in `log_loss`, so that the mean of the row values is that measure to the last
    # digit.
    return np.asarray(-np.log(np.clip(own, np.finfo(np.float64).eps, None)))


@measure(needs="probabilities", greater_is_better=False, best=0.0, row_mean=RowMean(_surprises))
def log_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean of -ln of the predicted probability of the true class.

    Probabilities are clipped at 2.2e-16, the machine epsilon of a double: a class with probability 0 that
    occurs costs 36 and not infinity, as in scikit-learn.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_pred : array-like of shape (n, n_classes) or (n,)
        The probability of each class, or of the positive one of two.
    labels : sequence, optional
        The classes in the order of the columns; the sorted classes of ``y_true`` when left out.
    positive : label, optional
        The class that a single column is about; 1, or else the class that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> round(log_loss(["a", "b", "b"], [[0.5, 0.5], [0.25, 0.75], [0.0, 1.0]]), 4)
    0.3269
    """
    checked = probability_table("log_loss", y_true, y_pred, labels, positive)
    weights = weight_column("log_loss", sample_weight, len(checked.codes))
    # Clipped at machine epsilon, as scikit-learn does: one certain mistake costs 36, not infinity.
    losses = -np.log(np.maximum(checked.of_truth, np.finfo(np.float64).eps))
    return float(np.average(losses, weights=weights))


@measure(needs="probabilities", greater_is_better=False, best=0.0)
def brier_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean squared difference between probabilities and outcomes (Brier, 1950).

    With two classes it is the mean of (p - o)², where p is the probability of one class and o is 1 where it
    occurred and 0 elsewhere; it lies between 0 and 1. With more it is the mean of the sum of (p - o)² over
    all classes, between 0 and 2, as in scikit-learn.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_pred : array-like of shape (n, n_classes) or (n,)
        The probability of each class, or of the positive one of two.
    labels : sequence, optional
        The classes in the order of the columns; the sorted classes of ``y_true`` when left out.
    positive : label, optional
        The class that a single column is about; 1, or else the class that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best.

    Examples
    --------
    >>> brier_score([1, 0, 1], [1.0, 0.5, 0.5])
    0.16666666666666666
    """
    checked = probability_table("brier_score", y_true, y_pred, labels, positive)
    weights = weight_column("brier_score", sample_weight, len(checked.codes))
    residuals = checked.table.copy()
    np.put_along_axis(residuals, checked.codes[:, None], checked.of_truth[:, None] - 1.0, axis=1)
    total = float(np.average((residuals**2).sum(axis=1), weights=weights))
    # With two classes both columns have the same residual; Brier's original sum counts it twice.
    return total / 2 if len(checked.classes) == 2 else total
