"""Pairs of categories within classes, and AODE from their logarithms."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp


def pair_counts(codes, y, w, n_levels, parents, n_classes):
    """Sum of w over the rows with class c, level a of a parent column, and level b of any column."""
    w = np.ones(len(codes)) if w is None else w
    hot = [(codes[:, j, None] == np.arange(m)) for j, m in enumerate(n_levels)]
    every = np.concatenate([np.empty((len(codes), 0)), *hot], axis=1).astype(float)
    of = np.concatenate([np.empty((len(codes), 0)), *(hot[p] for p in parents)], axis=1).astype(float)
    return np.concatenate([(of * (w * (y == c))[:, None]).T @ every for c in range(n_classes)])


def aode_joint(codes, n_levels, log_parent, log_pair, usable, extra):
    """log sum_i exp(log_parent[x_i] + extra_i + sum_j log_pair[x_i, x_j]) over the usable x_i of each row."""
    starts, levels = np.cumsum([0, *n_levels[:-1]]), sum(n_levels)
    n_classes = log_parent.shape[1]
    joint, parents = np.full((len(codes), n_classes), -np.inf), np.zeros(len(codes), np.int32)
    for r, row in enumerate(codes):
        known = [(j, starts[j] + code) for j, code in enumerate(row) if code >= 0]
        terms = []
        for j, a in known:
            if usable[a]:
                more = 0.0 if extra is None else extra[r, j * n_classes : (j + 1) * n_classes]
                terms.append(log_parent[a] + more + sum(log_pair[a * levels + b] for _, b in known))
        parents[r] = len(terms)
        if terms:
            with np.errstate(divide="ignore"):
                joint[r] = logsumexp(terms, axis=0)
    return joint, parents
