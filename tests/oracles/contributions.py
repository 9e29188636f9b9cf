"""Shapley values of the columns of one row by trying every set of columns, in plain NumPy."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np


def expected(tree, row, known, node=0):
    """Prediction if only the `known` columns are: v(S), others branch by training weight. NaN is missing."""
    j, first = tree["feature"][node], tree["first_child"][node]
    listed = tree["levels"][tree["level_offset"][node] : tree["level_offset"][node + 1]].tolist()
    many = [0, 2, 2, len(listed)][tree["kind"][node]]
    below = range(first, first + many)
    if not many:
        return tree["value"][node]
    if j not in known:
        shares = tree["weight"][list(below)] / tree["weight"][list(below)].sum()
    elif np.isnan(row[j]):
        missing = tree["missing_child"][node]
        shares = tree["share"][list(below)] if missing < 0 else np.eye(many)[missing]
    else:
        if tree["kind"][node] == 3 and row[j] not in listed:
            return tree["value"][node]  # no branch: the row stays
        above, unlisted = row[j] > tree["threshold"][node], row[j] not in listed
        child = [above, unlisted, listed.index(row[j]) if not unlisted else 0][tree["kind"][node] - 1]
        shares = np.eye(many)[int(child)]
    return sum(s * expected(tree, row, known, c) for s, c in zip(shares, below, strict=True))


def interactions(tree, row):
    """phi_i = sum_S |S|!(d-|S|-1)!/d! (v(S+i) - v(S)); half of phi_ij, by second differences, each."""
    d = len(row)
    v = {s: expected(tree, row, s) for n in range(d + 1) for s in map(frozenset, combinations(range(d), n))}
    out = np.zeros((d, d, *np.shape(v[frozenset()])))
    for (i, j), s in ((p, s) for p in combinations(range(d), 2) for s in v if not s & set(p)):
        change = v[s | {i, j}] - v[s | {i}] - v[s | {j}] + v[s]
        both = factorial(len(s)) * factorial(d - len(s) - 2) / factorial(d - 1) / 2 * change
        out[i, j], out[j, i] = out[i, j] + both, out[j, i] + both
    for i, s in ((i, s) for i in range(d) for s in v if i not in s):
        share = factorial(len(s)) * factorial(d - len(s) - 1) / factorial(d)
        out[i, i] += share * (v[s | {i}] - v[s])
    out[np.diag_indices(d)] -= out.sum(axis=1) - out[np.diag_indices(d)]
    return out, v[frozenset()]
