"""DBSCAN as it is written down, one queue at a time."""

from __future__ import annotations

import numpy as np


def dbscan(distances, eps, min_samples, weights=None, draws=None):
    """Core flags and labels; clusters are generated from the draws, else from the lowest core row on."""
    n = len(distances)
    w = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    near = distances <= eps
    core = np.array([w[near[j]].sum() >= min_samples and w[j] > 0 for j in range(n)])  # |N(x_j)| >= MinPts
    waiting = list(np.flatnonzero(core)) if draws is None else list(draws)  # Omega
    labels, k = np.full(n, -1), 0  # Gamma: the rows whose label is -1
    for seed in waiting:
        if labels[seed] >= 0:
            continue
        queue, labels[seed] = [seed], k
        while queue:
            q = queue.pop(0)
            if core[q]:
                new = np.flatnonzero(near[q] & (labels < 0))  # Delta = N(q) and Gamma
                labels[new] = k
                queue.extend(new)
        k += 1
    return core, labels
