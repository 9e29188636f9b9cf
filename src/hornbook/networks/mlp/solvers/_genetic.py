"""A genetic algorithm: a population of weight vectors that recombine and mutate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._annealing import normal
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["genetic"]

DRAWS = 4  # the stream
ELITE = 2  # members that survive unchanged
RIVALS = 3  # of which the best becomes a parent
CALMING = 0.98  # of the size of mutations, after each generation


def genetic(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """Children take each weight from one of two parents, and some of their weights mutate.

    A parent is the best of three members drawn at random, and the two best members survive. The first
    population is made of normal variations of the start. The best member is yielded.
    """
    draws = Stream(options.seed, DRAWS, options.start)
    n, count, masked = len(start), options.population, objective.network.masked
    size = 0.5
    members = start + masked(normal(draws, count * n).reshape(count, n))
    members[0] = start
    values = np.array([objective.value(member) for member in members])
    while True:
        # Not a number is the worst that a member can be.
        order = np.argsort(np.nan_to_num(values, nan=np.inf), kind="stable")
        members, values = members[order], values[order]
        children = [_child(members, draws, size, options.mutation) for _ in range(count - ELITE)]
        members = np.vstack([members[:ELITE], masked(np.array(children))])
        values = np.concatenate([values[:ELITE], [objective.value(child) for child in members[ELITE:]]])
        best = int(np.nanargmin(values))
        yield SolverStep(members[best].copy(), float(values[best]))
        size *= CALMING


def _child(members: Floats, draws: Stream, size: float, mutation: float) -> Floats:
    # Members are sorted: the smallest of several places is the best of them.
    one, other = (int(draws.integers(len(members), RIVALS).min()) for _ in range(2))
    n = members.shape[1]
    # Uniform crossover (Syswerda 1989): weights have no order that a cut in one place could keep together.
    child = np.where(draws.uniform(n) < 0.5, members[one], members[other])
    mutates = draws.uniform(n) < mutation
    return np.asarray(child + mutates * size * normal(draws, n))
