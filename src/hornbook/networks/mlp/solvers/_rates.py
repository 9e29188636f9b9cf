"""Gradient descent over all rows with one learning rate: plain, with momentum, with a rate that adapts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["adaptive", "adaptive_momentum", "momentum"]


def momentum(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Change by momentum times the last change, minus rate times the gradient.

    The gradient is not multiplied by 1 - momentum, as it is in some toolboxes.
    """
    return _descended(objective, start, options, momentum=options.momentum, adapts=False)


def adaptive(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Gradient descent whose rate follows the ratio of the last two values of the objective.

    Below 1 the rate is multiplied by ``increase``, above ``tolerance`` by ``decrease``; no step is taken
    back.
    """
    return _descended(objective, start, options, momentum=0.0, adapts=True)


def adaptive_momentum(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Both: momentum, and a rate that adapts."""
    return _descended(objective, start, options, momentum=options.momentum, adapts=True)


def _descended(
    objective: Objective, start: Floats, options: Options, *, momentum: float, adapts: bool
) -> Iterator[SolverStep]:
    x, change, rate = start, np.zeros_like(start), options.rate
    value, gradient = objective.first(x)
    while True:
        change = momentum * change - rate * gradient
        x = x + change
        before = value
        value, gradient = objective.first(x)
        yield SolverStep(x, value, rate=rate)
        # The bold driver (Vogl and others 1988), but without taking a bad step back: between the two limits
        # the rate stays as it is.
        if adapts and value < before:
            rate *= options.increase
        elif adapts and value > options.tolerance * before:
            rate *= options.decrease
