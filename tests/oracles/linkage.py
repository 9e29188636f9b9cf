"""Agglomeration as it is defined: all pairs of clusters are compared, and the nearest two merged."""

from __future__ import annotations

import numpy as np


def between(one, other, D, X, w, linkage):
    """The distance of two clusters, given by their rows."""
    pairs = D[np.ix_(one, other)]
    if linkage == "single":
        return pairs.min()
    if linkage == "complete":
        return pairs.max()
    if linkage == "average":  # weighted mean of all pairs
        return (w[one][:, None] * w[other] * pairs).sum() / (w[one].sum() * w[other].sum())
    means = [np.average(X[part], axis=0, weights=w[part]) for part in (one, other)]
    a, b = w[one].sum(), w[other].sum()
    return np.sqrt(2 * a * b / (a + b) * np.square(means[0] - means[1]).sum())  # Ward


def agglomerate(X, w, linkage, distances=None):
    """Heights of the merges, and the partition before each, as sets of rows."""
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2)) if distances is None else distances
    clusters = [[i] for i in range(len(D))]
    heights, partitions = [], [{frozenset(c) for c in clusters}]
    while len(clusters) > 1:
        best = min(
            (between(clusters[i], clusters[j], D, X, w, linkage), i, j)
            for i in range(len(clusters))
            for j in range(i + 1, len(clusters))
        )
        heights.append(best[0])
        clusters[best[1]] = clusters[best[1]] + clusters.pop(best[2])
        partitions.append({frozenset(c) for c in clusters})
    return heights, partitions


def agglomerate_graph(X, w, linkage, graph):
    """Heights and children of merges of neighbors; distances of clusters go by pairs of neighbors alone."""
    rows, near = {i: [i] for i in range(len(X))}, {}
    for i, j in np.argwhere(np.triu(graph, 1)).tolist():
        near[i, j] = between([i], [j], np.sqrt(np.square(X[:, None] - X).sum(axis=2)), X, w, linkage)
    heights, children = [], []
    for node in range(len(X), 2 * len(X) - 1):
        (i, j), height = min(near.items(), key=lambda edge: (edge[1], edge[0]))
        heights.append(height)
        children.append([i, j])
        a, b = w[rows[i]].sum(), w[rows[j]].sum()
        rows[node] = rows.pop(i) + rows.pop(j)
        for k in list(rows)[:-1]:
            parts = [near.pop(tuple(sorted((k, old))), None) for old in (i, j)]
            known = [d for d in parts if d is not None]
            if known and linkage == "ward":
                near[k, node] = between(rows[k], rows[node], np.zeros((len(X),) * 2), X, w, linkage)
            elif known:
                mean = (a * known[0] + b * known[-1]) / (a + b)
                near[k, node] = {"single": min(known), "complete": max(known), "average": mean}[linkage]
        del near[i, j]
    return heights, children
