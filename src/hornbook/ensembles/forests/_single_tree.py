"""One tree of a forest, grown once more, and as a learner of its own."""

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

_ABOUT_THE_TABLE = ("schema_", "n_features_in_", "feature_names_in_", "target_name_", "classes_")
TreeLearner: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


def as_learner(forest: Learner, schema: Schema, tree: FittedTree) -> TreeLearner:
    """A decision tree with the parameters of the forest as far as it has them, fitted to this tree."""
    kind = DecisionTreeClassifier if hasattr(forest, "classes_") else DecisionTreeRegressor
    # Weights of classes are in the nodes already, and may be of a kind that single trees do not know.
    known = set(kind().get_params()) - {"class_weight"}
    learner = kind(**{name: getattr(forest, name) for name in known if hasattr(forest, name)})
    for name in _ABOUT_THE_TABLE:
        if hasattr(forest, name):
            setattr(learner, name, getattr(forest, name))
    learner.tree_schema_, learner.tree_ = schema, tree
    return learner


def grown_again(growth: Growth, forest: FittedForest, first: int, count: int) -> Iterator[FittedTree]:
    """Trees with all that is known of their nodes; refused if they are not those of the forest."""
    for t, tree in enumerate(growth.trees(first, count), first):
        if not _same_tree(growth.slim(tree), forest.tree(t)):
            raise ValueError(
                f"tree {t} cannot be grown again: rows, target, weights or parameters are not "
                "those of the fit: pass the same table."
            )
        yield tree


def require_rows(rows: ForestRows, n_rows: int, asked: str) -> ForestRows:
    """The rows, unless they cannot be those of the fit, because there were more or fewer."""
    if len(rows) != n_rows:
        raise ValueError(
            f"{asked} needs the {n_rows} rows of the fit, but X has {len(rows)}: pass the same table."
        )
    return rows


def require_first_tree(growth: Growth, forest: FittedForest, asked: str) -> None:
    """Refuse rows from which the first tree does not grow: the seed does not tell who has seen them."""
    (first,) = growth.trees(0, 1)
    if not _same_tree(growth.slim(first), forest.tree(0)):
        raise ValueError(
            f"{asked} needs the rows of the fit, but from these grows another tree: pass the same table, "
            "target and weights, in the same order."
        )


def _same_tree(one: FittedForest, other: FittedForest) -> bool:
    """Whether two trees ask the same questions and give the same answers, up to rounding elsewhere."""
    pairs = [(vars(one)[name], vars(other)[name]) for name in vars(one)]
    return all(
        mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-9, atol=0.0, equal_nan=True)
        for mine, theirs in pairs
    )
