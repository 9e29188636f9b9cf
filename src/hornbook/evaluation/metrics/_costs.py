"""The mean cost of decisions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.metrics._columns import label_column, weight_column
from hornbook.evaluation.metrics._confusion import ConfusionTable, refuse_more
from hornbook.evaluation.metrics._labels import checked_classes, coded, distinct
from hornbook.evaluation.metrics._measure import measure
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["cost_risk"]


@measure(needs="labels", greater_is_better=False, best=0.0)
def cost_risk(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    costs: ArrayLike,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of the predictions, when some mistakes cost more than others.

    With a cost of 1 for each mistake and 0 for a correct prediction it is the error rate.

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes, or a table that counts them against the predicted ones.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with a table.
    costs : array-like of shape (n_classes, n_classes)
        ``costs[i][j]`` is the cost of predicting class i when the truth is class j.
    labels : sequence, optional
        The classes in the order of ``costs``; those of both columns, sorted, or those of the table when
        left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        Smaller is better.

    Examples
    --------
    Missing an ill patient costs ten times as much as a false alarm:

    >>> costs = [[0, 10], [1, 0]]
    >>> truth, diagnosis = ["ill", "ill", "well", "well"], ["well", "ill", "ill", "well"]
    >>> cost_risk(truth, diagnosis, costs=costs, labels=["well", "ill"])
    2.75
    """
    function = "cost_risk"
    if isinstance(y_true, ConfusionTable):
        refuse_more(function, y_pred, labels, sample_weight)
        matrix = _checked(costs, tuple(y_true.labels))
        # costs[i][j] is the cost of predicting i when j is true: the transpose of the table by truth.
        return float((matrix * y_true.by_truth.T).sum() / y_true.total)
    truth = label_column(function, "y_true", y_true)
    predicted = label_column(function, "y_pred", y_pred, len(truth))
    classes = distinct(function, truth, predicted) if labels is None else checked_classes(function, labels)
    matrix = _checked(costs, classes)
    row_costs = matrix[
        coded(function, "y_pred", predicted, classes), coded(function, "y_true", truth, classes)
    ]
    return float(np.average(row_costs, weights=weight_column(function, sample_weight, len(truth))))


def _checked(costs: ArrayLike, classes: tuple[Label, ...]) -> Floats:
    matrix = np.asarray(costs, dtype=np.float64)
    k = len(classes)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise ValueError(
            f"cost_risk: 'costs' must be {k} x {k} finite numbers for the classes {list(classes)}; "
            f"got shape {matrix.shape}: name all classes in 'labels'."
        )
    return matrix
