"""From scores to probabilities and back: step, logistic function, odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from hornbook.params import Floats

__all__ = ["log_odds", "logistic", "odds", "unit_step"]


def unit_step(z: ArrayLike) -> Floats:
    """Decide by the sign of a score: 0 below zero, 1 above, 0.5 at zero.

    Parameters
    ----------
    z : array-like
        The scores.

    Returns
    -------
    ndarray
        0, 0.5 or 1 for each score.

    Examples
    --------
    >>> unit_step([-2.0, 0.0, 3.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.asarray(np.heaviside(np.asarray(z, dtype=np.float64), 0.5))


def logistic(z: ArrayLike) -> Floats:
    """Turn scores into probabilities: 1 / (1 + exp(-z)).

    Parameters
    ----------
    z : array-like
        The scores, which are log odds.

    Returns
    -------
    ndarray
        Probabilities between 0 and 1; nothing overflows.

    Examples
    --------
    >>> logistic([-1000.0, 0.0, 1000.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    # expit takes exp of the negative side only, so that large scores of either sign do not overflow.
    return np.asarray(expit(np.asarray(z, dtype=np.float64)))


def odds(p: ArrayLike) -> Floats:
    """Turn probabilities into odds: p / (1 - p).

    Parameters
    ----------
    p : array-like
        Probabilities between 0 and 1.

    Returns
    -------
    ndarray
        How much likelier the event is than its opposite; infinite where p is 1.

    Examples
    --------
    >>> odds([0.0, 0.5, 0.75, 1.0]).tolist()
    [0.0, 1.0, 3.0, inf]
    """
    probabilities = _probabilities(p, "odds")
    with np.errstate(divide="ignore"):  # p = 1 gives infinity on purpose
        return np.asarray(probabilities / (1.0 - probabilities))


def log_odds(p: ArrayLike) -> Floats:
    """Turn probabilities into scores: the natural logarithm of the odds, the inverse of `logistic`.

    Parameters
    ----------
    p : array-like
        Probabilities between 0 and 1.

    Returns
    -------
    ndarray
        The logarithms; minus infinity where p is 0, infinity where it is 1.

    Examples
    --------
    >>> log_odds([0.0, 0.5, 1.0]).tolist()
    [-inf, 0.0, inf]
    """
    return np.asarray(logit(_probabilities(p, "log_odds")))


def _probabilities(p: ArrayLike, function: str) -> Floats:
    probabilities = np.asarray(p, dtype=np.float64)
    wrong = ~((probabilities >= 0) & (probabilities <= 1))
    if wrong.any():
        raise ValueError(
            f"{function}: 'p' must be probabilities in [0, 1]; got {probabilities[wrong].flat[0]}."
        )
    return probabilities
