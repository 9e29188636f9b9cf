"""Small trees give many rows the values that they give a few: every node at once, or down the tree."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import Frame, _native
from hornbook.trees import Grower, GrowerSettings, NumberTarget, SampleSize
from hornbook.trees._fitted import FittedTree

N = 1_500


def table(kind):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(N, 6))
    if kind == "floats":
        X = X.astype(np.float32).astype(np.float64)
    if kind == "close":  # numbers that single precision cannot tell apart, on both sides of thresholds
        X = 1.0 + np.round(draw.normal(size=(N, 6)), 1) * 1e-9
    if kind == "gaps":
        X[draw.random(X.shape) < 0.2] = np.nan
    if kind == "far":
        X = X * 10.0 ** draw.integers(-50, 300, (1, 6))
    frame = Frame(X)
    if kind == "levels":
        X[:, 0], X[:, 1] = draw.integers(0, 9, N), draw.integers(0, 200, N)
        X[draw.random(X.shape) < 0.1] = np.nan
        frame = Frame(Frame(X), kinds={0: "nominal", 1: "nominal"})
    return frame, np.nan_to_num(X[:, 0] - X[:, 1] * X[:, 2])


def predicted(trees, rows):
    roots = np.cumsum([0, *(len(tree) for tree in trees)])[:-1].astype(np.int32)
    levels = np.cumsum([0, *(len(tree.levels) for tree in trees)])[:-1]

    def all_of(name):
        return np.concatenate([getattr(tree, name) for tree in trees])

    children = np.concatenate([tree.first_child + root for tree, root in zip(trees, roots, strict=True)])
    offsets = [tree.level_offset[:-1] + first for tree, first in zip(trees, levels, strict=True)]
    return _native.tree_predict(
        roots,
        all_of("kind"),
        all_of("feature"),
        all_of("threshold"),
        children.astype(np.int32),
        all_of("missing_child"),
        np.concatenate([*offsets, [sum(len(tree.levels) for tree in trees)]]).astype(np.int32),
        all_of("levels"),
        all_of("share"),
        all_of("value"),
        rows.numbers,
        rows.codes,
        rows.schema.places,
        2,
    )


@pytest.mark.parametrize("kind", ["floats", "doubles", "close", "gaps", "far", "levels"])
@pytest.mark.parametrize("leaves", [2, 32, 33, 64, 65])
def test_many_rows_get_what_few_rows_get(kind, leaves):
    frame, y = table(kind)
    how = GrowerSettings("Tree", "squared_error", max_leaf_nodes=leaves)
    grower = Grower.of(frame, how, SampleSize.of(None, N), bin_weights=None, seed=0, n_threads=1)
    trees: list[FittedTree] = []
    for shift in (0.0, 0.3, 1.0):
        trees.append(grower.tree(NumberTarget.of(np.sin(y + shift), None, "squared_error")))
    assert max(int(tree.is_leaf.sum()) for tree in trees) == leaves
    few = np.concatenate([predicted(trees, frame[first : first + 100]) for first in range(0, N, 100)])
    np.testing.assert_array_equal(predicted(trees, frame), few)
