"""Distances of rows of numbers and codes, one pair of rows at a time."""

from __future__ import annotations

import numpy as np


def distance(a, b, a_codes, b_codes, power, shares, steps, n_levels, profiles):
    """D = (total share / known share * sum_j term_j)^(1/power) over the columns j known in both rows.

    term = |a - b|^power of numbers; step of different codes; step * sum_t |P_a - P_b|^power with profiles.
    """
    numbers = ~np.isnan(a) & ~np.isnan(b)
    codes = (a_codes >= 0) & (b_codes >= 0)
    known = np.concatenate([numbers, codes])
    if not known.any():
        return np.inf
    first = np.concatenate([[0], np.cumsum(n_levels)])
    gaps = [np.abs(a - b)[numbers]]
    terms = []
    for j in np.flatnonzero(codes):
        if profiles.shape[1]:
            gap = np.abs(profiles[first[j] + a_codes[j]] - profiles[first[j] + b_codes[j]])
            terms.append(steps[j] * (gap.max() if np.isinf(power) else _powered(gap, power).sum()))
        else:
            terms.append(steps[j] * (a_codes[j] != b_codes[j]))
    if np.isinf(power):
        return max([*gaps[0], *terms])
    total = _powered(gaps[0], power).sum() + sum(terms)
    return (total * shares.sum() / shares[known].sum()) ** (1 / power if power else 1)


def _powered(gap, power):
    return (gap > 0).astype(float) if power == 0 else gap**power


def pairwise(rows, queries, power, shares, steps, n_levels, profiles):
    """All pairs; rows and queries are pairs of numbers and codes."""
    metric = (power, shares, steps, n_levels, profiles)
    pairs = [[(a, b, c, d) for b, d in zip(*rows, strict=True)] for a, c in zip(*queries, strict=True)]
    return np.array([[distance(*pair, *metric) for pair in row] for row in pairs])


def nearest(distances, k):
    """Distances and indices of the k smallest of each row; of two equal ones the lower index first."""
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    nearest_distances = np.take_along_axis(distances, order, axis=1)
    return nearest_distances, np.where(np.isinf(nearest_distances), -1, order)
