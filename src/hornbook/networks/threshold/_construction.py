"""Units and layers by construction: conjunctions, disjunctions, regions, trees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook.networks.threshold._layers import ThresholdLayers, Units
from hornbook.params import Floats
from hornbook.trees import FittedTree

__all__ = ["all_of", "any_of", "layers_of_tree"]


def all_of(terms: Floats, units: Units) -> tuple[Floats, Floats]:
    """Units that fire when every input has the value that a row of terms requires: 1, 0, or NaN for any.

    With inputs 0 and 1 the weights are +1 and -1 and the threshold is the number of ones less 1/2; with
    inputs -1 and +1, it is the number of required values less 1.
    """
    weights = np.where(np.isnan(terms), 0.0, np.where(terms == 1, 1.0, -1.0))
    ones, required = (terms == 1).sum(axis=1), (~np.isnan(terms)).sum(axis=1)
    return weights, ones - 0.5 if units == "binary" else required - 1.0


def any_of(members: NDArray[np.bool_], units: Units) -> tuple[Floats, Floats]:
    """Units that fire when at least one of their inputs, marked in a row, does."""
    weights, count = members.astype(np.float64), members.sum(axis=1)
    return weights, np.full(len(members), 0.5) if units == "binary" else 1.0 - count


def layers_of_tree(tree: FittedTree, n_columns: int, n_classes: int, units: Units) -> ThresholdLayers:
    """A network with the regions of a tree (Sethi 1990): splits, leaves, and classes of leaves.

    With two classes there is one output, which fires for the second.
    """
    inner, leaves = np.flatnonzero(~tree.is_leaf), np.flatnonzero(tree.is_leaf)
    planes, thresholds = np.zeros((max(1, len(inner)), n_columns)), np.zeros(max(1, len(inner)))
    planes[np.arange(len(inner)), tree.feature[inner]] = 1.0
    thresholds[: len(inner)] = tree.threshold[inner]
    place = np.full(len(tree), -1)
    place[inner] = np.arange(len(inner))
    terms = np.full((len(leaves), len(planes)), np.nan)
    parent = tree.parent
    for row, leaf in zip(terms, leaves.tolist(), strict=True):
        node = leaf
        while parent[node] >= 0:  # from the leaf up to the root
            above = int(parent[node])
            row[place[above]] = float(node != tree.first_child[above])
            node = above
    owner = tree.value[leaves].argmax(axis=1)
    wanted = np.arange(n_classes) if n_classes > 2 else np.array([1])
    members = owner == wanted[:, None]
    return ThresholdLayers.of([(planes, thresholds), all_of(terms, units), any_of(members, units)])
