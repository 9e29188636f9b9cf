"""Expectation maximization for normal mixtures, cells that are NaN integrated out: one row at a time."""

from __future__ import annotations

import numpy as np


def log_joint(X, weights, means, covariances):
    """log(weight) + log N(x; m, S) over the known columns."""
    out = np.zeros((len(X), len(means)))
    for i, x in enumerate(X):
        o = ~np.isnan(x)
        for k, (m, S) in enumerate(zip(means, covariances, strict=True)):
            gap, part = (x - m)[o], S[np.ix_(o, o)]
            square = gap @ np.linalg.solve(part, gap)
            out[i, k] = -0.5 * (o.sum() * np.log(2 * np.pi) + np.linalg.slogdet(part)[1] + square)
    return out + np.log(weights)


def posterior(joint):
    """p(k | x) and log f(x)."""
    top = joint.max(axis=1, keepdims=True)
    total = np.exp(joint - top).sum(axis=1, keepdims=True)
    return np.exp(joint - top) / total, (top + np.log(total))[:, 0]


def em_sums(X, w, p, means, covariances):
    """Per component the sums of w p, w p E[g] and w p E[g g'], where g = x - m given its known part.

    E[g_m | g_o] = S_mo S_oo^-1 g_o, cov[g_m | g_o] = S_mm - S_mo S_oo^-1 S_om.
    """
    k, d = means.shape
    mass, first, second = np.zeros(k), np.zeros((k, d)), np.zeros((k, d, d))
    for i, x in enumerate(X):
        o, m = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
        for c, S in enumerate(covariances):
            gap, spread, weight = np.zeros(d), np.zeros((d, d)), w[i] * p[i, c]
            back = np.linalg.solve(S[np.ix_(o, o)], S[np.ix_(o, m)]).T
            gap[o] = (x - means[c])[o]
            gap[m] = back @ gap[o]
            spread[np.ix_(m, m)] = S[np.ix_(m, m)] - back @ S[np.ix_(o, m)]
            mass[c] += weight
            first[c] += weight * gap
            second[c] += weight * (np.outer(gap, gap) + spread)
    return mass, first, second
