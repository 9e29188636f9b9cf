"""The trees of the rounds as learners of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._single_tree import as_kept, as_learner

__all__ = ["RoundTrees"]


class RoundTrees:
    """The trees of all rounds; members of another kind are an attribute, which comes first."""

    def __get__(self, booster: Any, _: type) -> Any:
        if booster is None:
            return self
        if "forest_" not in vars(booster):
            raise AttributeError(f"{type(booster).__name__} has no estimators_: it has no trees yet.")
        return _trees_of(booster)


def _trees_of(booster: Any) -> NDArray[np.object_]:
    """A row of trees for each round, one for each score."""
    forest, n_scores = booster.forest_, len(booster.base_score_)
    trees = np.empty(len(forest), dtype=object)
    for t in range(len(forest)):
        tree = as_kept(forest.tree(t), classes=False)
        trees[t] = as_learner(booster, booster.boosted_schema_, tree, numbers=True)
    return trees.reshape(-1, n_scores)
