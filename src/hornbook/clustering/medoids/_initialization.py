"""The first medoids: built greedily, drawn far apart, or drawn at random."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from hornbook.clustering._initialization import weighted_draws
from hornbook.clustering.medoids._all_distances import ComputedDistances, Indices, MatrixDistances
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["MedoidStart", "first_medoids"]

MedoidStart = Literal["build", "k-medoids++", "random"]


def first_medoids(
    init: str, distances: ComputedDistances | MatrixDistances, w: Floats, k: int, draws: Stream
) -> Indices:
    """Choose k different rows of positive weight."""
    choose = {"build": _built, "k-medoids++": _spread, "random": _random}[init]
    return choose(distances, w, k, draws)


def _built(distances: ComputedDistances | MatrixDistances, w: Floats, k: int, draws: Stream) -> Indices:
    """BUILD of Kaufman and Rousseeuw (1990): each medoid is the row that lowers the loss most."""
    del draws
    # Infinite: the first medoid is the row with the least sum of distances.
    nearest = np.full(len(w), np.inf)
    chosen: list[int] = []
    allowed = w > 0
    while len(chosen) < k:
        # O(n**2) distances for each medoid, which is why drawing them far apart is the default.
        losses = np.where(allowed, distances.joining_losses(w, nearest), np.inf)
        best = int(np.argmin(losses))
        chosen.append(best)
        allowed[best] = False
        nearest = np.minimum(nearest, distances.to(np.array([best]))[:, 0])
    return np.array(chosen, dtype=np.int64)


def _spread(distances: ComputedDistances | MatrixDistances, w: Floats, k: int, draws: Stream) -> Indices:
    """Greedy k-means++ (Arthur and Vassilvitskii 2007) by distances, whose sum is the loss."""
    trials = 2 + int(math.log(k))
    chosen = [int(weighted_draws(w, draws.uniform(1))[0])]
    nearest = distances.to(np.array(chosen))[:, 0]
    free = w.copy()
    while len(chosen) < k:
        free[chosen[-1]] = 0.0
        # Distances, not squares as in k-means++: the loss of k-medoids is their sum.
        mass = free * nearest
        if not mass.sum() > 0:  # all other rows are copies of medoids
            mass = free
        candidates = weighted_draws(mass, draws.uniform(trials)).astype(np.int64)
        reached = np.minimum(distances.to(candidates), nearest[:, None])
        best = int(np.argmin(np.einsum("i,ij->j", w, reached)))
        chosen.append(int(candidates[best]))
        nearest = reached[:, best].copy()
    return np.array(chosen, dtype=np.int64)


def _random(distances: ComputedDistances | MatrixDistances, w: Floats, k: int, draws: Stream) -> Indices:
    """Different rows, drawn with probabilities proportional to their weights."""
    del distances
    mass, chosen = w.copy(), []
    for _ in range(k):
        (row,) = weighted_draws(mass, draws.uniform(1))
        chosen.append(int(row))
        mass[row] = 0.0
    return np.array(chosen, dtype=np.int64)
