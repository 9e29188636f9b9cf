"""Losses of amounts that are never negative, whose score is the logarithm of the mean."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._loss import Loss
from hornbook.params import Floats, Range

__all__ = ["GammaLoss", "PoissonLoss", "TweedieLoss"]


class _LogMeanLoss(Loss):
    """Base of half deviances with a logarithmic link, without the terms that do not depend on the score."""

    link_name: ClassVar[Literal["identity", "log", "logit"]] = "log"
    mean_is_enough: ClassVar[bool] = True
    target_range: ClassVar[Range] = Range(low=0)

    def link(self, mean: Floats) -> Floats:
        """Logarithm of the mean."""
        # A mean of 0 has the score minus infinity, which is right.
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(mean, dtype=np.float64))

    def inverse_link(self, z: Floats) -> Floats:
        """Mean that corresponds to a score."""
        return np.exp(z)

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the logarithm of the weighted mean."""
        return self.link(np.asarray(np.average(y, weights=w)))


class PoissonLoss(_LogMeanLoss):
    """Half the Poisson deviance of counts: exp(z) - y z.

    Examples
    --------
    >>> loss = PoissonLoss()
    >>> loss.value(np.array([2.0]), np.array([0.0])).tolist()
    [1.0]
    >>> float(loss.inverse_link(loss.minimizer(np.array([0.0, 1.0, 5.0]))).round(12))
    2.0
    """

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        return np.asarray(np.exp(z) - y * z)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: exp(z) - y."""
        return np.asarray(np.exp(z) - y)

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - it does not depend on the truth
        """Second derivative by the score: exp(z)."""
        return np.exp(z)


class GammaLoss(_LogMeanLoss):
    """Half the gamma deviance of amounts above 0, whose spread grows with the mean: y exp(-z) + z.

    Examples
    --------
    >>> GammaLoss().value(np.array([2.0]), np.array([0.0])).tolist()
    [2.0]
    """

    target_range: ClassVar[Range] = Range(low=0, open_low=True)

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        # Convex in the score, and means are positive for any score, which the canonical link 1 / mean does
        # not ensure.
        return np.asarray(y * np.exp(-z) + z)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: 1 - y exp(-z)."""
        return np.asarray(1.0 - y * np.exp(-z))

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score: y exp(-z)."""
        return np.asarray(y * np.exp(-z))


class TweedieLoss(_LogMeanLoss):
    """Half the Tweedie deviance of amounts that are often 0, such as insurance claims.

    exp((2 - p) z) / (2 - p) - y exp((1 - p) z) / (1 - p) with a power p between 1, which would be Poisson's,
    and 2, which would be the gamma loss: the variance is proportional to mean**p.

    Parameters
    ----------
    power : float, default 1.5
        The power p, above 1 and below 2.

    Examples
    --------
    >>> TweedieLoss(1.5).value(np.array([0.0, 1.0]), np.array([0.0, 0.0])).tolist()
    [2.0, 4.0]
    """

    def __init__(self, power: float = 1.5) -> None:
        self.power = power

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        # For powers between 1 and 2: Poisson and gamma are the limits, where one of the two terms needs
        # another form.
        a, b = 2.0 - self.power, 1.0 - self.power
        return np.asarray(np.exp(a * z) / a - y * np.exp(b * z) / b)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: exp((2 - p) z) - y exp((1 - p) z)."""
        return np.asarray(np.exp((2.0 - self.power) * z) - y * np.exp((1.0 - self.power) * z))

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score: (2 - p) exp((2 - p) z) + (p - 1) y exp((1 - p) z)."""
        a, b = 2.0 - self.power, 1.0 - self.power
        return np.asarray(a * np.exp(a * z) - b * y * np.exp(b * z))
