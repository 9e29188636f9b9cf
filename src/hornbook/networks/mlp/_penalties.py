"""Penalties on the size of weights: functions of one weight whose sum is added to the cost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from hornbook.params import Floats

__all__ = ["SquaredWeights", "WeightElimination", "WeightPenalty"]


class WeightPenalty(ABC):
    """Base of penalties: a differentiable function h of one weight; the sum over all weights is penalized.

    A penalty of one's own needs ``value`` and ``gradient``, both weight by weight.

    Examples
    --------
    >>> class Huge(WeightPenalty):
    ...     def value(self, w):
    ...         return w**4
    ...
    ...     def gradient(self, w):
    ...         return 4 * w**3
    >>> Huge().value(np.array([1.0, 2.0])).tolist()
    [1.0, 16.0]
    """

    @abstractmethod
    def value(self, w: Floats) -> Floats:
        """Penalty of each weight."""

    @abstractmethod
    def gradient(self, w: Floats) -> Floats:
        """Derivative by each weight."""


@dataclass(frozen=True)
class SquaredWeights(WeightPenalty):
    """Weight decay: half the square of a weight.

    Examples
    --------
    >>> SquaredWeights().value(np.array([2.0])).tolist()
    [2.0]
    """

    def value(self, w: Floats) -> Floats:
        """Half the square of each weight."""
        return np.asarray(0.5 * w**2)

    def gradient(self, w: Floats) -> Floats:
        """Return the weight itself."""
        return w


@dataclass(frozen=True)
class WeightElimination(WeightPenalty):
    """Weight elimination: w² / (w0² + w²), which counts large weights instead of shrinking them.

    Weights much smaller than w0 are pulled to 0 as by weight decay, much larger ones hardly.

    Parameters
    ----------
    width : float, default 1.0
        w0, the size at which half of the penalty is due.

    Examples
    --------
    >>> WeightElimination().gradient(np.array([0.7])).round(6).tolist()
    [0.630602]
    """

    width: float = 1.0

    def value(self, w: Floats) -> Floats:
        """Return w² / (w0² + w²)."""
        # Weigend, Rumelhart and Huberman (1991): about quadratic below w0 and nearly 1 above it, so that the
        # sum counts the weights in use.
        return np.asarray(w**2 / (self.width**2 + w**2))

    def gradient(self, w: Floats) -> Floats:
        """Return 2 w w0² / (w0² + w²)²."""
        return np.asarray(2.0 * w * self.width**2 / (self.width**2 + w**2) ** 2)
