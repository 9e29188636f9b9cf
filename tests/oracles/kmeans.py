"""Plain Lloyd: every row is compared with every center in every pass; additions in the kernel's order."""

from __future__ import annotations

import numpy as np


def square_distances(X, centers):
    """sum over columns of (x - c)², missing ones left out; columns 0, 4, ... first, 1, 5, ... and so on"""
    terms = (X[:, None, :] - centers) ** 2
    terms = np.where(np.isnan(terms), 0.0, terms)
    sums = [np.zeros(terms.shape[:2]) for _ in range(4)]
    for j in range(X.shape[1]):
        sums[j % 4] = sums[j % 4] + terms[:, :, j]
    return (sums[0] + sums[2]) + (sums[1] + sums[3])


def chunk_sums(X, w, centers, origin):
    """labels, sums of w (x - origin), weights of known cells, sum of w d², row after row"""
    squares = square_distances(X, centers)
    labels = squares.argmin(axis=1)
    known, total = ~np.isnan(X), 0.0
    sums, mass = np.zeros_like(centers), np.zeros_like(centers)
    np.add.at(sums, labels, np.where(known, w[:, None] * (X - origin), 0.0))
    np.add.at(mass, labels, known * w[:, None])
    for i, label in enumerate(labels):
        total += w[i] * squares[i, label]
    return labels, sums, mass, total


def pairwise(parts):
    """neighbors first, then neighbors of these: ((0 1) (2 3)) 4"""
    size = 1
    while size < len(parts):
        for i in range(0, len(parts) - size, 2 * size):
            parts[i] = tuple(a + b for a, b in zip(parts[i], parts[i + size], strict=True))
        size *= 2
    return parts[0]


def lloyd(X, w, centers, origin, passes, chunk=4096):
    """labels, centers and inertia after each pass; a center without rows stays"""
    for _ in range(passes):
        parts = [
            chunk_sums(X[i : i + chunk], w[i : i + chunk], centers, origin) for i in range(0, len(X), chunk)
        ]
        labels = np.concatenate([part[0] for part in parts])
        sums, mass, total = pairwise([part[1:] for part in parts])
        means = origin + np.divide(sums, mass, out=np.zeros_like(sums), where=mass > 0)
        centers = np.where(mass > 0, means, centers)
        yield labels, centers, total
