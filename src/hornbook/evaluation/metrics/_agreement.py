"""Agreement beyond chance, and accuracy that gives every class the same weight."""

from __future__ import annotations

import math
import warnings
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.metrics._class_counts import class_counts
from hornbook.evaluation.metrics._confusion import ConfusionTable
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._zero_division import ZeroDivision, ratios

__all__ = ["balanced_accuracy", "kappa", "matthews"]


@measure(needs="labels", greater_is_better=True, best=1.0)
def kappa(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    """Cohen's kappa (1960): agreement beyond what chance would give, (p_o - p_e) / (1 - p_e).

    p_o is the fraction of rows on which both sides agree and p_e the fraction expected if they were
    independent with the same class frequencies. Compared with the truth, it says how much better a classifier
    is than a random one.

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes or the predictions of one classifier, or a table that counts both sides.
    y_pred : array-like of shape (n,), optional
        The predictions of the other; left out with a table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value when both sides have the same single class, so that p_e is 1; "warn" is 0 and a warning.

    Returns
    -------
    float
        1 is full agreement, 0 agreement by chance; negative is less than chance.

    Examples
    --------
    >>> kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    0.5
    """
    counts = class_counts("kappa", y_true, y_pred, sample_weight=sample_weight)
    total = counts.total[0]
    agreed = counts.right.sum() / total
    # Chance agreement of two raters who keep their marginal frequencies: sum over classes of p_true
    # p_predicted.
    expected = float(counts.true @ counts.predicted) / total**2
    if (counts.true * counts.predicted).max() == total**2:  # both sides have one class, exactly
        expected = 1.0
    values = ratios(
        "kappa",
        counts.names[:1],
        np.array([agreed - expected]),
        np.array([1.0 - expected]),
        zero_division,
        stacklevel=3,
    )
    return float(values[0])


@measure(needs="labels", greater_is_better=True, best=1.0)
def matthews(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    """Matthews correlation coefficient of true and predicted classes, for two classes or more.

    With two classes it is (TP TN - FP FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN)) (Matthews, 1975); with
    more, the generalization of Gorodkin (2004).

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes, or a table that counts them against the predicted ones.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with a table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "warn" or float, default "warn"
        The value when all true or all predicted classes are the same; "warn" is 0 and a warning.

    Returns
    -------
    float
        1 is best, 0 is chance, -1 is the opposite (with two classes).

    Examples
    --------
    >>> matthews([1, 1, 1, 0], [1, 1, 1, 0]), matthews([1, 0, 1, 0], [0, 1, 0, 1])
    (1.0, -1.0)
    """
    counts = class_counts("matthews", y_true, y_pred, sample_weight=sample_weight)
    total = counts.total[0]
    # covariance and variances of the class indicators, all multiplied by total^2
    covariance = counts.right.sum() * total - counts.true @ counts.predicted
    sides = (counts.true, counts.predicted)
    spread = math.sqrt(math.prod(float(total**2 - side @ side) for side in sides))
    # a constant side has no variance; compared exactly, so that rounding cannot leave a tiny divisor
    constant = [side for side in sides if side.max() == total]
    named = [counts.names[int(side.argmax())] for side in constant[:1]] or counts.names[:1]
    divisor = np.array([0.0 if constant else spread])
    values = ratios("matthews", named, np.array([covariance]), divisor, zero_division, stacklevel=3)
    # Cauchy-Schwarz bounds it by 1; rounding may not.
    return float(np.clip(values[0], -1.0, 1.0))


@measure(needs="labels", greater_is_better=True, best=1.0)
def balanced_accuracy(
    y_true: ArrayLike | ConfusionTable,
    y_pred: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision | Literal["skip"] = "skip",
) -> float:
    """Average recall: the mean over classes of the fraction of their rows predicted correctly.

    Parameters
    ----------
    y_true : array-like of shape (n,) or ConfusionTable
        The true classes, or a table that counts them against the predicted ones.
    y_pred : array-like of shape (n,), optional
        The predicted classes; left out with a table.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.
    zero_division : "skip", "warn" or float, default "skip"
        What happens to a class that is predicted but has no row: "skip" leaves it out of the mean, with a
        warning; "warn" counts it as 0, with a warning; a number counts as its recall.

    Returns
    -------
    float
        1 is best.

    Examples
    --------
    >>> balanced_accuracy(["a", "a", "a", "a", "b"], ["a", "a", "a", "b", "b"])
    0.875
    """
    counts = class_counts("balanced_accuracy", y_true, y_pred, sample_weight=sample_weight)
    if zero_division != "skip":
        recalls = ratios(
            "balanced_accuracy", counts.names, counts.right, counts.true, zero_division, stacklevel=3
        )
        return float(recalls.mean())
    # A class that only occurs among the predictions has recall 0 / 0. Leaving it out is what
    # scikit-learn does, too.
    present = counts.true > 0
    if not present.all():
        absent = [name for name, has_rows in zip(counts.names, present, strict=True) if not has_rows]
        warnings.warn(
            f"balanced_accuracy: the classes {absent} are predicted but have no rows; "
            "the mean is over the others.",
            UserWarning,
            stacklevel=2,
        )
    return float((counts.right[present] / counts.true[present]).mean())
