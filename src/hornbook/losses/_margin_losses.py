"""Margin losses: functions of how far a score is on the right side."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._logistic import log_odds, logistic, unit_step
from hornbook.losses._loss import Loss
from hornbook.params import Floats

__all__ = [
    "ExponentialLoss",
    "HingeLoss",
    "MarginLoss",
    "SquaredHingeLoss",
    "SquaredMarginLoss",
    "ZeroOneLoss",
]


class MarginLoss(Loss):
    """Base of losses of two classes that depend on the margin m alone: z for class 1, -z for class 0.

    With classes written as -1 and +1 it is m = y z.
    """

    @abstractmethod
    def at(self, m: Floats) -> Floats:
        """Cost of margins."""

    @abstractmethod
    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin."""

    @abstractmethod
    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin."""

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        return self.at(np.where(y == 1, z, -z))

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score."""
        slope = self.slope(np.where(y == 1, z, -z))
        return np.where(y == 1, slope, -slope)

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score."""
        return self.bend(np.where(y == 1, z, -z))

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the link of the weighted frequency of class 1."""
        return self.link(np.asarray(np.average(y == 1, weights=w)))


class HingeLoss(MarginLoss):
    """Hinge loss: max(0, 1 - m), which is 0 for margins of at least 1.

    Its best constant is +1 or -1, whichever class has more weight, and 0 when they have the same.

    Parameters
    ----------
    delta : float, default 0.0
        Half the width of a parabola that smooths the corner: (1 - m + delta)² / (4 delta) where m is
        within delta of 1.

    Examples
    --------
    >>> HingeLoss().value(np.array([1, 1, 0]), np.array([2.0, 0.25, 0.25])).tolist()
    [0.0, 0.75, 1.25]
    """

    def __init__(self, delta: float = 0.0) -> None:
        self.delta = delta

    def at(self, m: Floats) -> Floats:
        """Cost of margins."""
        gap = 1.0 - m
        if self.delta == 0:
            return np.maximum(gap, 0.0)
        # The parabola that meets both branches with their slopes, so that the gradient is continuous.
        parabola = (gap + self.delta) ** 2 / (4.0 * self.delta)
        return np.where(np.abs(gap) < self.delta, parabola, np.maximum(gap, 0.0))

    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin; -1 or 0, at the corner 0."""
        gap = 1.0 - m
        if self.delta == 0:
            # At the corner any slope from -1 to 0 is a subgradient.
            return np.where(gap > 0, -1.0, 0.0)
        return -np.clip((gap + self.delta) / (2.0 * self.delta), 0.0, 1.0)

    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin; 0 outside the corner."""
        if self.delta == 0:
            return np.zeros_like(m)
        return np.where(np.abs(1.0 - m) < self.delta, 0.5 / self.delta, 0.0)

    def link(self, mean: Floats) -> Floats:
        """Side of the class with the larger weight."""
        return np.asarray(np.sign(2.0 * np.asarray(mean) - 1.0))

    def inverse_link(self, z: Floats) -> Floats:
        """Class that a score corresponds to; it says nothing about its probability."""
        return unit_step(z)


class SquaredHingeLoss(MarginLoss):
    """Squared hinge loss: max(0, 1 - m)².

    Examples
    --------
    >>> SquaredHingeLoss().value(np.array([1, 1, 0]), np.array([2.0, 0.5, 0.5])).tolist()
    [0.0, 0.25, 2.25]
    >>> float(SquaredHingeLoss().minimizer(np.array([0, 1, 1, 1])))
    0.5
    """

    def at(self, m: Floats) -> Floats:
        """Cost of margins."""
        return np.asarray(np.maximum(1.0 - m, 0.0) ** 2)

    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin."""
        return np.asarray(-2.0 * np.maximum(1.0 - m, 0.0))

    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin."""
        # It jumps at the corner; the generalized Hessian takes one of the two values.
        return np.where(m < 1, 2.0, 0.0)

    def link(self, mean: Floats) -> Floats:
        """Twice the probability minus 1."""
        return np.asarray(2.0 * np.asarray(mean, dtype=np.float64) - 1.0)

    def inverse_link(self, z: Floats) -> Floats:
        """Probability that corresponds to a score between -1 and 1."""
        return np.clip(0.5 * (1.0 + np.asarray(z)), 0.0, 1.0)


