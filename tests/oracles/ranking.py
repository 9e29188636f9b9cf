"""Rows ranked by a score, pair by pair."""

from __future__ import annotations

import numpy as np
from tests.oracles.philox import philox


def auc(y, score, w=None):
    """Sum of w+ w- [I(s+ > s-) + I(s+ = s-) / 2] over all pairs, divided by the sum of w+ w-."""
    w = np.ones(len(y)) if w is None else w
    above, below = score[y][:, None], score[~y][None]
    with np.errstate(invalid="ignore"):
        wins = (above > below) + (above == below) / 2
    pairs = w[y][:, None] * w[~y][None]
    return (wins * pairs).sum() / pairs.sum()


def score_groups(y, score, w=None):
    """Distinct scores, highest first, and the weight of the positive and negative rows of each."""
    w = np.ones(len(y)) if w is None else w
    distinct = sorted(set((score + 0.0).tolist()), reverse=True)
    positive = [w[(score == s) & y].sum() for s in distinct]
    negative = [w[(score == s) & ~y].sum() for s in distinct]
    return np.array(distinct), np.array(positive), np.array(negative)


def auc_bootstrap(y, score, n_replicates, seed, stream):
    """AUC of rows drawn at the places (word n) >> 64 of the sorted rows; again while a class is missing."""
    order, n = np.argsort(score, kind="stable"), len(y)
    areas = []
    for replicate in range(n_replicates):
        attempt, drawn = 0, order[:0]
        while y[drawn].all() or not y[drawn].any():
            words = philox(seed, stream + attempt, replicate, n)
            drawn = order[[(int(word) * n) >> 64 for word in words]]
            attempt += 1
        areas.append(auc(y[drawn], score[drawn]))
    return np.array(areas)


def upper_hull(x, y):
    """Every point that no line from one before it to one after it passes through or above."""
    n = len(x)
    covered = [
        any(
            (x[i] - x[a]) * (y[c] - y[a]) >= (y[i] - y[a]) * (x[c] - x[a])
            for a in range(i)
            for c in range(i + 1, n)
        )
        for i in range(n)
    ]
    return np.flatnonzero(~np.array(covered))
