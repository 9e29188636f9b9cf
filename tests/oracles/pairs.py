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


def aode_terms(codes, n_levels, log_parent, log_pair, usable, extra):
    """log_parent[x_i] + extra_i + sum_j log_pair[x_i, x_j] for each i; -inf where x_i is not usable."""
    starts, levels = np.cumsum([0, *n_levels[:-1]]), sum(n_levels)
    terms = np.full((*codes.shape, log_parent.shape[1]), -np.inf)
    for r, row in enumerate(codes):
        known = [(j, starts[j] + code) for j, code in enumerate(row) if code >= 0]
        for j, a in known:
            if usable[a]:
                more = 0.0 if extra is None else extra[r].reshape(terms.shape[1:])[j]
                terms[r, j] = log_parent[a] + more + sum(log_pair[a * levels + b] for _, b in known)
    return terms


def aode_joint(codes, n_levels, usable, terms):
    """log sum_i exp(term_i) over the usable x_i of each row, and how many there are."""
    starts = np.cumsum([0, *n_levels[:-1]])
    parents = [sum(usable[starts[j] + code] for j, code in enumerate(row) if code >= 0) for row in codes]
    with np.errstate(divide="ignore"):
        joint = logsumexp(terms, axis=1) if terms.shape[1] else np.full((len(codes), terms.shape[2]), -np.inf)
    return joint, np.array(parents, np.int32)
