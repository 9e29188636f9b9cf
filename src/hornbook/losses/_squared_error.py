"""Squared error of numbers."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook.losses._loss import Loss
from hornbook.params import Floats

__all__ = ["SquaredError"]


class SquaredError(Loss):
    """Half the squared difference between number and score: (z - y)² / 2.

    The half makes the gradient the residual z - y; it does not change the minimizer.

    Examples
    --------
    >>> loss = SquaredError()
    >>> loss.value(np.array([1.0, 2.0]), np.array([1.0, 5.0])).tolist()
    [0.0, 4.5]
    >>> float(loss.minimizer(np.array([1.0, 2.0, 6.0])))
    3.0
    """

    mean_is_enough: ClassVar[bool] = True

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        return np.asarray(0.5 * (z - y) ** 2)

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the score: z - y."""
        return np.asarray(z - y)

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - it does not depend on the truth
        """Second derivative by the score: 1."""
        return np.ones_like(z)  # so that a Newton step is the mean residual

    def link(self, mean: Floats) -> Floats:
        """Return the mean itself."""
        return np.asarray(mean, dtype=np.float64)

    def inverse_link(self, z: Floats) -> Floats:
        """Return the score itself."""
        return z

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the weighted mean."""
        return np.asarray(np.average(y, weights=w))
