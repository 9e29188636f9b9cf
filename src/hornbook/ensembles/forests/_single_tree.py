"""One tree of a forest, as a learner of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.trees import DecisionTreeClassifier, DecisionTreeRegressor, FittedTree

__all__ = ["as_learner", "same_tree"]

_ABOUT_THE_TABLE = ("schema_", "n_features_in_", "feature_names_in_", "target_name_", "classes_")


def as_learner(forest: Any, tree: FittedTree) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """A decision tree with the parameters of the forest as far as it has them, fitted to this tree."""
    kind = DecisionTreeClassifier if hasattr(forest, "classes_") else DecisionTreeRegressor
    # Weights of classes are in the nodes already, and may be of a kind that single trees do not know.
    known = set(kind().get_params()) - {"class_weight"}
    learner = kind(**{name: getattr(forest, name) for name in known if hasattr(forest, name)})
    for name in _ABOUT_THE_TABLE:
        if hasattr(forest, name):
            setattr(learner, name, getattr(forest, name))
    learner.tree_schema_, learner.tree_ = forest.forest_schema_, tree
    return learner


def same_tree(one: FittedForest, other: FittedForest) -> bool:
    """Whether two trees ask the same questions and give the same answers, up to rounding elsewhere."""
    pairs = [(vars(one)[name], vars(other)[name]) for name in vars(one)]
    return all(
        mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=1e-9, atol=0.0, equal_nan=True)
        for mine, theirs in pairs
    )
