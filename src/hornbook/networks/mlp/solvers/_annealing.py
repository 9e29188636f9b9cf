"""Simulated annealing: worse weights are accepted too, ever more rarely (Kirkpatrick et al. 1983)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["annealing", "normal"]

DRAWS = 3  # the stream
PROPOSALS = 50  # in an iteration
TARGET = 0.3  # share of proposals that should be accepted


def annealing(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Propose normal changes of all weights; accept a rise of the objective by d with probability exp(-d/T).

    T begins as a share of the first value of the objective and falls by a factor after each iteration of 50
    proposals; the size of the changes adapts so that about 3 in 10 are accepted. The best weights seen are
    yielded.
    """
    draws = Stream(options.seed, DRAWS, options.start)
    x, value = start, objective.value(start)
    best, least = x, value
    temperature, size = options.temperature * abs(value), 0.5
    while True:
        accepted = 0
        for _ in range(PROPOSALS):
            trial = x + objective.network.masked(size * normal(draws, len(x)))
            tried = objective.value(trial)
            chance = float(draws.uniform(1)[0])
            rise = tried - value
            # The rule of Metropolis et al. (1953); the exponent is cut off where the exponential is 0 anyway.
            if rise <= 0 or (temperature > 0 and chance < np.exp(-min(rise / temperature, 700.0))):
                x, value = trial, tried
                accepted += 1
            if value < least:
                best, least = x, value
        size *= np.exp((accepted / PROPOSALS - TARGET) / 2.0)
        temperature *= options.cooling
        yield SolverStep(best, least)


def normal(draws: Stream, n: int) -> Floats:
    """Standard normal numbers."""
    return np.asarray(ndtri(draws.uniform(n) * (1 - 2**-53) + 2**-54))
