"""What forests keep of a tree, in plain NumPy."""

from __future__ import annotations

import numpy as np


def leaf_answers(tree, *, shares):
    """Rows of the answers of leaves in the place of children, and those answers."""
    leaf = tree["kind"] == 0
    value = tree["value"][leaf]
    value = value / value.sum(axis=1, keepdims=True) if shares else value
    return np.where(leaf, np.cumsum(leaf) - 1, tree["first_child"]), value


def impurity_shares(tree, n_columns):
    """Weight times impurity of a node less that of its children, summed by column, scaled to sum 1."""
    mass, decrease = tree["weight"] * tree["impurity"], np.zeros(n_columns)
    for i in np.flatnonzero(tree["kind"]):
        levels = tree["level_offset"][i + 1] - tree["level_offset"][i]
        first = tree["first_child"][i]
        below = mass[first : first + (levels if tree["kind"][i] == 3 else 2)]
        decrease[tree["feature"][i]] += mass[i] - below.sum()
    decrease = np.maximum(decrease, 0.0)
    return decrease / (decrease.sum() or 1.0)
