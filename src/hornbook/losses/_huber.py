"""Huber's loss: squared error for small residuals, absolute error for large ones."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._loss import Loss
from hornbook.losses._region_search import Regions, region_quantiles
from hornbook.params import Floats

__all__ = ["HuberLoss"]


class HuberLoss(Loss):
    """Huber's loss: r² / 2 for residuals up to delta, delta (|r| - delta / 2) for larger ones.

    Outliers pull with a force of at most delta (Huber 1964).

    Parameters
    ----------
    delta : float, default 1.0
        Where the parabola becomes a straight line.
    quantile : float, optional
        If given, ``adapted`` sets delta to this quantile of the absolute residuals (Friedman 2001).

    Examples
    --------
    >>> HuberLoss(delta=2.0).value(np.array([0.0, 0.0]), np.array([1.0, 5.0])).tolist()
    [0.5, 8.0]
    """

    # Beyond delta there is none.
    has_curvature: ClassVar[bool] = False

    def __init__(self, delta: float = 1.0, quantile: float | None = None) -> None:
        self.delta, self.quantile = delta, quantile

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        size = np.abs(z - y)
        straight = self.delta * (size - 0.5 * self.delta)
        return np.asarray(np.where(size <= self.delta, 0.5 * size * size, straight))

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: the residual z - y, at most delta in size."""
        return np.asarray(np.clip(z - y, -self.delta, self.delta))

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:
        """Second derivative by the score: 1 up to delta, 0 beyond."""
        return np.asarray(np.where(np.abs(z - y) <= self.delta, 1.0, 0.0))

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the best constant; the median while delta is to be found, as in Friedman (2001)."""
        if self.quantile is None:
            return super().minimizer(y, w)
        return np.asarray(region_quantiles(y, 0.5, Regions.whole(len(y), w))[0])

    def adapted(self, y: NDArray[Any], z: Floats, w: Floats | None = None) -> HuberLoss:
        """Return the loss whose delta is the quantile of these residuals."""
        if self.quantile is None:
            return self
        sizes = region_quantiles(np.abs(y - z), self.quantile, Regions.whole(len(y), w))
        return HuberLoss(float(sizes[0]), self.quantile)

    def region_steps(self, y: NDArray[Any], z: Floats, regions: Regions) -> Floats:
        """Return Friedman's (2001) step: the median residual and the mean of what is left, cut at delta."""
        left = y - z
        median = region_quantiles(left, 0.5, regions)
        cut = np.clip(left - median[regions.of_row], -self.delta, self.delta)
        mass = regions.sums(np.ones(len(left)))
        return median + np.divide(regions.sums(cut), mass, out=np.zeros(regions.count), where=mass > 0)
