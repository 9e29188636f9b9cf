"""How mixed a set is: impurities of class weights and of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params import Floats

__all__ = [
    "IMPURITIES",
    "absolute_deviation",
    "daroczy_entropy",
    "entropy",
    "gini",
    "impurity",
    "misclassification",
    "purity",
    "quadratic_entropy",
    "shares",
    "variance",
]


def shares(counts: ArrayLike) -> Floats:
    """Class weights divided by their sum, along the last axis; all 0 for an empty set."""
    weights = np.asarray(counts, dtype=np.float64)
    if weights.ndim == 0 or weights.shape[-1] == 0 or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(f"counts must be finite numbers, at least 0, one for each class; got {counts!r}.")
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))  # 0 / 0 counts as 0


def entropy(counts: ArrayLike) -> Any:
    """Shannon's entropy in bits: -sum p log2 p, with 0 log 0 = 0.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.

    Returns
    -------
    float or ndarray
        0 for a pure set, log2 k at most.

    Examples
    --------
    >>> round(float(entropy([9, 5])), 3)
    0.94
    """
    p = shares(counts)
    logs = np.log2(p, where=p > 0, out=np.zeros_like(p))
    # Adding 0 turns the -0.0 of a pure set into 0.0.
    return -(p * logs).sum(axis=-1) + 0.0


def gini(counts: ArrayLike) -> Any:
    """Gini impurity: 1 - sum p**2, the probability that two random rows differ in class.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.

    Examples
    --------
    >>> float(gini([1, 1]))
    0.5
    """
    p = shares(counts)
    # An empty set has no rows that could differ: 0, not 1.
    return np.where(p.sum(axis=-1) > 0, 1.0 - (p**2).sum(axis=-1), 0.0)[()]


def quadratic_entropy(counts: ArrayLike) -> Any:
    """Quadratic entropy: 2 - 2 sum p**2, twice the Gini impurity.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.

    Examples
    --------
    >>> float(quadratic_entropy([1, 1]))
    1.0
    """
    return 2.0 * gini(counts)


def daroczy_entropy(counts: ArrayLike, beta: float = 2.0) -> Any:
    """Entropy of order b (Daróczy 1970): 2**(b-1) / (2**(b-1) - 1) * (1 - sum p**b); Shannon's for b -> 1.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.
    beta : float, default 2.0
        The exponent, above 0; 2 gives the quadratic entropy.

    Examples
    --------
    >>> float(daroczy_entropy([1, 1], beta=3.0))
    1.0
    """
    if not beta > 0:
        raise ValueError(f"beta must be above 0; got {beta!r}.")
    # The formula is 0 / 0 here; its limit is Shannon's entropy.
    if beta == 1.0:
        return entropy(counts)
    p = shares(counts)
    powers = np.where(p > 0, p, 1.0) ** beta * (p > 0)
    factor = 2.0 ** (beta - 1.0)
    inside = np.where(p.sum(axis=-1) > 0, 1.0 - powers.sum(axis=-1), 0.0)
    return (factor / (factor - 1.0) * inside)[()]


def misclassification(counts: ArrayLike) -> Any:
    """Error rate of predicting the majority class: 1 - max p.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.

    Examples
    --------
    >>> float(misclassification([3, 1]))
    0.25
    """
    p = shares(counts)
    return np.where(p.sum(axis=-1) > 0, 1.0 - p.max(axis=-1), 0.0)[()]


def purity(counts: ArrayLike) -> Any:
    """Frequency of the majority class: max p.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.

    Examples
    --------
    >>> float(purity([3, 1]))
    0.75
    """
    return shares(counts).max(axis=-1)


def variance(numbers: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Mean squared deviation from the mean, with divisor n.

    Parameters
    ----------
    numbers : array-like of shape (n,)
        The numbers.
    weights : array-like of shape (n,), optional
        Their weights; every number counts once when left out.

    Examples
    --------
    >>> variance([1.0, 3.0])
    1.0
    """
    y, w = _weighted(numbers, weights)
    # Two passes, which do not cancel as the mean of squares minus the squared mean does.
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))


def absolute_deviation(numbers: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Mean absolute deviation from the median.

    Parameters
    ----------
    numbers : array-like of shape (n,)
        The numbers.
    weights : array-like of shape (n,), optional
        Their weights; every number counts once when left out.

    Examples
    --------
    >>> absolute_deviation([1.0, 2.0, 6.0])
    1.6666666666666667
    """
    y, w = _weighted(numbers, weights)
    # The weighted median: where the cumulative weight reaches one half.
    order = np.argsort(y, kind="stable")
    middle = order[np.searchsorted(np.cumsum(w[order]), 0.5 * w.sum())]
    return float(np.average(np.abs(y - y[middle]), weights=w))


def _weighted(numbers: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats]:
    y = np.asarray(numbers, dtype=np.float64)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    if y.ndim != 1 or w.shape != y.shape or not w.sum() > 0:
        raise ValueError(
            "numbers must be 1-D and weights of the same length, with a sum above 0; got shapes "
            f"{y.shape} and {w.shape}."
        )
    return y, w


# What a tree shows as the impurity of a node, by the name of its criterion.
IMPURITIES: dict[str, Callable[..., Any]] = {
    "gini": gini,
    "entropy": entropy,
    "log_loss": entropy,
    "gain": entropy,
    "gain_ratio": entropy,
    "raw_gain_ratio": entropy,
    "symmetric_gain_ratio": entropy,
    "symmetric_gain_ratio_sum": entropy,
    "cart": gini,
    "quadratic_gain": quadratic_entropy,
    "daroczy": daroczy_entropy,
    "misclassification": misclassification,
}


def impurity(counts: ArrayLike, criterion: str = "gini", beta: float = 2.0) -> Any:
    """Impurity of class weights under the name of a criterion.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weights of the classes.
    criterion : str, default "gini"
        A name in ``IMPURITIES``.
    beta : float, default 2.0
        The exponent of ``"daroczy"``.

    Examples
    --------
    >>> float(impurity([1, 1], "entropy"))
    1.0
    """
    if criterion not in IMPURITIES:
        raise ValueError(f"criterion must be one of {', '.join(IMPURITIES)}; got {criterion!r}.")
    return daroczy_entropy(counts, beta) if criterion == "daroczy" else IMPURITIES[criterion](counts)
