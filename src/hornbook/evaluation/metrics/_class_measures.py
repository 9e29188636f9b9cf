"""Precision and recall, and their counterparts for negative rows."""

from __future__ import annotations

from hornbook.evaluation.metrics._class_counts import ClassCounts
from hornbook.evaluation.metrics._class_share import class_share
from hornbook.params import Floats

__all__ = [
    "false_negative_rate",
    "false_positive_rate",
    "negative_precision",
    "precision",
    "recall",
    "specificity",
]


@class_share(greater_is_better=True)
def precision(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the rows predicted positive that are positive: TP / (TP + FP).

    With ``average="predicted"`` over all classes it is the accuracy.

    Examples
    --------
    >>> precision([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    >>> precision(["a", "b", "c"], ["a", "b", "b"], average=None, zero_division=0).tolist()
    [1.0, 0.5, 0.0]
    """
    return counts.right, counts.predicted


@class_share(greater_is_better=True)
def recall(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the positive rows that are predicted positive: TP / (TP + FN).

    Also called sensitivity, true positive rate, or the coverage of a class. With ``average="weighted"`` over
    all classes it is the accuracy.

    Examples
    --------
    >>> recall([1, 1, 1, 1], [1, 0, 1, 0])
    0.5
    """
    return counts.right, counts.true


@class_share(greater_is_better=True)
def specificity(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the negative rows that are predicted negative: TN / (TN + FP).

    Also called true negative rate.

    Examples
    --------
    >>> specificity([1, 0, 0, 0, 0], [1, 0, 0, 0, 1])
    0.75
    """
    return counts.right_negative, counts.total - counts.true


@class_share(greater_is_better=False)
def false_positive_rate(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the negative rows that are predicted positive: FP / (TN + FP).

    The significance level alpha of a test, and 1 - specificity.

    Examples
    --------
    >>> false_positive_rate([1, 0, 0, 0, 0], [1, 0, 0, 0, 1])
    0.25
    """
    return counts.predicted - counts.right, counts.total - counts.true


@class_share(greater_is_better=False)
def false_negative_rate(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the positive rows that are predicted negative: FN / (TP + FN).

    The type II error beta of a test, and 1 - recall.

    Examples
    --------
    >>> false_negative_rate([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])
    0.25
    """
    return counts.true - counts.right, counts.true


@class_share(greater_is_better=True)
def negative_precision(counts: ClassCounts) -> tuple[Floats, Floats]:
    """Fraction of the rows predicted negative that are negative: TN / (TN + FN).

    Also called negative predictive value.

    Examples
    --------
    >>> negative_precision([1, 0, 0, 0], [0, 0, 0, 0])
    0.75
    """
    return counts.right_negative, counts.total - counts.predicted


# The decorator makes the functions in another module, where doctest would not look for their examples.
__test__ = {name: globals()[name] for name in __all__}
