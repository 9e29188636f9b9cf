"""The gain of a split for several targets: the mean of the gains of each."""

from __future__ import annotations

import numpy as np


def impurity(y, w, criterion):
    """Mean impurity of the targets in the columns of y."""
    total, parts = w.sum(), []
    for column in y.T:
        if criterion in ("gini", "entropy"):
            p = np.array([w[column == label].sum() for label in np.unique(column)]) / total
            p = p[p > 0]
            parts.append(1 - (p**2).sum() if criterion == "gini" else -(p * np.log2(p)).sum())
            continue
        mean = np.average(column, weights=w)
        if criterion == "squared_error":
            parts.append(np.average((column - mean) ** 2, weights=w))
        elif criterion == "poisson":
            ratio = np.where(column > 0, column, 1.0) / mean
            parts.append(np.average(column * np.log(ratio), weights=w))
        else:
            order = np.argsort(column, kind="stable")
            until = np.cumsum(w[order])
            median = column[order][np.searchsorted(until, total / 2)]
            parts.append(np.average(np.abs(column - median), weights=w))
    return float(np.mean(parts))


def best_gain(x, y, w, criterion):
    """The largest gain of a cut of one column; -inf if none is allowed."""
    best, whole = -np.inf, impurity(y, w, criterion)
    for cut in np.unique(x)[:-1]:
        left = x <= cut
        if criterion == "poisson" and min(y[left].sum(axis=0).min(), y[~left].sum(axis=0).min()) <= 0:
            continue
        inside = sum(
            w[side].sum() / w.sum() * impurity(y[side], w[side], criterion) for side in (left, ~left)
        )
        best = max(best, whole - inside)
    return best
