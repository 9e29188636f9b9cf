"""Growing a network: units are added as long as the objective falls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.frame import Blocks
from hornbook.networks.mlp._initialization import initialized
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._retraining import retrained

__all__ = ["GrowthPlan", "grown", "widened"]


@dataclass(frozen=True)
class GrowthPlan:
    """How many units to add, and when to stop."""

    units: int
    max_units: int
    max_iter: int
    gain: float


def widened(network: Network, units: int, kind: Any, seed: int) -> Network:
    """The network with more units in its last hidden layer, which at first add nothing to its outputs.

    Weights to new units are drawn, weights from them are 0.
    """
    sizes = network.sizes.tolist()
    sizes[-2] += units
    wide = Network.blank(
        sizes, network.hidden, network.output, network.cost, network.slope, network.amplitude
    )
    # New units start with random inputs and outputs of 0: the network computes what it did before, and the
    # new units differ from each other, without which they would learn the same.
    drawn = initialized(wide, kind, seed, int(sizes[-2])).weights.copy()
    _fill(wide, drawn, network.split(), silent=True)
    if not len(network.mask):
        return wide.with_weights(drawn)
    mask = np.ones(len(drawn), dtype=np.uint8)
    _fill(wide, mask, network.split(network.mask), silent=False)
    return Network(
        wide.sizes, drawn * mask, mask, wide.hidden, wide.output, wide.cost, wide.slope, wide.amplitude
    )


def _fill(wide: Network, values: Any, parts: list[tuple[Any, Any]], *, silent: bool) -> None:
    """Copy the old part of each layer; where silent, what new units send on is 0."""
    for layer, ((new, constants), (old, old_constants)) in enumerate(
        zip(wide.split(values), parts, strict=True)
    ):
        if silent and layer == wide.depth - 1:
            new[:] = 0
        new[: old.shape[0], : old.shape[1]] = old
        constants[: len(old_constants)] = old_constants


def grown(learner: Any, network: Network, blocks: Blocks, seed: int, plan: GrowthPlan) -> Network:
    """Add units and train on, as long as the objective falls by the wanted share."""
    # Dynamic node creation (Ash 1989).
    best, least = retrained(learner, network, blocks, seed, plan.max_iter)
    while int(best.sizes[-2]) + plan.units <= plan.max_units:
        wide = widened(best, plan.units, learner.initialization, seed)
        wide, value = retrained(learner, wide, blocks, seed, plan.max_iter)
        # Written so that NaN ends the growth, too.
        if not value < (1.0 - plan.gain) * least:
            break
        best, least = wide, value
    return best
