"""Measures of scores that rank rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import _native
from hornbook.evaluation.metrics._columns import label_column, score_table, weight_column
from hornbook.evaluation.metrics._labels import checked_classes, distinct, positive_of
from hornbook.evaluation.metrics._measure import measure
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["RankedRows", "ThresholdCounts", "ranked_rows", "ranking_loss", "threshold_counts"]


@dataclass(frozen=True)
class RankedRows:
    """Rows of a positive class and others, each with a score."""

    positive: Label
    is_positive: NDArray[np.bool_]
    score: Floats
    weight: Floats | None


def ranked_rows(
    function: str,
    y_true: Any,
    y_score: Any,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: Any = None,
) -> RankedRows:
    """Return rows with scores; the positive class and the others have at least one row each."""
    truth = label_column(function, "y_true", y_true)
    score = score_table(function, "y_score", y_score, len(truth), infinite=True)
    classes = distinct(function, truth) if labels is None else checked_classes(function, labels)
    if len(classes) < 2 and positive is None:
        refuse_one_class(function, classes[0])
    chosen = positive_of(function, classes, positive)
    if score.ndim == 2:
        if score.shape[1] != 2 or len(classes) != 2:
            raise ValueError(
                f"{function}: 'y_score' must have one column, the scores of the positive class; "
                f"got {score.shape[1]}: choose the column of one class, and name that class in 'positive'."
            )
        # With two classes the other column carries no further information.
        score = np.ascontiguousarray(score[:, classes.index(chosen)])
    weight = weight_column(function, sample_weight, len(truth))
    is_positive = np.asarray(truth == chosen, dtype=np.bool_)
    for side in (is_positive, ~is_positive):
        if not (side.any() if weight is None else weight[side].any()):
            refuse_one_class(function, chosen if side is not is_positive else f"not {chosen}")
    return RankedRows(chosen, is_positive, score, weight)


def refuse_one_class(function: str, label: Label) -> None:
    """Raise an error because there is only one class to rank."""
    raise ValueError(
        f"{function}: 'y_true' must have rows of two classes, as a ranking needs both; got only {label!r}: "
        "take other rows, or stratify the folds."
    )


@dataclass(frozen=True)
class ThresholdCounts:
    """True and false positives at each threshold, from the highest, which no row reaches, to the lowest."""

    thresholds: Floats  # the first is infinity, the others are the distinct scores
    true_positives: Floats
    false_positives: Floats


def threshold_counts(rows: RankedRows) -> ThresholdCounts:
    """Count positives and negatives with at least each score; rows with the same score move together."""
    scores, positive, negative = _native.score_groups(rows.is_positive, rows.score, rows.weight)
    counted = positive + negative > 0  # scores of rows with weight zero are no thresholds
    return ThresholdCounts(
        np.concatenate([[np.inf], scores[counted]]),
        np.concatenate([[0.0], np.cumsum(positive[counted])]),
        np.concatenate([[0.0], np.cumsum(negative[counted])]),
    )


@measure(needs="scores", greater_is_better=False, best=0.0)
def ranking_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Fraction of the pairs of a positive and a negative row in which the negative one scores higher.

    Ties count one half, so it is 1 - `auc`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,)
        Scores that are higher the more likely a row is positive; infinities are allowed.
    labels : sequence, optional
        The classes; those of ``y_true`` when left out.
    positive : label, optional
        The positive class; 1, or else the one of two that sorts last, when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        0 is best, 0.5 is chance.

    Examples
    --------
    >>> ranking_loss([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.25
    """
    rows = ranked_rows(
        "ranking_loss", y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight
    )
    _, positives, negatives = _native.score_groups(rows.is_positive, rows.score, rows.weight)
    # Mann-Whitney: for each group of equal scores, the negatives above it plus half of those within.
    above = np.cumsum(negatives) - negatives / 2  # scores descend, and ties count half
    return float(positives @ above / (positives.sum() * negatives.sum()))
