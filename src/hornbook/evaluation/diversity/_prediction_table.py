"""Predictions of several classifiers for the same rows, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import weight_column
from hornbook.params import Floats

__all__ = ["PredictionTable", "agreements", "prediction_table"]


@dataclass(frozen=True)
class PredictionTable:
    """Predicted and true classes as positions, and shares of the rows that sum to 1."""

    codes: NDArray[np.intp]
    truth: NDArray[np.intp]
    w: Floats
    n_classes: int


def prediction_table(
    function: str, predictions: ArrayLike, y: ArrayLike | None, sample_weight: ArrayLike | None = None
) -> PredictionTable:
    """Check predictions and truth; without a truth, the first classifier stands in for it."""
    table: NDArray[Any] = np.asarray(predictions)
    if table.ndim != 2 or not table.size:
        raise ValueError(
            f"{function}: 'predictions' must have a row for each classifier and a column for each row; got "
            f"an array of shape {table.shape}."
        )
    truth = table[0] if y is None else np.asarray(y)
    if truth.shape != table.shape[1:]:
        raise ValueError(
            f"{function}: 'y' must have one class for each of the {table.shape[1]} columns of 'predictions'; "
            f"got an array of shape {truth.shape}."
        )
    classes, codes = np.unique(np.concatenate([truth[None], table]), return_inverse=True)
    codes = codes.reshape(len(table) + 1, -1)
    weights = weight_column(function, sample_weight, table.shape[1])
    w = np.ones(table.shape[1]) if weights is None else weights
    return PredictionTable(codes[1:], codes[0], w / w.sum(), len(classes))


def agreements(codes: NDArray[np.intp], w: Floats, n_classes: int) -> Floats:
    """Return the share of the rows for which each pair of classifiers predicts the same."""
    total = np.zeros((len(codes), len(codes)))
    for k in range(n_classes):
        # One matrix product per class: O(k T^2 n) flops in BLAS, no (T, T, n) array.
        predicted = (codes == k).astype(np.float64)
        total += (predicted * w) @ predicted.T
    return total
