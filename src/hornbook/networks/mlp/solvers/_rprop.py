"""Resilient backpropagation: steps by the signs of derivatives (Riedmiller and Braun 1993)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["rprop"]

GROW, SHRINK = 1.2, 0.5
LARGEST, SMALLEST = 50.0, 1e-6


def rprop(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Every weight has a step of its own, which grows while its derivative keeps its sign.

    Where the sign changes the step is halved, and the weight waits for one iteration (iRprop-, Igel and
    Hüsken 2003). Steps begin with the learning rate.
    """
    x, steps = start, np.full_like(start, options.rate)
    before = np.zeros_like(x)
    _, gradient = objective.first(x)
    while True:
        # Only the sign counts: the size of a derivative says little about the distance to the minimum where
        # units are saturated.
        agrees = before * gradient
        steps = np.where(agrees > 0, steps * GROW, np.where(agrees < 0, steps * SHRINK, steps))
        steps = np.clip(steps, SMALLEST, LARGEST)
        # After a change of sign the step is skipped once, and the next product is 0: the step is not shrunk
        # twice for the same minimum.
        before = np.where(agrees < 0, 0.0, gradient)
        x = x - np.sign(before) * steps
        value, gradient = objective.first(x)
        yield SolverStep(x, value)
