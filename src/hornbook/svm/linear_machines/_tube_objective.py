"""Squared errors beyond a tube, as an objective for Newton's method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook import _native
from hornbook.frame import Block, Blocks
from hornbook.linear import LogLossSums
from hornbook.optimize import FirstOrder, SecondOrder
from hornbook.params import Floats

__all__ = ["TubeObjective"]


@dataclass(frozen=True)
class TubeObjective(FirstOrder, SecondOrder):
    """Mean of max(0, |y - f(x)| - epsilon)² plus half the ridge times the squares of the coefficients.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    epsilon : float
        Half the width of the tube.
    fit_intercept : bool
        Whether there is an intercept, then the last coefficient.
    mass : float
        Weight of all rows, by which the errors are divided.
    ridge : ndarray
        Weight of the square of each coefficient.
    """

    blocks: Blocks
    epsilon: float
    fit_intercept: bool
    mass: float
    ridge: Floats

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        sums = self._sums(x, curvature=False)
        return self._value(x, sums), sums.gradient / self.mass + self.ridge * x

    def second(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian."""
        sums = self._sums(x, curvature=True)
        hessian = sums.hessian / self.mass + np.diag(self.ridge)
        return self._value(x, sums), sums.gradient / self.mass + self.ridge * x, hessian

    def _value(self, x: Floats, sums: LogLossSums) -> float:
        return sums.value / self.mass + 0.5 * float(self.ridge @ x**2)

    def _sums(self, x: Floats, *, curvature: bool) -> LogLossSums:
        arguments = (x, self.epsilon, self.fit_intercept, curvature)
        return self.blocks.reduce(_sums_of, *arguments, merge=LogLossSums.merge)


def _sums_of(block: Block, x: Floats, epsilon: float, fit_intercept: bool, curvature: bool) -> LogLossSums:
    X = np.ascontiguousarray(block.X)
    d = X.shape[1]
    errors = X @ x[:d] + (x[d] if fit_intercept else 0.0) - np.asarray(block.y)
    beyond = np.maximum(np.abs(errors) - epsilon, 0.0)
    w = np.ones(len(X)) if block.w is None else block.w
    slopes = 2.0 * w * np.sign(errors) * beyond
    gradient = np.append(X.T @ slopes, slopes.sum())[: len(x)]
    value = float(w @ beyond**2)
    if not curvature:
        return LogLossSums(value, gradient, np.empty((0, 0)))
    # The generalized Hessian: rows inside the tube have no curvature, and on its edge, where the second
    # derivative jumps, they count as inside.
    gram = _native.weighted_gram(X, np.where(beyond > 0, 2.0 * w, 0.0))
    return LogLossSums(value, gradient, gram[: len(x), : len(x)])
