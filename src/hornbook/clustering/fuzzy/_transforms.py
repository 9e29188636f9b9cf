"""Convex functions of memberships, without which the best memberships would be 0 and 1."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce

import numpy as np

from hornbook.params import Floats

__all__ = [
    "ExponentialTransform",
    "MembershipTransform",
    "PolynomialTransform",
    "PowerTransform",
    "checked_transform",
]

HALVINGS = 60  # of an interval of memberships or slopes, beyond which doubles do not change
CHECKED = np.linspace(0.0, 1.0, 101)  # where a transform is checked


class MembershipTransform(ABC):
    """A convex function h of memberships from [0, 1] to [0, 1] with h(0) = 0 and h(1) = 1.

    Fuzzy clustering minimizes the sum of h(u) d². With h(u) = u the best memberships are 0 and 1; the more h
    is bent, the softer they are. A class of one's own needs `value` and `derivative`; `inverse` makes it
    faster.

    Examples
    --------
    >>> class Cubic(MembershipTransform):
    ...     def value(self, u):
    ...         return (u + u**3) / 2
    ...
    ...     def derivative(self, u):
    ...         return (1 + 3 * u**2) / 2
    >>> Cubic().inverse(np.array([0.2, 1.0, 1.5])).round(4).tolist()
    [0.0, 0.5774, 0.8165]
    """

    @abstractmethod
    def value(self, u: Floats) -> Floats:
        """Transform memberships: h(u).

        Parameters
        ----------
        u : ndarray
            Memberships.
        """

    @abstractmethod
    def derivative(self, u: Floats) -> Floats:
        """Slope h'(u), which never falls from u = 0 to 1.

        Parameters
        ----------
        u : ndarray
            Memberships.
        """

    def inverse(self, slope: Floats) -> Floats:
        """The membership at which h' has this value; 0 where it is less than h'(0), 1 where more than h'(1).

        Parameters
        ----------
        slope : ndarray
            Values of the derivative.
        """
        low, high = np.zeros_like(slope), np.ones_like(slope)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = self.derivative(middle) < slope
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        # Below the slope at 0 the membership is exactly 0; bisection alone would leave 1e-18.
        return np.asarray(np.where(slope <= self.derivative(np.zeros(1)), 0.0, (low + high) / 2))

    def shared(self, squares: Floats) -> Floats:
        """Memberships with sum 1 in each row that minimize the sum of h(u) d².

        Where some distances are 0, these clusters share the row evenly.

        Parameters
        ----------
        squares : ndarray of shape (n_rows, n_clusters)
            Squared distances d².
        """
        # Lagrange: h'(u) d² is the same for all u > 0, and h'(0) d² is not less elsewhere. In units of the
        # least d² the multiplier is between h'(0), where all u are 0, and h'(1), where the nearest has u = 1.
        ratio = nearness(squares)
        ends = self.derivative(np.array([0.0, 1.0]))
        low, high = (np.full((len(squares), 1), end) for end in ends)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            # The sum of memberships grows with the multiplier, so that bisection applies.
            few = self.inverse(middle * ratio).sum(axis=1, keepdims=True) < 1.0
            low, high = np.where(few, middle, low), np.where(few, high, middle)
        return _scaled(self.inverse(high * ratio))

    def possible(self, squares: Floats, scales: Floats) -> Floats:
        """Memberships, each for itself, that minimize h(u) d² + scale h(1 - u).

        Parameters
        ----------
        squares : ndarray of shape (n_rows, n_clusters)
            Squared distances d².
        scales : ndarray that broadcasts to that shape
            The squared distances at which a membership is 1/2.
        """
        # h'(u) d² never falls and scale h'(1 - u) never rises with u: where they cross is the minimum.
        far = _relative(squares, scales)
        low, high = np.zeros_like(far), np.ones_like(far)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            with np.errstate(over="ignore", invalid="ignore"):
                falls = self.derivative(middle) * far < self.derivative(1.0 - middle)
            low, high = np.where(falls, middle, low), np.where(falls, high, middle)
        return np.asarray(np.where(far == 0.0, 1.0, (low + high) / 2))


@dataclass(frozen=True)
class PowerTransform(MembershipTransform):
    """The transform of fuzzy c-means, h(u) = u^w: no membership is ever 0.

    Parameters
    ----------
    exponent : float, default 2.0
        The fuzzifier w, above 1; the higher, the softer.

    Examples
    --------
    >>> PowerTransform().shared(np.array([[1.0, 4.0]])).tolist()
    [[0.8, 0.2]]
    """

    exponent: float = 2.0

    def __post_init__(self) -> None:
        if not 1.0 < self.exponent < math.inf:
            raise ValueError(f"PowerTransform: exponent must be above 1 and finite; got {self.exponent}.")

    @property
    def power(self) -> float:
        """1 / (w - 1): memberships are in proportion to d² to minus this power."""
        return 1.0 / (self.exponent - 1.0)

    def value(self, u: Floats) -> Floats:
        """Power u^w."""
        return np.asarray(u**self.exponent)

    def derivative(self, u: Floats) -> Floats:
        """Slope w u^(w - 1)."""
        return np.asarray(self.exponent * u ** (self.exponent - 1.0))

    def inverse(self, slope: Floats) -> Floats:
        """(slope / w)^(1 / (w - 1))."""
        return np.asarray(np.clip(slope / self.exponent, 0.0, 1.0) ** self.power)

    def shared(self, squares: Floats) -> Floats:
        """Powers of d² with the exponent 1 / (1 - w), scaled to sum 1."""
        # Bezdek (1981): u_i is proportional to d_i^(-2 / (w - 1)), in units of the least distance.
        return _scaled(nearness(squares) ** self.power)

    def possible(self, squares: Floats, scales: Floats) -> Floats:
        """1 / (1 + (d² / scale)^(1 / (w - 1)))."""
        with np.errstate(over="ignore"):
            return np.asarray(1.0 / (1.0 + _relative(squares, scales) ** self.power))


@dataclass(frozen=True)
class PolynomialTransform(MembershipTransform):
    """The transform h(u) = ((1 - β) u² + 2 β u) / (1 + β): rows deep inside one cluster belong to it alone.

    Klawonn and Höppner (2003): between fuzzy c-means with w = 2 (β = 0) and hard clusters (β = 1). Another
    cluster gets a share of a row only if its d² is less than that of the nearest divided by β.

    Parameters
    ----------
    beta : float, default 0.5
        From 0, not including 1.

    Examples
    --------
    >>> PolynomialTransform(0.5).shared(np.array([[1.0, 1.5], [1.0, 4.0]])).round(3).tolist()
    [[0.8, 0.2], [1.0, 0.0]]
    """

    beta: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 <= self.beta < 1.0:
            raise ValueError(f"PolynomialTransform: beta must be from 0 to below 1; got {self.beta}.")

    def value(self, u: Floats) -> Floats:
        """((1 - β) u² + 2 β u) / (1 + β)."""
        return np.asarray(((1.0 - self.beta) * u + 2.0 * self.beta) * u / (1.0 + self.beta))

    def derivative(self, u: Floats) -> Floats:
        """2 ((1 - β) u + β) / (1 + β)."""
        return np.asarray(2.0 * ((1.0 - self.beta) * u + self.beta) / (1.0 + self.beta))

    def inverse(self, slope: Floats) -> Floats:
        """(slope (1 + β) / 2 - β) / (1 - β)."""
        u = (slope * (1.0 + self.beta) / 2.0 - self.beta) / (1.0 - self.beta)
        return np.asarray(np.clip(u, 0.0, 1.0))

    def shared(self, squares: Floats) -> Floats:
        """(m / d² - β) / (1 - β) where that is positive, m being such that the sum is 1."""
        ratio = nearness(squares)
        # If just the n nearest have a share, m = (1 - β + n β) / sum of their 1 / d²; n is the largest number
        # for which the farthest of them still has one.
        ordered = -np.sort(-ratio, axis=1)
        m = (1.0 - self.beta + self.beta * np.arange(1, ratio.shape[1] + 1)) / np.cumsum(ordered, axis=1)
        n = np.count_nonzero(m * ordered > self.beta, axis=1, keepdims=True)
        level = np.take_along_axis(m, np.maximum(n, 1) - 1, axis=1)
        return _scaled(np.maximum(level * ratio - self.beta, 0.0))


@dataclass(frozen=True)
class ExponentialTransform(MembershipTransform):
    """The transform h(u) = (e^(a u) - 1) / (e^a - 1): memberships fall with the logarithm of d².

    Klawonn and Höppner (2003).

    Parameters
    ----------
    alpha : float, default 2.0
        How bent it is, above 0 and at most 700; the higher, the softer.

    Examples
    --------
    >>> ExponentialTransform(2.0).shared(np.array([[1.0, 1.0], [1.0, np.e]])).round(3).tolist()
    [[0.5, 0.5], [0.75, 0.25]]
    """

    alpha: float = 2.0

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha <= 700.0:
            raise ValueError(
                f"ExponentialTransform: alpha must be above 0 and at most 700; got {self.alpha}."
            )

    def value(self, u: Floats) -> Floats:
        """(e^(a u) - 1) / (e^a - 1)."""
        return np.asarray(np.expm1(self.alpha * u) / np.expm1(self.alpha))

    def derivative(self, u: Floats) -> Floats:
        """Slope a e^(a u) / (e^a - 1)."""
        return np.asarray(self.alpha * np.exp(self.alpha * u) / np.expm1(self.alpha))

    def inverse(self, slope: Floats) -> Floats:
        """Logarithm ln(slope (e^a - 1) / a) / a."""
        with np.errstate(divide="ignore"):
            u = np.log(slope * (np.expm1(self.alpha) / self.alpha)) / self.alpha
        return np.asarray(np.clip(u, 0.0, 1.0))


def checked_transform(fuzzifier: float | MembershipTransform) -> MembershipTransform:
    """The transform that a fuzzifier stands for; one of the user's own must be convex from 0 to 1.

    Parameters
    ----------
    fuzzifier : float or MembershipTransform
        The exponent of `PowerTransform`, or a transform.
    """
    if not isinstance(fuzzifier, MembershipTransform):
        return PowerTransform(float(fuzzifier))
    values, slopes = np.asarray(fuzzifier.value(CHECKED)), np.asarray(fuzzifier.derivative(CHECKED))
    rounding = 1e-9 * max(1.0, float(np.abs(slopes).max()))
    bent = values.shape == slopes.shape == CHECKED.shape and np.isfinite([*values, *slopes]).all()
    if not bent or abs(values[0]) > 1e-9 or abs(values[-1] - 1.0) > 1e-9:
        raise ValueError(
            f"parameter 'fuzzifier': the value of {type(fuzzifier).__name__} must be 0 at 0 and 1 at 1, and "
            "value and derivative finite in between; scale it."
        )
    if slopes[0] < 0 or (np.diff(slopes) < -rounding).any() or not slopes[-1] > slopes[0]:
        raise ValueError(
            f"parameter 'fuzzifier': the derivative of {type(fuzzifier).__name__} must rise from 0 to 1, "
            "because only a convex transform has memberships between 0 and 1; use another function."
        )
    return fuzzifier


def nearness(squares: Floats) -> Floats:
    """Least d² of each row over its d²: 1 for the nearest clusters, also where that is 0 / 0."""
    # Column by column, several times as fast as along short rows.
    least = reduce(np.minimum, squares.T)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(squares == least, 1.0, least / squares)


def _relative(squares: Floats, scales: Floats) -> Floats:
    """Squared distances over their scales; 0 on a center, infinite beside one without any spread."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        return np.where(squares == 0.0, 0.0, squares / scales)


def _scaled(u: Floats) -> Floats:
    return np.asarray(u / np.einsum("ij->i", u)[:, None])
