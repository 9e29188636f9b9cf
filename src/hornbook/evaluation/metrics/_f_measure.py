"""The F-measure: precision and recall in one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from numpy.typing import ArrayLike

from hornbook.evaluation.metrics._class_counts import (
    Average,
    ClassCounts,
    Truth,
    check_average,
    class_counts,
)
from hornbook.evaluation.metrics._class_share import class_shares
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._zero_division import ZeroDivision, ratios
from hornbook.frame import Label
from hornbook.params import Floats

__all__ = ["f_measure"]


@overload
def f_measure(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: None,
    beta: float = 1.0,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Floats: ...
@overload
def f_measure(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average = "binary",
    beta: float = 1.0,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float: ...
@measure(needs="labels", greater_is_better=True, best=1.0)
def f_measure(
    y_true: Truth,
    y_pred: ArrayLike | None = None,
    *,
    average: Average | None = "binary",
    beta: float = 1.0,
    positive: Label | None = None,
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Any:
    """F-measure (van Rijsbergen, 1979): (1 + beta²) P R / (beta² P + R) of precision P and recall R.

    It is computed from counts, as (1 + beta²) TP / ((1 + beta²) TP + beta² FN + FP), which is the same where
    P and R are defined; with beta = 1 it is F1 = 2 TP / (n + TP - TN).

    Parameters
    ----------
    y_true : array-like of shape (n,), ConfusionTable or list of ConfusionTable
        The true classes, or one table, or several tables of two classes each, for instance of several runs.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with tables.
    average : {"binary", "macro", "macro_means", "micro", "weighted", "predicted"} or None, default "binary"
        As for `precision`, with two ways to take a macro average: "macro" is the mean of the F-measures of
        the classes (as in scikit-learn), "macro_means" the F-measure of the mean precision and the mean
        recall.
    beta : float, default 1.0
        Positive; above 1 recall counts more, below 1 precision does.
    positive : label, optional
        The positive one of two classes; 1, or else the one that sorts last, when left out.
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
    >>> f_measure([1, 1, 1, 0], [1, 0, 1, 0])
    0.8
    >>> f_measure(["a", "a", "b", "c"], ["a", "b", "b", "c"], average="macro_means").__round__(4)
    0.8333
    """
    if not (isinstance(beta, int | float) and 0 < beta < float("inf")):
        raise ValueError(f"f_measure: 'beta' must be a positive number; got {beta!r}.")
    check_average("f_measure", average)
    # "macro_means" is the F-measure of the averaged P and R; "macro" averages the F-measures. The two
    # may differ by up to 0.5 (Opitz and Burst 2019).
    if average == "macro_means":
        counts = class_counts(
            "f_measure", y_true, y_pred, positive=positive, labels=labels, sample_weight=sample_weight
        )
        return _of_means(counts, beta, zero_division)
    # from counts, not from P and R: defined as 0 where P is 0 / 0 but there are positive rows
    return class_shares(
        "f_measure",
        lambda counts: ((1 + beta**2) * counts.right, beta**2 * counts.true + counts.predicted),
        y_true,
        y_pred,
        average=average,
        positive=positive,
        labels=labels,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def _of_means(counts: ClassCounts, beta: float, zero_division: ZeroDivision) -> float:
    """Return the F-measure of mean precision and mean recall; 0 when both are."""
    mean_precision = ratios("precision", counts.names, counts.right, counts.predicted, zero_division).mean()
    mean_recall = ratios("recall", counts.names, counts.right, counts.true, zero_division).mean()
    if mean_precision + mean_recall == 0:
        return 0.0
    return float((1 + beta**2) * mean_precision * mean_recall / (beta**2 * mean_precision + mean_recall))
