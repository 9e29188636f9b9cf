"""Stumps of gradient boosting by trying every split."""

from __future__ import annotations

import numpy as np


def _splits(X):
    """Left sides of all cuts between neighboring values, column by column."""
    for column in X.T:
        values = np.unique(column)
        for threshold in (values[:-1] + values[1:]) / 2:
            yield column <= threshold


def pair_stump(X, g, h, penalty, gamma):
    """What a stump of gradient pairs adds to each score (Chen and Guestrin 2016)."""

    def quality(rows):  # G**2 / (H + lambda)
        return g[rows].sum() ** 2 / (h[rows].sum() + penalty)

    def step(rows):  # -G / (H + lambda)
        return -g[rows].sum() / (h[rows].sum() + penalty)

    everywhere = np.ones(len(g), dtype=bool)
    # gain = (Q_left + Q_right - Q) / 2 - gamma
    gains = [(quality(left) + quality(~left) - quality(everywhere)) / 2 - gamma for left in _splits(X)]
    best = list(_splits(X))[int(np.argmax(gains))]
    if max(gains) <= 0:
        return np.full(len(g), step(everywhere))
    return np.where(best, step(best), step(~best))


def stump_on(X, target, w):
    """Left side of the cut with the smallest weighted sum of squares."""

    def squares(rows):
        mean = np.average(target[rows], weights=w[rows])
        return w[rows] @ (target[rows] - mean) ** 2

    sides = list(_splits(X))
    return sides[int(np.argmin([squares(left) + squares(~left) for left in sides]))]
