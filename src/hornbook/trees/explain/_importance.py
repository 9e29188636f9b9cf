"""Impurity-based importance of the columns of a tree (Breiman, Friedman, Olshen and Stone 1984)."""

from __future__ import annotations

import numpy as np

from hornbook import _native
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree

__all__ = ["impurity_importance"]


def impurity_importance(tree: FittedTree, n_columns: int) -> Floats:
    """Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf.

    A tree out of a forest for numbers lacks the impurities. The variance between its leaves replaces them:
    the decreases are the same, as what the rows of a leaf differ among themselves is left by every split.
    """
    return _native.impurity_shares(
        tree.kind,
        tree.feature,
        tree.first_child,
        tree.level_offset,
        tree.weight,
        tree.impurity if len(tree.impurity) else _between_leaves(tree),
        n_columns,
    )


def _between_leaves(tree: FittedTree) -> Floats:
    """Variance of the values of the leaves below each node, by their weight."""
    spread, above, depth = np.zeros(len(tree)), tree.parent, tree.depth
    for level in range(int(depth.max()), 0, -1):  # by deviations, as the difference of squares would cancel
        nodes = np.flatnonzero(depth == level)
        # The law of total variance: a node's variance is that within its children plus that of their means.
        away = tree.value[nodes, 0] - tree.value[above[nodes], 0]
        part = tree.weight[nodes] / tree.weight[above[nodes]]
        np.add.at(spread, above[nodes], part * (spread[nodes] + away**2))
    return spread
