"""The extended Kalman filter: weights are a state that every row tells something about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hornbook import _native
from hornbook.networks.mlp._minibatch import Piece, TrainingRows
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._objective import Objective
from hornbook.networks.mlp.solvers._step import Options, SolverStep
from hornbook.params import Floats

__all__ = ["kalman"]

DRIFT = 1e-6  # added to the variance of each weight with each row, so that the filter never falls asleep


def kalman(objective: Objective, start: Floats, options: Options) -> Iterator[SolverStep]:
    """One pass over the rows in each iteration; every output corrects all weights (Singhal and Wu 1989).

    It minimizes the squared error of the outputs, and keeps a covariance of all weights, so that it is for
    small networks.
    """
    rows = TrainingRows(objective.blocks)
    theta = start.copy()
    free = np.ones_like(theta) if not len(objective.network.mask) else objective.network.mask.astype(float)
    belief = Belief(theta, np.diag(options.variance * free))
    task, epoch = (objective.network, options.noise), 0
    while True:
        if rows.distant is not None:
            belief = rows.walk(_corrected, belief, task, options, epoch)
        else:
            for piece in rows.in_order(options.seed, epoch, shuffle=options.shuffle):
                belief = _corrected(piece, belief, task)
        if not belief.finite:
            yield SolverStep(belief.theta, float("nan"))
            return
        yield SolverStep(belief.theta.copy(), objective.value(belief.theta))
        epoch += 1


@dataclass(frozen=True)
class Belief:
    """Weights, their covariance, and whether the filter has not diverged."""

    theta: Floats
    covariance: Floats
    finite: bool = True


def _corrected(piece: Piece, belief: Belief, task: tuple[Network, float]) -> Belief:
    """The belief after some rows, whose targets lie so far around the outputs."""
    if not belief.finite:
        return belief
    theta, covariance = belief.theta.copy(), belief.covariance.copy()  # the kernel changes both in place
    (X, targets, w, order), (network, noise) = piece, task
    cost = _native.network_kalman(X, targets, w, order, *network.structure, noise, DRIFT, theta, covariance)
    return Belief(theta, covariance, bool(np.isfinite(cost)))
