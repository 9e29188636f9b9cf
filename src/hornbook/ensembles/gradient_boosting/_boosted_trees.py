"""The trees of gradient boosting as one set of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from hornbook.ensembles.forests._fitted_forest import FittedForest, joined_nodes
from hornbook.ensembles.forests._forest_builder import GrowingForest
from hornbook.params import Floats, Shape
from hornbook.trees import LEAF, FittedTree

__all__ = ["BoostedTrees", "boosted_trees"]


@dataclass(frozen=True)
class BoostedTrees(FittedForest):
    """Trees one after the other, each of which adds to one score.

    Parameters
    ----------
    value : ndarray of shape (n_answers, 1)
        What each leaf adds, the learning rate included. The other arrays are those of `FittedForest`.
    """

    value: Annotated[Floats, Shape("n_answers", 1)]

    def every(self, first: int, step: int) -> BoostedTrees:
        """The trees of one score, for predictions; they share the nodes of all."""
        return replace(self, roots=np.ascontiguousarray(self.roots[first::step]))

    def followed_by(self, others: BoostedTrees) -> BoostedTrees:
        """These trees and then the others."""
        growing = GrowingForest(len(self) + len(others))
        growing.add(self)
        growing.add(others)
        return BoostedTrees(**vars(growing.finished()))


def boosted_trees(trees: Sequence[FittedTree], values: Sequence[Floats]) -> BoostedTrees:
    """Grown trees with what each of their nodes adds; all at once, as a fit has many small ones."""
    nodes = joined_nodes(trees)
    leaf = nodes["kind"] == LEAF
    nodes["first_child"] = np.where(leaf, np.cumsum(leaf) - 1, nodes["first_child"]).astype(np.int32)
    rows = np.concatenate([tree.n_rows for tree in trees])
    return BoostedTrees(
        **nodes, value=np.concatenate(values)[leaf][:, None], cover=rows[leaf].astype(np.float64)
    )
