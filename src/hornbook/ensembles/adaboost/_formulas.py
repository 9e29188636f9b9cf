"""The formulas of AdaBoost: weights of members and rows, the bound on the training error, the size."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats

__all__ = ["error_bounds", "reweighted", "suggested_size", "vote_weight"]


def vote_weight(error: float, n_classes: int = 2) -> float:
    """Return the weight of a member's vote: ln((1 - e) / e) + ln(K - 1) for the weighted error e.

    This is the weight of SAMME (Zhu, Zou, Rosset and Hastie 2009) and of scikit-learn. Discrete AdaBoost
    (Freund and Schapire 1997) takes half of it for two classes, 1/2 ln((1 - e) / e), which is also
    1/2 ln((1 + o) / (1 - o)) with the edge o = 1 - 2 e. A common factor changes no vote.

    Parameters
    ----------
    error : float
        Weighted error rate, between 0 and 1, both excluded.
    n_classes : int, default 2
        Number of classes.

    Returns
    -------
    weight : float
        Above 0 when the member is better than chance.

    Examples
    --------
    >>> round(vote_weight(0.2) / 2, 4)
    0.6931
    """
    if not 0.0 < error < 1.0:
        raise ValueError(f"vote_weight: 'error' must lie between 0 and 1, both excluded; got {error}.")
    # Zhu et al. (2009); ln(K - 1) is 0 for two classes and makes the bar 1 - 1/K instead of 1/2.
    return math.log((1.0 - error) / error) + math.log(n_classes - 1.0)


def reweighted(
    w: ArrayLike,
    wrong: ArrayLike,
    error: float | None = None,
    *,
    rule: Literal["wrong", "both", "halves"] = "wrong",
) -> Floats:
    """Return the weights of rows for the next member; their sum stays the same.

    The three rules give the same weights: they differ by a factor that scaling takes out.

    Parameters
    ----------
    w : array-like of shape (n_rows,)
        The weights so far.
    wrong : array-like of bool of shape (n_rows,)
        Which rows the member gets wrong.
    error : float, optional
        The error e of the member; their weighted share when left out.
    rule : {"wrong", "both", "halves"}, default "wrong"
        Multiply the weights of wrong rows by (1 - e) / e; multiply those of wrong rows by exp(a) and of the
        others by exp(-a) with a = 1/2 ln((1 - e) / e); or divide those of wrong rows by 2 e and of the others
        by 2 (1 - e), after which either kind has half of the weight.

    Returns
    -------
    weights : ndarray of shape (n_rows,)
        The new weights.

    Examples
    --------
    >>> reweighted([1.0] * 5, [True, False, False, False, False]).tolist()
    [2.5, 0.625, 0.625, 0.625, 0.625]
    """
    before, missed = np.asarray(w, dtype=np.float64), np.asarray(wrong, dtype=np.bool_)
    e = float(before[missed].sum() / before.sum()) if error is None else error
    # Half of the log odds minimizes the exponential loss of two classes.
    alpha = vote_weight(e) / 2
    # All three rules differ by a common factor only, which scaling removes; they are those of
    # different textbooks.
    factors = {
        "wrong": (math.exp(2 * alpha), 1.0),
        "both": (math.exp(alpha), math.exp(-alpha)),
        "halves": (1 / (2 * e), 1 / (2 * (1 - e))),
    }
    if rule not in factors:
        raise ValueError(f"reweighted: 'rule' must be one of {', '.join(factors)}; got {rule!r}.")
    return scaled(np.where(missed, *factors[rule]) * before, float(before.sum()))


def scaled(w: Floats, total: float) -> Floats:
    """The weights with this sum."""
    return np.asarray(w * (total / w.sum()))


def error_bounds(errors: ArrayLike, alphas: ArrayLike | None = None) -> Floats:
    """Return the bound on the training error of the first 1, 2, ... members of AdaBoost for two classes.

    The share of wrong training rows is at most the mean of exp(-y F), which is the product of the
    Z = (1 - e) exp(-a) + e exp(a) of the members (Freund and Schapire 1997); with the best
    a = 1/2 ln((1 - e) / e), Z is 2 sqrt(e (1 - e)).

    Parameters
    ----------
    errors : array-like of shape (n_members,)
        The weighted errors e, as ``estimator_errors_`` has them.
    alphas : array-like of shape (n_members,), optional
        The weights a of the members with the factor 1/2; the best ones when left out.

    Returns
    -------
    bounds : ndarray of shape (n_members,)
        The products.

    Examples
    --------
    >>> error_bounds([0.2, 0.1875, 0.115385]).round(4).tolist()
    [0.8, 0.6245, 0.399]
    """
    e = np.asarray(errors, dtype=np.float64)
    if alphas is None:
        # Z_t = 2 sqrt(e (1 - e)), the normalizer of round t; their product bounds the training error.
        return np.asarray(np.cumprod(2.0 * np.sqrt(e * (1.0 - e))), dtype=np.float64)
    a = np.asarray(alphas, dtype=np.float64)
    # For other weights than the optimal ones, Z_t = (1 - e) exp(-a) + e exp(a).
    return np.asarray(np.cumprod((1.0 - e) * np.exp(-a) + e * np.exp(a)), dtype=np.float64)


def suggested_size(errors: ArrayLike, *, rule: Literal["elbow", "smallest"] = "elbow") -> int:
    """Return how many members an ensemble needs, from the errors of its first 1, 2, ... members.

    Errors on new rows need not fall for ever, so the size is read from the curve.

    Parameters
    ----------
    errors : array-like of shape (n_members,)
        As ``staged_errors`` gives them, best on rows that were not learned from.
    rule : {"elbow", "smallest"}, default "elbow"
        Where the curve bends: its lowest values so far are farthest below the straight line from the first to
        the smallest error (Satopää, Albrecht, Irwin and Raghavan 2011); or where the error is smallest.

    Returns
    -------
    size : int
        The number of members; the smallest of equally good ones.

    Examples
    --------
    >>> suggested_size([0.4, 0.3, 0.1, 0.09, 0.08, 0.08]), suggested_size([0.4, 0.1, 0.2], rule="smallest")
    (3, 2)
    """
    curve = np.asarray(errors, dtype=np.float64)
    if curve.ndim != 1 or not len(curve) or not np.isfinite(curve).all():
        raise ValueError(
            f"suggested_size: 'errors' must be a list of at least one finite number; got shape {curve.shape}."
        )
    if rule not in ("elbow", "smallest"):
        raise ValueError(f"suggested_size: 'rule' must be 'elbow' or 'smallest'; got {rule!r}.")
    end = int(curve.argmin())
    if rule == "smallest" or end == 0:
        return end + 1
    # A running minimum: a noisy curve must not have its elbow in a dip.
    lowest = np.minimum.accumulate(curve[: end + 1])
    line = np.linspace(curve[0], curve[end], end + 1)
    # The elbow is the point farthest below the chord from the first error to the smallest.
    below: NDArray[np.float64] = line - lowest
    return int(below.argmax()) + 1
