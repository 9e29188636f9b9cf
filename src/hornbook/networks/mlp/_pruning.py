"""Removing weights that hardly matter: by saliency, or by size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from hornbook.base import Table
from hornbook.display import Cell
from hornbook.frame import Blocks
from hornbook.networks.mlp._network import Network
from hornbook.networks.mlp._retraining import objective_of, retrained
from hornbook.params import Floats

__all__ = ["PruneKind", "PruningPlan", "pruned", "saliency_table"]

PruneKind = Literal["saliency", "small"]
MOST_CURVED = 5000  # weights whose second derivatives are computed


@dataclass(frozen=True)
class PruningPlan:
    """How much to remove, and when to stop."""

    kind: PruneKind
    share: float
    rounds: int
    max_iter: int
    tolerance: float


def saliencies(learner: Any, network: Network, blocks: Blocks, kind: PruneKind) -> Floats:
    """How much the objective would rise without each weight: h w² / 2, or its size |w|.

    h is the second derivative of the objective by the weight (optimal brain damage, LeCun et al. 1990).
    """
    if kind == "small":
        return np.abs(network.weights)
    if len(network.weights) > MOST_CURVED:
        raise ValueError(
            f"{type(learner).__name__}: the saliencies of {len(network.weights)} weights, more than "
            f"{MOST_CURVED}, would take too long: use kind='small'."
        )
    # At a minimum the gradient is 0, and products of two weights are neglected. Where training has not
    # reached one, curvatures may be negative and would reward every removal: they count as 0.
    curved = objective_of(learner, network, blocks).diagonal(network.weights)
    return np.asarray(0.5 * np.maximum(curved, 0.0) * network.weights**2)


def saliency_table(
    learner: Any, network: Network, blocks: Blocks, kind: PruneKind, inputs: list[str], outputs: list[str]
) -> Table:
    """The connections that are left, those that matter least first."""
    sizes = saliencies(learner, network, blocks, kind)
    alive = network.penalized() & (network.mask == 1 if len(network.mask) else True)
    names = [inputs]
    names += [[f"h{layer}.{j + 1}" for j in range(n)] for layer, n in enumerate(network.sizes[1:-1], 1)]
    names.append(outputs)
    rows: list[tuple[str, str, float, float]] = []
    parts = zip(network.split(), network.split(sizes), network.split(alive), strict=True)
    for layer, ((weights, _), (values, _), (marks, _)) in enumerate(parts):
        for i, j in np.argwhere(marks).tolist():
            place = names[layer][i], names[layer + 1][j]
            rows.append((*place, float(weights[i, j]), float(values[i, j])))
    rows.sort(key=lambda row: row[3])
    cells: list[list[Cell]] = [list(row) for row in rows]
    return Table(
        "Connections by saliency" if kind == "saliency" else "Connections by size",
        ["from", "to", "weight", "saliency" if kind == "saliency" else "size"],
        cells,
    )


def pruned(learner: Any, network: Network, blocks: Blocks, seed: int, plan: PruningPlan) -> Network:
    """Remove connections round by round and train on, as long as the score of these rows is kept."""
    wanted = _score(learner, network, blocks) - plan.tolerance
    network, _ = retrained(learner, network, blocks, seed, plan.max_iter)
    best = network if _score(learner, network, blocks) >= wanted else learner.network_
    share = plan.share
    for _ in range(plan.rounds):
        mask = best.mask.copy() if len(best.mask) else np.ones(len(best.weights), dtype=np.uint8)
        alive = np.flatnonzero((mask == 1) & best.penalized())
        count = max(1, round(share * len(alive)))
        if count >= len(alive):
            break
        sizes = saliencies(learner, best, blocks, plan.kind)[alive]
        mask[alive[np.argsort(sizes, kind="stable")[:count]]] = 0
        thinner = replace(best, mask=mask, weights=best.weights * mask)
        thinner, _ = retrained(learner, thinner, blocks, seed, plan.max_iter)
        if _score(learner, thinner, blocks) >= wanted:
            best = thinner
        elif count == 1:
            break
        else:
            share /= 2.0  # that was too much at once
    return best


def _score(learner: Any, network: Network, blocks: Blocks) -> float:
    score: float = learner._score_of(network, blocks)  # noqa: SLF001 - accuracy or R², as the learner counts
    return score
