"""Units that no longer learn, because their derivative is nearly 0 for all rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.frame import Blocks
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._units import unit_range, unit_slope, unit_value
from hornbook.params import Floats, blas_threads

__all__ = ["hidden_outputs", "warn_saturated"]

ROWS = 512  # that are looked at
FLAT = 1e-4  # fraction of the steepest slope
NEARLY_ALL = 0.99
MANY = 0.05  # outputs at the wrong end


def hidden_outputs(network: Network, X: Floats) -> list[Floats]:
    """Outputs of each hidden layer for rows."""
    values, outputs = np.asarray(X), []
    with blas_threads(1), np.errstate(over="ignore", invalid="ignore"):
        for matrix, constants in network.split()[:-1]:
            net = values @ matrix + constants
            values = unit_value(network.hidden, net, network.slope, network.amplitude)
            outputs.append(values)
    return outputs


def warn_saturated(learner: Any, network: Network, blocks: Blocks) -> None:
    """Warn where nearly all outputs of a hidden layer are flat, or those of the network at the wrong end."""
    rows = blocks.take(np.arange(min(ROWS, blocks.n_rows)))
    layers = hidden_outputs(network, rows.X)
    for layer, values in enumerate(layers if network.hidden != "identity" else []):
        share = _flat(network, network.hidden, values)
        if share >= NEARLY_ALL:
            warnings.warn(
                f"{type(learner).__name__}: {share:.0%} of the outputs of hidden layer {layer + 1} are "
                "saturated, so its weights hardly change: scale the columns, as hornbook.Scaled does, "
                "or start from smaller weights.",
                ConvergenceWarning,
                stacklevel=8,
            )
            return

    low, high = unit_range(network.output, network.amplitude)
    # With other costs the derivative by the net input is the error itself, however flat the unit is.
    if network.cost != "squared_error" or not np.isfinite(high - low):
        return
    matrix, constants = network.split()[-1]
    with np.errstate(over="ignore", invalid="ignore"):  # infinite net inputs are saturated, too
        net = (layers[-1] if layers else np.asarray(rows.X)) @ matrix + constants
    outputs = unit_value(network.output, net, network.slope, network.amplitude)
    share = _flat(network, network.output, outputs)
    if share < NEARLY_ALL:
        return
    wrong = float((np.abs(outputs - np.asarray(rows.y)) > 0.5 * (high - low)).mean())
    if wrong >= MANY:
        warnings.warn(
            f"{type(learner).__name__}: {share:.0%} of the outputs are saturated, {wrong:.0%} at the wrong "
            "end, where the squared error hardly changes: scale the columns, as hornbook.Scaled does, or use "
            "loss='cross_entropy'.",
            ConvergenceWarning,
            stacklevel=8,
        )


def _flat(network: Network, unit: str, values: Floats) -> float:
    """The fraction of outputs where the derivative of their unit is nearly 0."""
    steepest = np.array([{"logistic": 0.5, "relu": 1.0}.get(unit, 0.0)])
    top = unit_slope(unit, steepest, network.slope, network.amplitude)
    return float((unit_slope(unit, values, network.slope, network.amplitude) <= FLAT * top).mean())
