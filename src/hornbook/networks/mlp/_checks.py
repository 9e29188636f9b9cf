"""Parameters that do not go together, each refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp.solvers._solvers import BY_BATCHES, DENSE
from hornbook.params import ParameterError

__all__ = ["check_network", "check_parameters", "hidden_sizes", "refuse_unless"]

MOST_DENSE = 2000  # weights of solvers that keep a matrix of all pairs of them

# Output units that go with each cost; the first is the default.
UNITS_OF = {
    "squared_error": ("logistic", "identity", "bipolar", "tanh", "scaled_tanh", "relu"),
    "cross_entropy": ("logistic",),
    "relative_cross_entropy": ("logistic",),
    "kl": ("softmax", "logistic"),
    "log_loss": ("softmax", "logistic"),
    "poisson": ("exponential",),
}


def hidden_sizes(learner: Any) -> list[int]:
    """Sizes of the hidden layers."""
    given = learner.hidden_layer_sizes
    sizes = list(given) if isinstance(given, tuple | list) else [given]
    whole = all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in sizes)
    if not whole or min(sizes, default=1) < 1:
        raise ParameterError(
            f"{type(learner).__name__}: parameter 'hidden_layer_sizes' must be > 0, whole numbers of units "
            f"for each hidden layer, got {given!r}; an empty tuple means no hidden layer."
        )
    return [int(n) for n in sizes]


def check_parameters(learner: Any, output: str) -> None:
    """Refuse parameters that do not go together."""
    name = type(learner).__name__
    if output not in UNITS_OF[learner.loss]:
        raise ParameterError(
            f"{name}: parameter 'out_activation' = {output!r} cannot be combined with "
            f"loss={learner.loss!r}; use {' or '.join(map(repr, UNITS_OF[learner.loss]))}."
        )
    if learner.amplitude != 1.0 and "scaled_tanh" not in (learner.activation, output):
        raise ParameterError(
            f"{name}: parameter 'amplitude' = {learner.amplitude:g} is for scaled tanh units only; set "
            "activation='scaled_tanh', or leave it at 1."
        )
    if learner.batch_size != "auto" and learner.solver not in BY_BATCHES:
        raise ParameterError(
            f"{name}: parameter 'batch_size' = {learner.batch_size} needs solver='sgd' or 'adam'; "
            f"{learner.solver!r} does not take batches."
        )
    if learner.dropout > 0 and (learner.solver not in BY_BATCHES or not _named(learner.penalty)):
        raise ParameterError(
            f"{name}: parameter 'dropout' = {learner.dropout:g} needs solver='sgd' or 'adam' and a penalty "
            "given by its name."
        )
    if learner.penalty == "tradeoff" and learner.alpha >= 1:
        raise ParameterError(
            f"{name}: parameter 'alpha' = {learner.alpha:g} must be below 1 with penalty='tradeoff', which "
            "weighs the cost by 1 - alpha."
        )


def _named(penalty: Any) -> bool:
    return penalty is None or isinstance(penalty, str)


def check_network(learner: Any, network: Network) -> None:
    """Refuse networks that the solver cannot train."""
    name, n = type(learner).__name__, len(network.weights)
    if learner.solver in DENSE and n > MOST_DENSE:
        raise ParameterError(
            f"{name}: parameter 'solver' = {learner.solver!r} keeps a matrix of all pairs of weights, and "
            f"there are {n} weights, more than {MOST_DENSE}: use 'lbfgs', or fewer hidden units."
        )
    if learner.solver == "kalman" and network.output == "softmax":
        raise ParameterError(
            f"{name}: parameter 'solver' = 'kalman' corrects one output after the other, which softmax "
            "outputs do not allow: use loss='squared_error' or 'cross_entropy'."
        )


def refuse_unless(right: bool, name: str, value: Any, allowed: str) -> None:
    """Refuse the argument of a method."""
    if not right:
        raise ValueError(f"Parameter {name!r} must be {allowed}; got {value!r}.")
