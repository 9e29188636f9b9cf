"""Rates of negatives: specificity, false alarms, misses, and the precision of negative answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from hornbook.evaluation._class_counts import Average, Truth, class_measure, class_shares
from hornbook.evaluation._zero_division import ZeroDivision
from hornbook.frame import Label

__all__ = ["false_negative_rate", "false_positive_rate", "negative_precision", "specificity"]


@class_measure(greater_is_better=True)
def specificity(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average | None = "binary",
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Share of the negative rows that are called negative: TN / (TN + FP).

    Also called true negative rate.

    Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, as of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {"binary", "macro", "macro_means", "micro", "weighted", "predicted"} or None, default "binary"
        As for `precision`.
    positive : label, optional
        The positive one of two classes; 1 or True when left out.
    labels : sequence, optional
        All classes; those of both columns when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value of 0 / 0; "warn" is 0 and a warning that names the class.

    Returns
    -------
    float or ndarray
        1 is best.

    Examples
    --------
    >>> specificity([1, 0, 0, 0, 0], [1, 0, 0, 0, 1])
    0.75
    """
    return class_shares(
        "specificity",
        lambda counts: (counts.right_negative, counts.total - counts.true),
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


@class_measure(greater_is_better=False)
def false_positive_rate(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average | None = "binary",
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Share of the negative rows that are called positive: FP / (TN + FP).

    The level alpha of a test, and 1 - specificity.

    Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, as of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {"binary", "macro", "macro_means", "micro", "weighted", "predicted"} or None, default "binary"
        As for `precision`.
    positive : label, optional
        The positive one of two classes; 1 or True when left out.
    labels : sequence, optional
        All classes; those of both columns when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value of 0 / 0; "warn" is 0 and a warning that names the class.

    Returns
    -------
    float or ndarray
        0 is best.

    Examples
    --------
    >>> false_positive_rate([1, 0, 0, 0, 0], [1, 0, 0, 0, 1])
    0.25
    """
    return class_shares(
        "false_positive_rate",
        lambda counts: (counts.predicted - counts.right, counts.total - counts.true),
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


@class_measure(greater_is_better=False)
def false_negative_rate(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average | None = "binary",
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Share of the positive rows that are called negative: FN / (TP + FN).

    The error beta of a test, and 1 - recall.

    Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, as of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {"binary", "macro", "macro_means", "micro", "weighted", "predicted"} or None, default "binary"
        As for `precision`.
    positive : label, optional
        The positive one of two classes; 1 or True when left out.
    labels : sequence, optional
        All classes; those of both columns when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value of 0 / 0; "warn" is 0 and a warning that names the class.

    Returns
    -------
    float or ndarray
        0 is best.

    Examples
    --------
    >>> false_negative_rate([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.25
    """
    return class_shares(
        "false_negative_rate",
        lambda counts: (counts.true - counts.right, counts.true),
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


@class_measure(greater_is_better=True)
def negative_precision(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average | None = "binary",
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """Share of the rows called negative that are negative: TN / (TN + FN).

    Also called negative predictive value.

    Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, as of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {"binary", "macro", "macro_means", "micro", "weighted", "predicted"} or None, default "binary"
        As for `precision`.
    positive : label, optional
        The positive one of two classes; 1 or True when left out.
    labels : sequence, optional
        All classes; those of both columns when left out.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value of 0 / 0; "warn" is 0 and a warning that names the class.

    Returns
    -------
    float or ndarray
        1 is best.

    Examples
    --------
    >>> negative_precision([1, 0, 0, 0], [0, 0, 0, 0])
    0.75
    """
    return class_shares(
        "negative_precision",
        lambda counts: (counts.right_negative, counts.total - counts.predicted),
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )
