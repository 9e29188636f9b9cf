"""Forests put together tree by tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hornbook import ExtraTreesRegressor, RandomForestClassifier
from hornbook.ensembles.forests._forest_builder import GrowingForest


def mixed(n=200):
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"a": draw.normal(size=n), "b": draw.normal(size=n), "c": draw.choice(list("xyz"), n)})
    return X, (X["a"] + (X["c"] == "x") + draw.normal(size=n) > 0).astype(int)


def same(one, other):
    for name, array in vars(one).items():
        theirs = getattr(other, name)
        np.testing.assert_array_equal(array, theirs)
        assert array.dtype == theirs.dtype
        assert array.flags.c_contiguous


# Trees of one split, of which some ask about the category and some do not; and trees that list nothing.
@pytest.mark.parametrize("n_trees", [None, 1, 12, 1000])
@pytest.mark.parametrize(
    "learner",
    [
        RandomForestClassifier(12, max_depth=1, max_features=1, random_state=0),
        RandomForestClassifier(12, random_state=0),
        RandomForestClassifier(12, splits="multiway", random_state=0),
        RandomForestClassifier(12, missing="fractional", random_state=0),
        ExtraTreesRegressor(12, categorical_features=None, max_depth=2, random_state=0),
    ],
)
def test_a_forest_is_its_trees(learner, n_trees):
    X, y = mixed()
    forest = learner.fit(X, y).forest_
    growing = GrowingForest(n_trees)
    for t in range(12):
        tree = forest.tree(t)
        if not (tree.kind >= 2).any():  # as it comes from the grower
            none = np.zeros(0, dtype=np.int32)
            tree = replace(tree, level_offset=none, levels=none)
        growing.add(tree)
        assert len(growing) == t + 1
    same(growing.so_far(), forest)
    same(growing.finished(), forest)


def test_the_forest_so_far_is_left_alone_by_trees_to_come():
    X, y = mixed()
    forest = RandomForestClassifier(6, random_state=0).fit(X, y).forest_
    growing, seen = GrowingForest(6), []
    for t in range(6):
        growing.add(forest.tree(t))
        seen.append(growing.so_far())
    last = growing.finished()
    for t, forest in enumerate(seen):
        assert len(forest) == t + 1
        same(forest.tree(t), last.tree(t))
        assert not any(np.shares_memory(vars(forest)[name], vars(last)[name]) for name in vars(last))


def test_more_nodes_than_fit_are_refused():
    X, y = mixed()
    forest = RandomForestClassifier(1, random_state=0).fit(X, y).forest_
    many = replace(forest, kind=np.broadcast_to(forest.kind[:1], 2**31 - 1))
    growing = GrowingForest(2)
    growing.add(forest)
    with pytest.raises(ValueError, match=r"nodes in all, more than 2\*\*31 - 1: grow fewer"):
        growing.add(many)
