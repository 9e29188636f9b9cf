"""A learning rate for each weight: delta-delta and delta-bar-delta (Jacobs 1988)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["delta_bar_delta", "delta_delta"]

MEMORY = 0.7  # of the mean of past gradients


def delta_delta(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Rates grow by k times the product of the last two derivatives, and are never below 0.

    k is (increase - 1) times the initial rate. The product is large where the surface is steep, which is why
    delta-bar-delta goes by its sign alone.
    """
    k = (options.increase - 1.0) * options.rate
    x, rates = start, np.full_like(start, options.rate)
    _, gradient = objective.first(x)
    while True:
        x = x - rates * gradient
        value, after = objective.first(x)
        yield SolverStep(x, value)
        rates = np.maximum(rates + k * after * gradient, 0.0)
        gradient = after


def delta_bar_delta(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Rates grow by a constant while a derivative keeps the sign of its mean, and shrink by a factor else.

    The constant is (increase - 1) times the initial rate, the factor ``decrease``.
    """
    k = (options.increase - 1.0) * options.rate
    x, rates = start, np.full_like(start, options.rate)
    _, gradient = objective.first(x)
    mean = np.zeros_like(x)
    while True:
        x = x - rates * gradient
        mean = (1.0 - MEMORY) * gradient + MEMORY * mean
        value, gradient = objective.first(x)
        yield SolverStep(x, value)
        agrees = mean * gradient
        rates = np.where(agrees > 0, rates + k, np.where(agrees < 0, options.decrease * rates, rates))
