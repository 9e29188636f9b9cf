"""All solvers by name."""

from __future__ import annotations

from typing import Literal

from hornbook.networks.mlp._minibatch import adam, sgd
from hornbook.networks.mlp.solvers._annealing import annealing
from hornbook.networks.mlp.solvers._conjugate_gradient import conjugate_gradient
from hornbook.networks.mlp.solvers._delta_bar_delta import delta_bar_delta, delta_delta
from hornbook.networks.mlp.solvers._genetic import genetic
from hornbook.networks.mlp.solvers._kalman import kalman
from hornbook.networks.mlp.solvers._quickprop import quickprop
from hornbook.networks.mlp.solvers._rates import adaptive, adaptive_momentum, momentum
from hornbook.networks.mlp.solvers._rprop import rprop
from hornbook.networks.mlp.solvers._second_order import levenberg_marquardt, limited_memory, newton
from hornbook.networks.mlp.solvers._step import Solver

__all__ = ["BY_BATCHES", "DENSE", "EXACT", "RATED", "SOLVERS", "SolverName"]

SolverName = Literal[
    "adam",
    "sgd",
    "momentum",
    "adaptive",
    "adaptive_momentum",
    "delta_delta",
    "delta_bar_delta",
    "rprop",
    "quickprop",
    "conjugate_gradient",
    "lbfgs",
    "newton",
    "levenberg_marquardt",
    "kalman",
    "annealing",
    "genetic",
]

SOLVERS: dict[str, Solver] = {
    "adam": adam,
    "sgd": sgd,
    "momentum": momentum,
    "adaptive": adaptive,
    "adaptive_momentum": adaptive_momentum,
    "delta_delta": delta_delta,
    "delta_bar_delta": delta_bar_delta,
    "rprop": rprop,
    "quickprop": quickprop,
    "conjugate_gradient": conjugate_gradient,
    "lbfgs": limited_memory,
    "newton": newton,
    "levenberg_marquardt": levenberg_marquardt,
    "kalman": kalman,
    "annealing": annealing,
    "genetic": genetic,
}

# Solvers that take rows in mini-batches, those that know themselves when they are done, those that keep a
# matrix of all pairs of weights, and those with a learning rate.
BY_BATCHES = frozenset({"adam", "sgd"})
EXACT = frozenset({"conjugate_gradient", "lbfgs", "newton", "levenberg_marquardt"})
DENSE = frozenset({"newton", "levenberg_marquardt", "kalman"})
RATED = frozenset(SOLVERS) - EXACT - {"kalman", "annealing", "genetic"}
