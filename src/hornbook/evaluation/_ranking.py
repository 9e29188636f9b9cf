"""Scores that rank rows: how often a positive row is above a negative one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation._columns import label_column, score_table, weight_column
from hornbook.evaluation._labels import distinct, positive_of
from hornbook.evaluation._measure import measure
from hornbook.frame import Label

__all__ = ["auc"]


@measure(needs="scores", greater_is_better=True, best=1.0)
def auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the ROC curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,)
        The scores.
    labels : sequence, optional
        The classes.
    positive : label, optional
        The positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        1 is best.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    truth = label_column("auc", "y_true", y_true)
    score = score_table("auc", "y_score", y_score, len(truth))
    classes = distinct("auc", truth)
    chosen = positive_of("auc", classes, positive, last=True)
    w = weight_column("auc", sample_weight, len(truth))
    weights = np.ones(len(truth)) if w is None else w
    yes = truth == chosen
    _, group = np.unique(score, return_inverse=True)
    pos = np.bincount(group, weights * yes)
    neg = np.bincount(group, weights * ~yes)
    below = np.cumsum(neg) - neg
    return float(pos @ (below + neg / 2) / (pos.sum() * neg.sum()))
