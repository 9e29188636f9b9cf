"""From scores to probabilities: increasing steps, and a temperature. Sigmoids are in `hornbook.base`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, isotonic_regression
from scipy.special import log_softmax, softmax

from hornbook.base import PlattSigmoid
from hornbook.losses import log_odds
from hornbook.params import Floats, Shape

__all__ = ["IsotonicMap", "curve_of", "fit_temperature", "tempered"]

WIDEST = 10.0  # largest logarithm of an inverse temperature
SUREST = 0.99  # probability up to which a sigmoid is drawn


# For probabilities: Zadrozny and Elkan (2002). It needs no shape as a sigmoid does, but more rows.
@dataclass(frozen=True)
class IsotonicMap:
    """The increasing function closest to the classes of some rows, with straight lines between its steps.

    Parameters
    ----------
    scores : ndarray of shape (n_points,)
        Where it bends, in increasing order.
    values : ndarray of shape (n_points,)
        The probabilities there.
    """

    scores: Annotated[Floats, Shape("n_points")]
    values: Annotated[Floats, Shape("n_points")]

    @classmethod
    def fit(cls, scores: Floats, positive: NDArray[np.bool_], w: Floats | None = None) -> IsotonicMap:
        """Minimize the squared error by pooling adjacent violators; equal scores count as one.

        Parameters
        ----------
        scores : ndarray of shape (n_rows,)
            The scores of rows that the learner has not learned from.
        positive : ndarray of bool of shape (n_rows,)
            Whether each row is of the positive class.
        w : ndarray of shape (n_rows,), optional
            Weights of the rows; those of weight 0 are left out.
        """
        weights = np.ones(len(scores)) if w is None else w
        counted = weights > 0
        # Ties become one point with their mean: otherwise their order in the table would decide the
        # steps.
        x, place = np.unique(scores[counted], return_inverse=True)
        mass = np.bincount(place, weights=weights[counted])
        hits = np.bincount(place, weights=weights[counted] * positive[counted])
        # Pooling adjacent violators (Ayer et al. 1955) in O(n); clipped as means of 0 and 1 may round
        # beyond.
        y = np.clip(isotonic_regression(hits / mass, weights=mass).x, 0.0, 1.0)
        bends = np.ones(len(y), dtype=np.bool_)  # points inside a step say nothing
        bends[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
        return cls(x[bends], y[bends])

    def probabilities(self, scores: Floats) -> Floats:
        """Return the probability of the positive class for each score; constant beyond the ends."""
        return np.asarray(np.interp(scores, self.scores, self.values))

    def verify(self, _: Any) -> None:
        """Reject a map of a model file that does not increase, or leaves the range of probabilities."""
        finite = np.isfinite(self.scores).all() and np.isfinite(self.values).all()
        steps = (np.diff(self.scores) > 0).all() and (np.diff(self.values) >= 0).all()
        if not len(self.scores) or not finite or not steps or self.values[0] < 0 or self.values[-1] > 1:
            raise ValueError("a map from scores to probabilities does not increase from 0 to 1")


def fit_temperature(logits: Floats, y: NDArray[np.integer[Any]], w: Floats | None = None) -> float:
    """Return the factor of the logits with the least log loss: the inverse temperature (Guo et al. 2017).

    Parameters
    ----------
    logits : ndarray of shape (n_rows, n_classes)
        Scores of which the softmax is meant to be the probabilities.
    y : ndarray of shape (n_rows,)
        The classes, as positions.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows.
    """
    weights = np.ones(len(y)) if w is None else w
    own = logits[np.arange(len(y)), y]

    def slope(log_factor: float) -> float:
        """Derivative of the log loss, which is convex in the factor, by the factor."""
        # d/db of -b z_y + logsumexp(b z): the expected logit minus that of the true class.
        expected = (softmax(np.exp(log_factor) * logits, axis=1) * logits).sum(axis=1)
        return float(weights @ (expected - own))

    # The loss falls all the way to the bound: separable scores, or scores without any information.
    if slope(-WIDEST) >= 0:
        return float(np.exp(-WIDEST))
    if slope(WIDEST) <= 0:
        return float(np.exp(WIDEST))
    # Brent's method on the logarithm of the factor, a scale on which it may be any positive number.
    return float(np.exp(brentq(slope, -WIDEST, WIDEST, xtol=1e-14)))


def tempered(logits: Floats, factor: float) -> Floats:
    """Return the probabilities by logits times the inverse temperature."""
    return np.exp(log_softmax(factor * logits, axis=1))


def curve_of(one: PlattSigmoid | IsotonicMap) -> tuple[Floats, Floats]:
    """Return points of a map, for a plot."""
    if isinstance(one, IsotonicMap):
        return one.scores, one.values
    ends = log_odds([1 - SUREST, SUREST]) - one.intercept
    steep = abs(one.slope) > np.finfo(np.float64).tiny * 1e10
    low, high = np.sort(ends / one.slope) if steep else (-1.0, 1.0)
    scores = np.linspace(low, high, 101)
    return scores, one.probabilities(scores)
