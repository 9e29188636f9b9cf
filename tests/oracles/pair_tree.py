"""A tree for gradient pairs grown best split first, by trying everything, in plain NumPy."""

from __future__ import annotations

import numpy as np
from tests.oracles.tree import branches, with_missing


def step(g, h, l1, l2):
    """The best step of a node, and twice what it takes off the loss."""
    pull = np.sign(-g.sum()) * max(abs(g.sum()) - l1, 0.0)
    return pull / (h.sum() + l2), pull**2 / (h.sum() + l2)


def best_split(columns, nominal, g, h, *, l1, l2, fewest, lightest):
    """The largest decrease and the rows on one side of it, or None."""
    base, candidates = step(g, h, l1, l2)[1], []
    for codes, unordered in zip(columns, nominal, strict=True):
        missing = codes < 0
        if unordered:  # levels in the order of their steps; a missing value is one more level
            levels = sorted(np.unique(codes), key=lambda c: -g[codes == c].sum() / (h[codes == c].sum() + l2))
            first = [np.isin(codes, levels[:k]) for k in range(1, len(levels))]
            splits = [[side, ~side] for side in first]
        else:
            splits = [way for s in branches(codes, nominal=False) for way in with_missing(s, missing)]
            splits += [[~missing, missing]] if missing.any() and not missing.all() else []
        for sides in splits:
            if all(side.sum() >= fewest and h[side].sum() >= lightest for side in sides):
                candidates.append((sum(step(g[s], h[s], l1, l2)[1] for s in sides) - base, sides[0]))
    return max(candidates, key=lambda pair: pair[0], default=None)


def grow(columns, nominal, g, h, *, leaves, gamma, **penalties):
    """The rows of each leaf, and twice the decrease of each split."""
    parts, falls = [np.arange(len(g))], []
    while len(parts) < leaves:
        best = [best_split(columns[:, rows], nominal, g[rows], h[rows], **penalties) for rows in parts]
        values = [b[0] if b and b[0] > max(2 * gamma, 1e-9) else -np.inf for b in best]
        at = int(np.argmax(values))
        if values[at] == -np.inf:
            break
        rows, falls = parts.pop(at), [*falls, values[at]]
        parts += [rows[best[at][1]], rows[~best[at][1]]]
    return parts, falls
