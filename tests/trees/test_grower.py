"""One grower for all targets: its trees, and the leaf of every row."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, Frame
from hornbook.ensembles.forests._bootstrap import bootstrap_of
from hornbook.trees import (
    ClassTarget,
    GradientTarget,
    Grower,
    GrowerSettings,
    NumberTarget,
    SampleSize,
    settings_of,
)


def table(n=400):
    draw = np.random.default_rng(3)
    X = draw.normal(size=(n, 4))
    X[:, 3] = draw.integers(0, 5, n)
    X[draw.random(X.shape) < 0.1] = np.nan
    return Frame(Frame(X), kinds={3: "nominal"}), np.nan_to_num(X[:, 0]) + draw.normal(size=n)


def grower_of(frame, criterion, w=None, *, n_threads=2, **settings):
    how = GrowerSettings("Tree", criterion, **settings)
    size = SampleSize.of(w, len(frame))
    return Grower.of(frame, how, size, bin_weights=w, seed=5, n_threads=n_threads)


TARGETS = {
    "classes": ("entropy", lambda y, w: ClassTarget.of((y > 0).astype(np.int32) + (y > 1), 3, w)),
    "numbers": ("squared_error", lambda y, w: NumberTarget.of(y, w, "squared_error")),
    "medians": ("absolute_error", lambda y, w: NumberTarget.of(y, w, "absolute_error")),
    "pairs": ("squared_error", lambda y, w: GradientTarget.of(-y, np.ones(len(y)), w)),
}
HOW = [
    {},
    {"splits": "multiway", "max_depth": 4},
    {"missing": "fractional", "max_depth": 4},
    {"max_leaf_nodes": 9},
    {"max_bins": 8},
    {"thresholds": "random", "max_features": 2},
]


@pytest.mark.parametrize("extra", HOW, ids=lambda extra: "-".join(extra) or "default")
@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("weighted", [False, True])
def test_leaves_are_those_that_apply_gives(kind, extra, weighted):
    frame, y = table()
    criterion, target_of = TARGETS[kind]
    w = (np.arange(len(y)) % 4).astype(float) if weighted else None
    grower, target = grower_of(frame, criterion, w, **extra), target_of(y, w)
    tree, leaves = grower.tree_and_leaves(target)
    np.testing.assert_array_equal(leaves, tree.apply(frame, 1))
    assert tree.value.shape == (len(tree), target.n_outputs)
    for one, other in zip(vars(tree).values(), vars(grower.tree(target)).values(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_drawn_trees_give_leaves_of_rows_they_have_not_seen():
    frame, y = table()
    grower, target = grower_of(frame, "squared_error"), NumberTarget.of(y, None, "squared_error")
    draws = bootstrap_of(5, len(y), None, 0.5)
    tree, leaves = grower.tree_and_leaves(target, 3, draws=draws)
    np.testing.assert_array_equal(leaves, tree.apply(frame, 1))
    np.testing.assert_array_equal(tree.value, grower.tree(target, 3, draws=draws).value)
    assert tree.weight[0] == 200


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=3), DecisionTreeRegressor(max_depth=3)])
def test_learners_grow_the_same_trees(learner):
    frame, y = table()
    target = y if isinstance(learner, DecisionTreeRegressor) else (y > 0).astype(np.int32)
    learner.fit(frame, target)
    settings = settings_of(learner)
    assert (settings.learner, settings.max_depth) == (type(learner).__name__, 3)
    how = grower_of(frame, settings.criterion, max_depth=3)
    made = (
        NumberTarget.of(y, None, settings.criterion)
        if isinstance(learner, DecisionTreeRegressor)
        else ClassTarget.of(target, 2, None)
    )
    tree = how.tree(made)
    np.testing.assert_array_equal(tree.threshold, learner.nodes_.threshold)
    np.testing.assert_array_equal(tree.value, learner.nodes_.value)


def test_parts_of_a_target_are_those_of_its_rows():
    y, w, rows = np.array([1.0, 5.0, 3.0]), np.array([1.0, 2.0, 1.0]), np.array([2, 0])
    part = NumberTarget.of(y, w, "squared_error").part(rows)
    assert part.shift == 3.5
    np.testing.assert_array_equal(part.sums, [-0.5, -2.5])
    np.testing.assert_array_equal(part.w, [1.0, 1.0])
    assert ClassTarget.of(np.array([0, 1, 1]), 2, None).part(rows).codes.tolist() == [1, 0]
