"""How much each column of a tree takes away from the impurity."""

from __future__ import annotations

import numpy as np

from hornbook.base import Floats
from hornbook.trees._fitted import FittedTree

__all__ = ["impurity_importance"]


def impurity_importance(tree: FittedTree, n_columns: int) -> Floats:
    """Share of each column in the fall of impurity, weighted by rows; all 0 for a single leaf."""
    above, leaf = tree.parent, tree.is_leaf
    mass = tree.weight * tree.impurity
    fall = np.where(leaf, 0.0, mass)
    np.subtract.at(fall, above[1:], mass[1:])
    inner = ~leaf
    found = np.bincount(tree.feature[inner], weights=fall[inner], minlength=n_columns)
    found = np.maximum(found, 0.0)
    return np.asarray(found / (found.sum() or 1.0))
