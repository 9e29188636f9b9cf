"""Quickprop: a parabola through the last two derivatives of each weight (Fahlman 1988)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["quickprop"]

FARTHEST = 1.75  # times the last change


def quickprop(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Move each weight to the minimum of its parabola: change times g / (g_before - g).

    A change is at most 1.75 times the last one, in its direction if the parabola opens downward. A step of
    gradient descent is added while the derivative keeps its sign, and starts weights that rest.
    """
    x, change = start, np.zeros_like(start)
    _, gradient = objective.first(x)
    before = gradient
    while True:
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = gradient / (before - gradient)
        # No minimum ahead: the parabola is flat, opens downward, or has its minimum too far away to be
        # believed.
        beyond = (
            ~np.isfinite(factor)
            | (factor > FARTHEST)
            | (np.abs(gradient) >= np.abs(before)) & (gradient * before > 0)
        )
        jump = np.where(beyond, FARTHEST, np.clip(factor, -FARTHEST, FARTHEST)) * change
        slide = np.where((change == 0) | (gradient * before > 0), -options.rate * gradient, 0.0)
        change = jump + slide
        before = gradient
        x = x + change
        value, gradient = objective.first(x)
        yield SolverStep(x, value)
