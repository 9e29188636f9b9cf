"""Impurity-based importance of the columns of a tree (Breiman, Friedman, Olshen and Stone 1984)."""

from __future__ import annotations

from hornbook import _native
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree

__all__ = ["impurity_importance"]


def impurity_importance(tree: FittedTree, n_columns: int) -> Floats:
    """Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf."""
    return _native.impurity_shares(
        tree.kind,
        tree.feature,
        tree.first_child,
        tree.level_offset,
        tree.weight,
        tree.impurity,
        n_columns,
    )
