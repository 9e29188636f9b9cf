"""Training on after the structure has changed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbook.frame import Blocks
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp._training import decay_of, options_of, row_mass
from hornbook.networks.mlp.solvers._solvers import EXACT, SOLVERS

__all__ = ["objective_of", "retrained"]


def objective_of(learner: Any, network: Network, blocks: Blocks) -> Objective:
    """The objective of these rows."""
    return Objective(blocks, network, decay_of(learner), blocks.reduce(row_mass))


def retrained(
    learner: Any, network: Network, blocks: Blocks, seed: int, max_iter: int
) -> tuple[Network, float]:
    """The network after some more iterations of the learner's solver, and its objective."""
    objective = objective_of(learner, network, blocks)
    best, least, idle = network, objective.value(network.weights), 0
    steps = SOLVERS[learner.solver](
        objective, network.weights, options_of(learner, network, blocks.n_rows, seed, 0)
    )
    for _ in range(max_iter):
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is seen below
            step = next(steps, None)
        if step is None or not math.isfinite(step.loss) or not np.isfinite(step.weights).all():
            break
        value = objective.value(step.weights)
        idle = 0 if value < least - learner.tol else idle + 1
        if value < least:
            best, least = network.with_weights(step.weights), value
        if step.converged or (learner.solver not in EXACT and idle > learner.n_iter_no_change):
            break
    return best, least