class SquaredMarginLoss(SquaredHingeLoss):
    """Squared error of a score against -1 and +1: (1 - m)², which also costs margins above 1.

    Examples
    --------
    >>> SquaredMarginLoss().value(np.array([1, 1, 0]), np.array([2.0, 0.5, 0.5])).tolist()
    [1.0, 0.25, 2.25]
    """

    def at(self, m: Floats) -> Floats:
        """Cost of margins."""
        return np.asarray((1.0 - m) ** 2)

    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin."""
        return np.asarray(-2.0 * (1.0 - m))

    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin."""
        return np.full_like(m, 2.0)


class ExponentialLoss(MarginLoss):
    """Exponential loss: exp(-m), which AdaBoost minimizes (Friedman, Hastie and Tibshirani 2000).

    Its best constant is half the log odds.

    Examples
    --------
    >>> ExponentialLoss().value(np.array([1, 0]), np.array([0.0, 1.0])).round(4).tolist()
    [1.0, 2.7183]
    >>> float(ExponentialLoss().minimizer(np.array([0, 1, 1, 1])).round(4))  # ln 3 / 2
    0.5493
    """

    def at(self, m: Floats) -> Floats:
        """Cost of margins."""
        # exp(-m) of a large negative margin overflows to infinity, which line searches reject.
        with np.errstate(over="ignore"):
            return np.exp(-m)

    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin."""
        return -self.at(m)

    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin."""
        return self.at(m)

    def link(self, mean: Floats) -> Floats:
        """Half the log odds of a probability."""
        return 0.5 * log_odds(mean)

    def inverse_link(self, z: Floats) -> Floats:
        """Probability that corresponds to a score."""
        return logistic(2.0 * np.asarray(z))


class ZeroOneLoss(MarginLoss):
    """Zero-one loss: 1 on the wrong side, 0 on the right one, by default 0.5 on the boundary.

    Its sum is the number of mistakes. It has no useful gradient, so surrogate losses replace it.

    Parameters
    ----------
    width : float, default 0.0
        Width of a smooth step 1 / (1 + exp((m - margin) / width)) in its place.
    margin : float, default 0.0
        From where on a margin counts as correct; 1 for the soft margin of a support vector machine, where the
        margin itself is correct.
    boundary : float, default 0.5
        Cost of a margin of 0, where a decision is a coin toss: 0 makes it 1(m < 0), 1 makes it 1(m <= 0). A
        required margin above 0 that is just met costs 0.

    Examples
    --------
    >>> ZeroOneLoss().value(np.array([1, 1, 0]), np.array([0.1, 0.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]
    >>> ZeroOneLoss(margin=1.0).value(np.array([1, 1, 0]), np.array([0.1, 1.0, 3.0])).tolist()
    [1.0, 0.0, 1.0]
    """

    def __init__(self, width: float = 0.0, margin: float = 0.0, boundary: float = 0.5) -> None:
        self.width = width
        self.margin = margin
        self.boundary = boundary

    def at(self, m: Floats) -> Floats:
        """Cost of margins."""
        if self.width > 0:
            return logistic((self.margin - m) / self.width)
        # A required margin that is just met is met.
        return np.heaviside(self.margin - m, self.boundary if self.margin == 0 else 0.0)

    def slope(self, m: Floats) -> Floats:
        """First derivative by the margin."""
        if self.width == 0:
            return np.zeros_like(m)
        # The logistic function of both signs, instead of 1 - p, which cancels where p is near 1.
        scaled = (m - self.margin) / self.width
        return -logistic(-scaled) * logistic(scaled) / self.width

    def bend(self, m: Floats) -> Floats:
        """Second derivative by the margin."""
        if self.width == 0:
            return np.zeros_like(m)
        scaled = (m - self.margin) / self.width
        return logistic(-scaled) * logistic(scaled) * (logistic(scaled) - logistic(-scaled)) / self.width**2

    def link(self, mean: Floats) -> Floats:
        """Side of the class with the larger weight."""
        return np.asarray(np.sign(2.0 * np.asarray(mean) - 1.0))

    def inverse_link(self, z: Floats) -> Floats:
        """Class that a score corresponds to; it says nothing about its probability."""
        return unit_step(z)
