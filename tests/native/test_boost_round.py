"""Rounds of boosting: the same as tree by tree, and trees that are kept as they have grown."""

from __future__ import annotations

import numpy as np
import pytest
from tests.native.test_pair_grower import pair_options
from tests.native.trees import NAMES

from hornbook import _native

RATE, SMALLEST = 0.3, 1e-16
PARTS = ("roots", "kind", "feature", "threshold", "first_child", "missing_child", "level_offset", "levels")


def mixed_table(n=300):
    draw = np.random.default_rng(0)
    numbers, levels = draw.normal(size=n), draw.integers(-1, 5, n).astype(np.int32)
    numbers[draw.random(n) < 0.1] = np.nan
    kinds = np.array([-1, 5], dtype=np.int32), np.array([False, True])
    table = _native.code_table([numbers, levels], *kinds, None, 32, 1)
    return table, np.nan_to_num(numbers) + 0.5 * levels, draw


def tree_by_tree(table, made, y, w, scores):
    """A round as its parts make it: the scores after it, and the trees."""
    grower, trees, after = _native.PairGrower(table), [], scores.copy()
    n_scores, n = scores.shape
    sums, weights, top, norm = (np.empty(n) for _ in range(4))
    _native.softmax_norms(scores, top, norm, 1)
    for k in range(n_scores):
        if y.dtype == np.float64:
            _native.squared_error_pairs(scores[0], y, w, sums, weights, None, None, 1)
        elif n_scores == 1:
            _native.log_loss_pairs(scores[0], y, w, sums, weights, None, None, 1, SMALLEST)
        else:
            _native.softmax_pairs(scores[k], y, k, w, top, norm, sums, weights, 1, SMALLEST)
        arrays, leaf = _native.grow_pairs(grower, sums, weights, made, 7, 4 + k, 1, True)
        trees.append(dict(zip(NAMES, arrays, strict=True)))
        steps = RATE * trees[-1]["value"][:, 0]
        after[k] += np.where(leaf >= 0, steps[leaf], 0.0)
    return after, trees


def one_round(table, made, y, w, scores):
    """The same in one call."""
    trees, (n_scores, n) = _native.GrownTrees(), scores.shape
    scores, sums, weights, norms = scores.copy(), np.empty(n), np.empty(n), (None, None)
    if y.dtype == np.float64:
        _native.squared_error_pairs(scores[0], y, w, sums, weights, None, None, 1)
    elif n_scores == 1:
        _native.log_loss_pairs(scores[0], y, w, sums, weights, None, None, 1, SMALLEST)
    else:
        norms = np.empty(n), np.empty(n)
        _native.softmax_norms(scores, *norms, 1)
    boost = _native.boost_numbers if y.dtype == np.float64 else _native.boost_classes
    rows = (scores, y, w, sums, weights, *norms)
    boost(_native.PairGrower(table), trees, *rows, made, 7, 4, 1, True, RATE, SMALLEST)
    return scores, trees


