"""Losses whose minimizers are quantiles: absolute error and pinball loss."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._loss import Loss
from hornbook.losses._region_search import Regions, region_quantiles
from hornbook.params import Floats

__all__ = ["AbsoluteError", "QuantileLoss"]


class QuantileLoss(Loss):
    """Pinball loss: q (y - z) for scores that are too low, (1 - q) (z - y) for those too high.

    Its best constant is the q-quantile of the targets (Koenker and Bassett 1978); of several, the smallest.

    Parameters
    ----------
    quantile : float, default 0.5
        Share q of the targets that are to be below the score.

    Examples
    --------
    >>> loss = QuantileLoss(0.75)
    >>> loss.value(np.array([1.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [0.75, 0.25]
    >>> float(loss.minimizer(np.array([1.0, 2.0, 3.0, 9.0])))
    3.0
    """

    has_curvature: ClassVar[bool] = False
    scale: ClassVar[float] = 1.0

    def __init__(self, quantile: float = 0.5) -> None:
        self.quantile = quantile

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        over = z - y
        cost = np.where(over < 0, -self.quantile * over, (1.0 - self.quantile) * over)
        return np.asarray(self.scale * cost)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: -q up to the target, 1 - q above it."""
        # At the kink any number between the two is a subgradient; one side is chosen for all.
        return self.scale * np.where(z > y, 1.0 - self.quantile, -self.quantile)

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - straight lines
        """Second derivative by the score: 0."""
        return np.zeros_like(z)

    def region_minimizers(self, y: NDArray[Any], z: Floats, regions: Regions) -> Floats:
        """Return the quantile of the residuals of each region."""
        # The pinball loss is minimized by the quantile (Koenker and Bassett 1978).
        return region_quantiles(y - z, self.quantile, regions)

    def region_steps(self, y: NDArray[Any], z: Floats, regions: Regions) -> Floats:
        """Return the minimizers: without curvature there is no Newton step."""
        return self.region_minimizers(y, z, regions)


class AbsoluteError(QuantileLoss):
    """Absolute difference between number and score: twice the pinball loss of the median.

    Its gradient is the sign of z - y; at 0, where any number from -1 to 1 is one, it is -1.

    Examples
    --------
    >>> loss = AbsoluteError()
    >>> loss.value(np.array([1.0, 2.0]), np.array([1.0, 5.0])).tolist()
    [0.0, 3.0]
    >>> float(loss.minimizer(np.array([1.0, 2.0, 60.0])))
    2.0
    """

    scale: ClassVar[float] = 2.0

    def __init__(self) -> None:
        super().__init__(0.5)
