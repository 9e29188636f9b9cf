"""The trees of gradient boosting as one set of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import FittedForest
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

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    sizes = np.array([len(tree) for tree in trees])
    roots = np.cumsum(sizes) - sizes
    kind, levels = joined("kind"), joined("levels")
    leaf = kind == LEAF
    below = joined("first_child") + np.repeat(roots, sizes)
    offset = np.zeros(0, dtype=np.int32)
    if len(levels):
        listed = np.array([len(tree.levels) for tree in trees])
        ends = np.concatenate([tree.level_offset[1:] for tree in trees])
        offset = np.append(0, ends + np.repeat(np.cumsum(listed) - listed, sizes)).astype(np.int32)
    return BoostedTrees(
        roots=roots.astype(np.int32),
        kind=kind,
        feature=joined("feature"),
        threshold=joined("threshold"),
        first_child=np.where(leaf, np.cumsum(leaf) - 1, below).astype(np.int32),
        missing_child=joined("missing_child"),
        level_offset=offset,
        levels=levels,
        share=np.zeros(0),
        value=np.concatenate(values)[leaf][:, None],
        cover=joined("n_rows")[leaf].astype(np.float64),
    )
