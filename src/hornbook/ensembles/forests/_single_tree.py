"""One tree of a forest, grown again, and as a learner of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from hornbook.base import Learner
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._grow_trees import ForestRows, Growth
from hornbook.frame import Schema
from hornbook.trees import DecisionTreeClassifier, DecisionTreeRegressor, FittedTree

__all__ = ["TreeLearner", "as_learner", "grown_again", "require_first_tree", "require_rows"]

_TABLE_ATTRIBUTES = ("schema_", "n_features_in_", "feature_names_in_", "target_name_", "classes_")
TreeLearner: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


def as_learner(forest: Learner, schema: Schema, tree: FittedTree) -> TreeLearner:
    """A decision tree with the parameters of the forest as far as it has them, fitted to this tree."""
    kind = DecisionTreeClassifier if hasattr(forest, "classes_") else DecisionTreeRegressor
    # Class weights are already in the nodes, and may be of a kind that single trees do not take.
    known = set(kind().get_params()) - {"class_weight"}
    learner = kind(**{name: getattr(forest, name) for name in known if hasattr(forest, name)})
    for name in _TABLE_ATTRIBUTES:
        if hasattr(forest, name):
            setattr(learner, name, getattr(forest, name))
    learner.tree_schema_, learner.tree_ = schema, tree
    return learner


def grown_again(growth: Growth, forest: FittedForest, first: int, count: int) -> Iterator[FittedTree]:
    """Trees with all statistics of their nodes; an error if they are not those of the forest."""
    for t, tree in enumerate(growth.trees(first, count), first):
        if not _same_tree(growth.slim(tree), forest.tree(t)):
            raise ValueError(
                f"tree {t} cannot be grown again: rows, target, weights or parameters are not "
                "those of the fit: pass the same table."
            )
        yield tree


def require_rows(rows: ForestRows, n_rows: int, method: str) -> ForestRows:
    """The rows, after a check that there are as many as in the fit."""
    if len(rows) != n_rows:
        raise ValueError(
            f"{method} needs the {n_rows} rows of the fit, but X has {len(rows)}: pass the same table."
        )
    return rows


def require_first_tree(growth: Growth, forest: FittedForest, method: str) -> None:
    """Reject rows from which the first tree does not grow: the seed then does not determine their samples."""
    (first,) = growth.trees(0, 1)
    if not _same_tree(growth.slim(first), forest.tree(0)):
        raise ValueError(
            f"{method} needs the rows of the fit, but these grow another tree: pass the same table, "
            "target and weights, in the same order."
        )


def _same_tree(one: FittedForest, other: FittedForest) -> bool:
    """Whether two trees have the same splits and values, up to rounding on other machines."""
    pairs = [
        (vars(one)[name], vars(other)[name]) for name in vars(one) if name != "cover"
    ]  # not in old files
    return all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=0.0, equal_nan=True) for a, b in pairs
    )
