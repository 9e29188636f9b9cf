"""Accuracy and error rate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import label_column, weight_column
from hornbook.evaluation.metrics._confusion import ConfusionTable, refuse_more
from hornbook.evaluation.metrics._labels import is_text
from hornbook.evaluation.metrics._measure import RowMean, measure

__all__ = ["accuracy", "error_rate"]


def _misses(truth: NDArray[Any], labels: NDArray[Any], _: Any) -> NDArray[np.float64]:
    return np.asarray(labels != truth, dtype=np.float64)


def _hits(truth: NDArray[Any], labels: NDArray[Any], _: Any) -> NDArray[np.float64]:
    return np.asarray(labels == truth, dtype=np.float64)


@measure(needs="labels", greater_is_better=False, best=0.0, row_mean=RowMean(_misses, share=True))
def error_rate(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Fraction of the rows whose class is predicted incorrectly.

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes, or a table that counts them against the predicted ones.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with a table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best; 1 - accuracy.

    Examples
    --------
    >>> error_rate(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    0.25
    """
    return _wrong("error_rate", y_true, y_pred, sample_weight)


@measure(needs="labels", greater_is_better=True, best=1.0, row_mean=RowMean(_hits, share=True))
def accuracy(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Fraction of the rows whose class is predicted correctly.

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes, or a table that counts them against the predicted ones.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with a table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        1 is best; 1 - error rate.

    Examples
    --------
    >>> accuracy(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    0.75
    """
    return 1.0 - _wrong("accuracy", y_true, y_pred, sample_weight)


def _wrong(function: str, y_true: Any, y_pred: Any, sample_weight: Any) -> float:
    if isinstance(y_true, ConfusionTable):
        refuse_more(function, y_pred, sample_weight)
        # The trace is the same in either layout of the table, so the orientation of its rows does not
        # matter.
        return float((y_true.total - np.trace(y_true.array)) / y_true.total)
    truth = label_column(function, "y_true", y_true)
    predicted = label_column(function, "y_pred", y_pred, len(truth))
    # NumPy finds "1" and 1 different in every row: the error rate would be 1 without a message
    if is_text(truth) != is_text(predicted):
        raise ValueError(
            f"{function}: 'y_true' and 'y_pred' must both hold text or both numbers; "
            f"got {truth[0]!r} and {predicted[0]!r}: convert one side, for example with astype(str)."
        )
    weights = weight_column(function, sample_weight, len(truth))
    return float(np.average(truth != predicted, weights=weights))
