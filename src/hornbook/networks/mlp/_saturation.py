"""Units that no longer learn, because their derivative is nearly 0 for all rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.frame import Blocks
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._units import unit_slope, unit_value
from hornbook.params import Floats, blas_threads

__all__ = ["hidden_outputs", "warn_saturated"]

ROWS = 512  # that are looked at
FLAT = 1e-4  # fraction of the steepest slope
NEARLY_ALL = 0.99


def hidden_outputs(network: Network, X: Floats) -> list[Floats]:
    """Outputs of each hidden layer for rows."""
    values, outputs = np.asarray(X), []
    with blas_threads(1):
        for matrix, constants in network.split()[:-1]:
            net = values @ matrix + constants
            values = unit_value(network.hidden, net, network.slope, network.amplitude)
            outputs.append(values)
    return outputs


def warn_saturated(learner: Any, network: Network, blocks: Blocks) -> None:
    """Warn where nearly all outputs of a hidden layer are flat."""
    if network.depth < 2 or network.hidden == "identity":
        return
    rows = blocks.take(np.arange(min(ROWS, blocks.n_rows))).X
    for layer, values in enumerate(hidden_outputs(network, rows)):
        steepest = unit_slope(
            network.hidden, np.array([_steepest(network)]), network.slope, network.amplitude
        )
        slopes = unit_slope(network.hidden, values, network.slope, network.amplitude)
        share = float((slopes <= FLAT * steepest[0]).mean())
        if share >= NEARLY_ALL:
            warnings.warn(
                f"{type(learner).__name__}: {share:.0%} of the outputs of hidden layer {layer + 1} are "
                "saturated, so its weights hardly change: scale the columns, as hornbook.Scaled does, "
                "or start from smaller weights.",
                ConvergenceWarning,
                stacklevel=8,
            )
            return


def _steepest(network: Network) -> float:
    """The output at which a unit is steepest."""
    return {"logistic": 0.5, "relu": 1.0}.get(network.hidden, 0.0)
