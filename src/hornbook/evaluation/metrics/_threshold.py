"""Classes from scores by a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.metrics._columns import number_column
from hornbook.evaluation.metrics._labels import checked_classes
from hornbook.frame import Label

__all__ = ["classify"]


def classify(y_score: ArrayLike, cut: float = 0.5, *, labels: Sequence[Label] = (0, 1)) -> NDArray[Any]:
    """Turn scores into classes: positive when the score reaches the threshold.

    A higher threshold predicts fewer rows positive, which favors precision; a lower one favors recall. Each
    threshold is a point of `roc_curve` and of `pr_curve`.

    Parameters
    ----------
    y_score : array-like of shape (n,)
        Scores or probabilities of the positive class.
    cut : float, default 0.5
        The threshold.
    labels : sequence of two labels, default (0, 1)
        The negative class and the positive class.

    Returns
    -------
    ndarray of shape (n,)
        The class of each row.

    Examples
    --------
    >>> classify([0.2, 0.5, 0.9]).tolist()
    [0, 1, 1]
    >>> classify([0.2, 0.5, 0.9], 0.8, labels=["raw", "ripe"]).tolist()
    ['raw', 'raw', 'ripe']
    """
    classes = checked_classes("classify", labels)
    if len(classes) != 2:
        raise ValueError(
            f"classify: 'labels' must name the negative and the positive class; got {list(classes)}."
        )
    if np.isnan(cut):
        raise ValueError("classify: 'cut' must be a number; got nan.")
    scores = number_column("classify", "y_score", y_score)
    return np.asarray(classes)[(scores >= cut).astype(np.intp)]
