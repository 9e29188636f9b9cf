"""Nonlinear conjugate gradients (Polak and Ribière 1969)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._line_search import searched
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["conjugate_gradient"]


def conjugate_gradient(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Directions that do not undo what the last ones gained; steepest descent where that fails.

    A direction is minus the gradient plus b times the last one, with b = g·(g - g_before) / g_before², at
    least 0. It converges when no derivative exceeds ``tol``.
    """
    x = start
    value, gradient = objective.first(x)
    direction, length = -gradient, 0.0
    while True:
        if np.abs(gradient).max() <= options.tol:
            yield SolverStep(x, value, converged=True)
            return
        slope = _dot(gradient, direction)
        if slope >= 0:  # no way down: begin anew
            direction, length = -gradient, 0.0
            slope = _dot(gradient, direction)
        # As long as the last step promised as much, or short at first: the scale of a gradient is arbitrary.
        first = 2.0 * length if length else min(1.0, 1.0 / float(np.abs(direction).sum()))
        reached = searched(objective, x, value, direction, slope, first)
        if reached is None:
            if length == 0.0:  # not even straight down
                yield SolverStep(x, value, converged=True)
                return
            direction, length = -gradient, 0.0
            continue
        before = gradient
        x, (value, gradient), length = reached
        yield SolverStep(x, value)
        # Cut off at 0, which is a restart: without that it may cycle (Gilbert and Nocedal 1992).
        bend = max(_dot(gradient, gradient - before) / _dot(before, before), 0.0)
        direction = -gradient + bend * direction


def _dot(one: Floats, other: Floats) -> float:
    return float(np.einsum("i,i->", one, other))
