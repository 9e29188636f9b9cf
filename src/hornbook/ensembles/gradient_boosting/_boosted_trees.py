"""The trees of gradient boosting as one set of arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from hornbook._native import GrownTrees
from hornbook.ensembles.forests._fitted_forest import FittedForest, ForestCells
from hornbook.ensembles.forests._forest_builder import GrowingForest
from hornbook.params import Floats, Shape

__all__ = ["BoostedTrees", "boosted_trees"]

_FEW_ROWS = 8  # for which a call takes longer than the trees of a class


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

    def add_scores(self, cells: ForestCells, z: Floats, n_threads: int) -> Floats:
        """Add what the trees add to the scores of several classes in turn; in place."""
        n_scores = z.shape[1]
        if len(cells) <= _FEW_ROWS:  # one call for all classes; sums are in the order of the trees, too
            z += self.answers(cells, n_threads, turns=n_scores)
            return z
        for k in range(n_scores):
            z[:, k] += self.every(k, n_scores).answers(cells, n_threads)[:, 0]
        return z

    def followed_by(self, others: BoostedTrees) -> BoostedTrees:
        """These trees and then the others."""
        growing = GrowingForest(len(self) + len(others))
        growing.add(self)
        growing.add(others)
        return BoostedTrees(**vars(growing.finished()))


def boosted_trees(grown: GrownTrees, first: int, last: int) -> BoostedTrees:
    """Trees first, ..., last - 1 of those that have grown."""
    arrays = grown.part(first, last)
    return BoostedTrees(*arrays[:8], np.zeros(0), *arrays[8:])  # no shares: rows go to one child
