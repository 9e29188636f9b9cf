"""Sums over the rows of each class."""

from __future__ import annotations

import numpy as np


def class_moments(X, y, w, n_classes):
    """Return mass, mean and scatter of each class and column, over the cells that are not NaN.

    mass = sum w, mean = sum w x / mass (0 if there is no mass), scatter = sum w (x - mean)^2
    """
    w = np.ones(len(X)) if w is None else w
    mass, mean, scatter = np.zeros((3, n_classes, X.shape[1]))
    for c in range(n_classes):
        for j in range(X.shape[1]):
            rows = (y == c) & ~np.isnan(X[:, j]) & (w > 0)
            x, share = X[rows, j], w[rows]
            mass[c, j] = share.sum()
            # halves of shares cannot overflow where the plain sum does
            mean[c, j] = 2 * (share / mass[c, j] * (x / 2)).sum() if len(x) else 0.0
            with np.errstate(over="ignore"):
                scatter[c, j] = (share * (x - mean[c, j]) ** 2).sum()
    return mass, mean, scatter


def class_counts(codes, y, w, n_levels, n_classes):
    """Sum of weights of each class (row) and level (columns, one block of n_levels[j] per column j)."""
    w = np.ones(len(codes)) if w is None else w
    counts = [
        [w[(y == c) & (codes[:, j] == level)].sum() for j, m in enumerate(n_levels) for level in range(m)]
        for c in range(n_classes)
    ]
    return np.array(counts).reshape(n_classes, sum(n_levels))
