"""K-medoids and distances to clusters, from the matrix of all distances."""

from __future__ import annotations

import numpy as np


def cluster_distances(D, labels, weights, n_clusters, statistic):
    """For each row of D and each cluster: sum_i w_i D_i, min_i D_i or max_i D_i over the cluster's rows."""
    out = np.zeros((len(D), n_clusters))
    for c in range(n_clusters):
        part, w = D[:, labels == c], weights[labels == c]
        if statistic == "sum":
            out[:, c] = part @ w
        elif statistic == "smallest":
            out[:, c] = part.min(axis=1, initial=np.inf)
        else:
            out[:, c] = part.max(axis=1, initial=0.0)
    return out


def loss(D, weights, medoids):
    """Sum over rows of weight times distance to the nearest medoid."""
    return float(weights @ D[:, medoids].min(axis=1))


def swap_pass(D, weights, medoids, still):
    """Try each row in turn as a medoid and make its best swap at once if that lowers the loss."""
    medoids, swaps, n = list(medoids), 0, len(D)
    for candidate in range(n):
        if still >= n:
            break
        best = loss(D, weights, medoids)
        losses = [
            loss(D, weights, [*medoids[:slot], candidate, *medoids[slot + 1 :]])
            for slot in range(len(medoids))
        ]
        still += 1
        if weights[candidate] > 0 and candidate not in medoids and min(losses) < best * (1 - 1e-13):
            medoids[int(np.argmin(losses))] = candidate
            swaps, still = swaps + 1, 0
    return medoids, swaps, still, loss(D, weights, medoids)


def joining_losses(D, weights, nearest):
    """For each row c: sum_i w_i min(D_ic, nearest_i)."""
    return np.minimum(D, nearest[:, None]).T @ weights
