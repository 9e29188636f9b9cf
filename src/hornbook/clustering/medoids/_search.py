"""The search for medoids: steps that lower the loss, until one changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.clustering.medoids._all_distances import ComputedDistances, Indices, MatrixDistances
from hornbook.params import Floats

__all__ = ["Searched", "Step", "alternated", "settled", "swapped"]

Searched = ComputedDistances | MatrixDistances
Step = tuple[Indices, float, int]  # the medoids, the loss, and how much has changed


def swapped(distances: Searched, w: Floats, medoids: Indices) -> Iterator[Step]:
    """Passes of eager swaps (FasterPAM)."""
    if len(medoids) == 1:  # the best single medoid is known after one look at all
        losses = np.where(w > 0, distances.joining_losses(w, np.full(len(w), np.inf)), np.inf)
        medoids = np.array([np.argmin(losses)])
        yield medoids, float(losses.min()), 0
    still = 0
    while True:
        # Schubert and Rousseeuw (2021): each candidate is swapped in as soon as it lowers the loss,
        # and the gains of all k removals are found in O(n) for one candidate.
        medoids, swaps, still, loss = distances.swap_pass(w, medoids, still)
        # Every row has been looked at since the last swap: the next pass would change nothing.
        yield medoids, loss, 0 if still >= len(w) else swaps


def alternated(distances: Searched, w: Floats, medoids: Indices) -> Iterator[Step]:
    """Rounds of assigning rows to medoids and choosing the best medoid of each cluster."""
    while True:
        # The k-means of medoids (Park and Jun 2009): a medoid moves within its cluster only, so that it is
        # faster than swaps, but ends in worse minima more often (Schubert and Rousseeuw 2021).
        near = distances.to(medoids)
        labels = np.argmin(near, axis=1)
        loss = float(w @ near.min(axis=1))
        moved = medoids.copy()
        for j in range(len(medoids)):
            members = np.flatnonzero((labels == j) & (w > 0)).astype(np.int64)
            if len(members):
                moved[j] = members[int(np.argmin(distances.sums(members, w)))]
        changed = int(np.count_nonzero(moved != medoids))
        medoids = moved
        yield medoids, loss, changed


def settled(distances: Searched, w: Floats, medoids: Indices, max_iter: int) -> Indices:
    """Return the medoids after swaps until nothing changes."""
    for i, (moved, _, changed) in enumerate(swapped(distances, w, medoids)):
        medoids = moved
        if not changed or i + 1 >= max_iter:
            break
    return medoids
