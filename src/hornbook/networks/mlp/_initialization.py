"""Where training starts: random weights, connections that are left out from the start, or earlier weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hornbook.networks.mlp._network import Network
from hornbook.random import Stream

__all__ = ["Initialization", "initialized", "resumed", "retargeted", "thinned"]

Initialization = Literal["glorot", "he", "uniform", "unit", "small"]

WEIGHTS, CONNECTIONS, UNITS = 0, 1, 2  # what numbers are drawn for
# Low and high end of weights that do not depend on the sizes of layers.
ENDS = {"uniform": (-1.0, 1.0), "unit": (0.0, 1.0), "small": (-0.1, 0.1)}


def initialized(network: Network, kind: Initialization, seed: int, start: int) -> Network:
    """The network with random weights.

    Parameters
    ----------
    network : Network
        The structure; what its mask leaves out stays 0.
    kind : {"glorot", "he", "uniform", "unit", "small"}
        The distribution of weights and constants. ``"glorot"`` is uniform up to the root of
        6 / (inputs + units), or of 2 / (inputs + units) for logistic units (Glorot and Bengio 2010);
        ``"he"`` is normal with variance 2 / inputs, and constants of 0 (He et al. 2015); the others are
        uniform from -1 to 1, from 0 to 1 and from -0.1 to 0.1.
    seed : int
        The seed of the learner.
    start : int
        The number of the restart.
    """
    draws = Stream(seed, WEIGHTS, start)
    weights = np.empty(len(network.weights))
    for layer, (matrix, constants) in enumerate(network.split(weights)):
        inputs, units = matrix.shape
        if kind == "he":
            # The uniform numbers may be 0, whose quantile is infinite.
            normal = ndtri(draws.uniform(matrix.size) * (1 - 2**-53) + 2**-54)
            matrix[:] = np.sqrt(2.0 / inputs) * normal.reshape(matrix.shape)
            constants[:] = 0.0
            continue
        unit = network.output if layer == network.depth - 1 else network.hidden
        # Glorot and Bengio (2010), with scikit-learn's smaller factor for logistic units.
        bound = np.sqrt((2.0 if unit == "logistic" else 6.0) / (inputs + units))
        low, high = ENDS.get(kind, (-bound, bound))
        matrix[:] = (low + (high - low) * draws.uniform(matrix.size)).reshape(matrix.shape)
        constants[:] = low + (high - low) * draws.uniform(units)
    return network.with_weights(network.masked(weights))


def thinned(network: Network, connections: float, units: float, seed: int, start: int) -> Network:
    """The network without a share of its connections and of its hidden units, chosen at random.

    Between two layers the share is rounded to whole connections, and in each hidden layer to whole units, of
    which one at least stays.
    """
    if connections == 0.0 and units == 0.0:
        return network
    mask = np.ones(len(network.weights), dtype=np.uint8)
    parts = network.split(mask)
    for layer, (matrix, constants) in enumerate(parts):
        chosen = Stream(seed, CONNECTIONS, start * network.depth + layer).permutation(matrix.size)
        matrix.reshape(-1)[chosen[: round(connections * matrix.size)]] = 0  # a view: rows lie side by side
        if layer == network.depth - 1:
            continue
        n = matrix.shape[1]
        gone = Stream(seed, UNITS, start * network.depth + layer).permutation(n)
        gone = gone[: min(round(units * n), n - 1)]
        matrix[:, gone] = 0
        constants[gone] = 0
        parts[layer + 1][0][gone] = 0  # further connections of that layer are left out later
    return replace(network, mask=mask, weights=network.weights * mask)


def resumed(
    before: tuple[Network, NDArray[Any] | None], blank: Network, classes: NDArray[Any] | None
) -> Network | None:
    """The weights of the previous fit in the new structure, if its layers and its classes are the same."""
    network, known = before
    same = np.array_equal(network.sizes, blank.sizes)
    if known is not None and classes is not None:
        same = same and np.array_equal(known, classes)
    # Units and cost are those of the new structure: parameters may have changed.
    return replace(blank, weights=network.weights, mask=network.mask) if same else None


def retargeted(network: Network, blank: Network, learner: str) -> Network:
    """The network with units and cost of the new structure; its layers, which may have grown, stay."""
    if network.sizes[0] != blank.sizes[0] or network.sizes[-1] != blank.sizes[-1]:
        raise ValueError(
            f"{learner}: parameters 'loss' = {blank.cost!r} and 'out_activation' ask for {blank.sizes[-1]} "
            f"output units, and the network has {network.sizes[-1]}: set them as before, or call fit."
        )
    return replace(blank, sizes=network.sizes, weights=network.weights, mask=network.mask)