@pytest.mark.parametrize("n_scores", [0, 1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_round_is_its_trees_one_after_the_other(n_scores, weighted):
    table, signal, draw = mixed_table()
    n = len(signal)
    y = signal + draw.normal(size=n)
    if n_scores:
        y = np.digitize(y, [0.0] if n_scores == 1 else [-0.5, 0.5]).astype(np.int32)
    w = draw.integers(0, 3, n).astype(np.float64) if weighted else None
    scores = 0.1 * draw.normal(size=(max(n_scores, 1), n))
    made = pair_options(max_leaf_nodes=8, min_samples_leaf=5)
    expected, grown = tree_by_tree(table, made, y, w, scores)
    after, trees = one_round(table, made, y, w, scores)
    counted = slice(None) if w is None else w > 0  # the scores of other rows are not kept
    np.testing.assert_array_equal(after[:, counted], expected[:, counted])
    assert len(trees) == len(grown)
    for t, tree in enumerate(grown):
        part = dict(zip((*PARTS, "step", "cover"), trees.part(t, t + 1), strict=True))
        leaf = tree["kind"] == 0
        for name in ("kind", "feature", "threshold", "missing_child", "levels"):
            np.testing.assert_array_equal(part[name], tree[name])
        np.testing.assert_array_equal(part["first_child"][~leaf], tree["first_child"][~leaf])
        np.testing.assert_array_equal(part["first_child"][leaf], np.arange(leaf.sum()))
        np.testing.assert_array_equal(part["step"][:, 0], RATE * tree["value"][leaf, 0])
        np.testing.assert_array_equal(part["cover"], tree["n_rows"][leaf])
    total = np.zeros(2)
    for tree in grown:
        inner = tree["feature"] >= 0
        np.add.at(total, tree["feature"][inner], (tree["weight"] * tree["gain"])[inner])
    np.testing.assert_allclose(trees.gains(2), total, rtol=1e-14)


def test_parts_of_the_trees_are_numbered_from_their_first_node():
    table, signal, _draw = mixed_table()
    y = np.digitize(signal, [-0.5, 0.5]).astype(np.int32)
    made = pair_options(max_leaf_nodes=8, min_samples_leaf=5)
    _, trees = one_round(table, made, y, None, np.zeros((3, len(y))))
    alone = [trees.part(t, t + 1) for t in range(3)]
    together = trees.part(0, 3)
    np.testing.assert_array_equal(together[0], np.cumsum([0] + [len(tree[1]) for tree in alone[:2]]))
    np.testing.assert_array_equal(together[7], np.concatenate([tree[7] for tree in alone]))
    np.testing.assert_array_equal(together[8], np.concatenate([tree[8] for tree in alone]))
    second = trees.part(1, 3)
    np.testing.assert_array_equal(second[1], np.concatenate([tree[1] for tree in alone[1:]]))
    assert second[0][0] == 0
    assert second[6][0] == 0
    assert [len(part) for part in trees.part(2, 2)] == [0] * 10


def node_arrays(**more):
    leaf = {
        "kind": np.zeros(1, np.uint8),
        "feature": np.full(1, -1, np.int32),
        "threshold": np.full(1, np.nan),
        "first_child": np.zeros(1, np.int32),
        "missing_child": np.full(1, -1, np.int32),
        "level_offset": np.zeros(2, np.int32),
        "levels": np.zeros(0, np.int32),
        "n_rows": np.ones(1, np.int32),
        "weight": np.ones(1),
        "gain": np.zeros(1),
        "step": np.ones(1),
    }
    return {**leaf, **more}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"feature": np.zeros(2, np.int32)}, "feature must have one entry for each node"),
        ({"level_offset": np.zeros(3, np.int32)}, "one entry more than there are nodes"),
        ({"level_offset": np.array([0, 4], np.int32)}, "must end where levels end"),
        ({"level_offset": np.array([1, 0], np.int32)}, "must start at 0"),
        ({"first_child": np.array([3], np.int32)}, "must be a later node, or the node itself"),
        ({"step": np.zeros(0)}, "step must have one entry for each node"),
    ],
)
def test_trees_that_do_not_fit_together_are_refused(wrong, sentence):
    trees = _native.GrownTrees()
    trees.add(**node_arrays())
    with pytest.raises(ValueError, match=sentence):
        trees.add(**node_arrays(**wrong))
    assert len(trees) == 1


def test_what_is_not_there_is_refused():
    trees = _native.GrownTrees()
    trees.add(**node_arrays(kind=np.ones(1, np.uint8), feature=np.full(1, 3, np.int32)))
    for first, last in ((-1, 1), (0, 2), (1, 0), (2**62, 2**63 - 1)):
        with pytest.raises(ValueError, match="not among the 1 that there are"):
            trees.part(first, last)
    with pytest.raises(ValueError, match="splits on column 3 of 2"):
        trees.gains(2)
