"""The extended Kalman filter: weights are a state that every row tells something about."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook import _native
from hornbook.networks.mlp._minibatch import TrainingRows
from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["kalman"]

VARIANCE = 1.0  # of weights before the first row
NOISE = 1.0  # variance of a target around the output
DRIFT = 1e-6  # added to the variance of each weight with each row, so that the filter never falls asleep


def kalman(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """One pass over the rows in each iteration; every output corrects all weights (Singhal and Wu 1989).

    It minimizes the squared error of the outputs, and keeps a covariance of all weights, so that it is for
    small networks.
    """
    rows = TrainingRows(objective.blocks)
    theta = start.copy()
    free = np.ones_like(theta) if not len(objective.network.mask) else objective.network.mask.astype(float)
    covariance = np.diag(VARIANCE * free)
    structure = objective.network.structure
    epoch = 0
    while True:
        for X, targets, w, order in rows.in_order(options.seed, epoch, shuffle=options.shuffle):
            cost = _native.network_kalman(X, targets, w, order, *structure, NOISE, DRIFT, theta, covariance)
            if not np.isfinite(cost):
                yield SolverStep(theta, float("nan"))
                return
        yield SolverStep(theta.copy(), objective.value(theta))
        epoch += 1
