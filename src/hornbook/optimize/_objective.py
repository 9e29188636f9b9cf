"""The interface of optimizers: objectives and iterates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from hornbook.params import Floats

__all__ = ["FirstOrder", "Iterate", "RescaledObjective", "SecondOrder", "absolute", "dot", "lost_in_rounding"]

ROUNDING = 1e-13  # a predicted decrease below this fraction of the value is lost in its rounding


class FirstOrder(ABC):
    """A smooth, convex function of a vector that knows its gradient."""

    @abstractmethod
    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""


class SecondOrder(ABC):
    """A smooth, convex function of a vector that knows its gradient and its Hessian."""

    @abstractmethod
    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""


@dataclass(frozen=True)
class RescaledObjective(FirstOrder):
    """The same function in other coordinates, u = size x.

    Parameters
    ----------
    objective : FirstOrder
        The function of x.
    size : ndarray
        Factor of each coordinate.
    """

    objective: FirstOrder
    size: Floats

    def first(self, u: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        value, gradient = self.objective.first(u / self.size)
        return value, gradient / self.size


@dataclass(frozen=True)
class Iterate:
    """One step of an optimizer.

    Parameters
    ----------
    x : ndarray
        Where it led.
    value : float
        The objective there, absolute values included.
    step : ndarray
        The difference from the previous point.
    gap : float
        How far from convergence the optimizer was before the step, in the unit of its tolerance: for Newton's
        method the predicted decrease, for L-BFGS the largest entry of the gradient.
    converged : bool
        Whether the gap is within the tolerance, or the objective falls by less than its own rounding; then
        this is the last iterate. An iterator that ends without it could not make the objective smaller.
    """

    x: Floats
    value: float
    step: Floats
    gap: float
    converged: bool


def absolute(l1: Floats | None, x: Floats) -> float:
    """Weighted sum of absolute values."""
    return 0.0 if l1 is None else dot(l1, np.abs(x))


def dot(one: Floats, other: Floats) -> float:
    """Sum of products, on one thread.

    BLAS shares long vectors among its threads: the sum then depends on their number, and waiting for each
    other takes longer than the sum.
    """
    return float(np.einsum("i,i->", one, other))


def lost_in_rounding(gain: float, value: float) -> bool:
    """Whether a predicted decrease is too small to be distinguished from rounding."""
    return gain <= ROUNDING * max(1.0, abs(value))
