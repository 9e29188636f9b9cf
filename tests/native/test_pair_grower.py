"""The grower of gradient pairs: every split is the best, threads change nothing, values are exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.native.trees import NAMES, options, tables
from tests.oracles.pair_tree import grow, step

from hornbook import _native

NOMINAL = (False, False, True)


def coded(columns):
    numbers = np.where(columns[0] < 0, np.nan, columns[0] * 1.5)
    kinds = np.array([-1, 6, 6], dtype=np.int32), np.array(NOMINAL)
    return _native.code_table([numbers, columns[1], columns[2]], *kinds, None, 0, 1)


def grown(table, made, g, h, *, seed=0, threads=1):
    arrays, leaf = _native.grow_pairs(_native.PairGrower(table), -g, h, made, seed, 0, threads)
    return dict(zip(NAMES, arrays, strict=True)), leaf


def pair_options(**more):
    return options(criterion="squared_error", **({"min_gain": 0.0} | more))


def large(n=70_000, columns=9, *, constant=False):
    draw = np.random.default_rng(1)
    X = [np.ascontiguousarray(c) for c in draw.normal(size=(columns, n))]
    X[2][draw.random(n) < 0.1] = np.nan
    kinds = np.full(columns, -1, dtype=np.int32), np.zeros(columns, dtype=np.bool_)
    table = _native.code_table(X, *kinds, None, 255, 1)
    g = draw.normal(size=n) - np.nan_to_num(X[0] * X[1]) + np.nan_to_num(X[2])
    return table, X, g, np.ones(n) if constant else draw.uniform(0.01, 0.25, n)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    data=tables(),
    l1=st.sampled_from([0.0, 0.7]),
    l2=st.sampled_from([0.0, 1.0]),
    gamma=st.sampled_from([0.0, 0.3]),
    fewest=st.sampled_from([1, 3]),
    lightest=st.sampled_from([0.0, 2.0]),
    leaves=st.integers(2, 8),
    seed=st.integers(0, 9),
)
def test_the_tree_is_the_one_that_trying_everything_gives(
    data, l1, l2, gamma, fewest, lightest, leaves, seed
):
    columns, y, w = data
    draw = np.random.default_rng(seed)
    g, h = draw.normal(size=len(y)) + y - 1.0, w * draw.uniform(0.1, 1.0, len(y))
    limits = {"l1": l1, "l2": l2, "gamma": gamma}
    made = pair_options(**limits, min_samples_leaf=fewest, min_weight_leaf=lightest, max_leaf_nodes=leaves)
    parts, falls = grow(columns, NOMINAL, g, h, leaves=leaves, **limits, fewest=fewest, lightest=lightest)
    assume(len(falls) < 2 or np.diff(np.sort(falls)).min() > 1e-9)  # equal gains may come in any order
    tree, leaf = grown(coded(columns), made, g, h)
    np.testing.assert_array_equal(leaf >= 0, h > 0)
    ours = {tuple(np.flatnonzero(leaf == node)) for node in np.unique(leaf)}
    assert ours == {tuple(np.sort(rows)) for rows in parts}
    for node in np.unique(leaf):
        rows = leaf == node
        assert tree["value"][node, 0] == pytest.approx(step(g[rows], h[rows], l1, l2)[0], abs=1e-12)
        assert tree["n_rows"][node] == rows.sum()
    inner = tree["kind"] > 0
    np.testing.assert_allclose(
        np.sort((tree["gain"] * tree["weight"])[inner]), np.sort(falls), rtol=1e-7, atol=1e-9
    )


@pytest.mark.parametrize("missing", ["all", "none", "some"])  # columns, in groups of eight
@pytest.mark.parametrize(("n", "quantize"), [(700, False), (70_000, False), (70_000, True)])
def test_columns_of_two_codes_are_summed_like_others(n, quantize, missing):
    """Codes that never occur change nothing: eight columns of two codes are summed at once."""
    draw = np.random.default_rng(3)
    codes = [np.ascontiguousarray(c, dtype=np.int32) for c in draw.integers(-1, 2, size=(19, n))]
    for j in range(19):
        if missing == "none" or (missing == "some" and j < 16):
            codes[j] = np.abs(codes[j])
    codes[4] = np.zeros(n, dtype=np.int32)
    codes[9] = draw.integers(0, 7, n).astype(np.int32)  # its group is not of two codes
    g, h = draw.normal(size=n) + codes[0] * codes[18] - codes[9] / 7, draw.uniform(0.1, 1.0, n)
    made = pair_options(max_leaf_nodes=15, quantize=quantize)
    trees = []
    for levels in (2, 5):
        kinds = np.full(19, levels, dtype=np.int32), np.zeros(19, dtype=np.bool_)
        kinds[0][9] = 7
        trees.append(grown(_native.code_table(codes, *kinds, None, 0, 1), made, g, h))
    assert len(trees[0][0]["kind"]) == 29
    np.testing.assert_array_equal(trees[0][1], trees[1][1])
    for name in NAMES:
        np.testing.assert_array_equal(trees[0][0][name], trees[1][0][name])


@pytest.mark.parametrize("support", [0.0, 0.0014])  # a single row is rare
@pytest.mark.parametrize("limits", [{}, {"l1": 0.4}, {"min_samples_leaf": 9, "min_weight_leaf": 4.0}])
def test_few_levels_are_searched_like_many(limits, support):
    """Levels that never occur change nothing: up to 48 are compared with each other, more are sorted."""
    draw = np.random.default_rng(2)
    codes = draw.choice(np.arange(-1, 12), p=np.r_[0.1, np.full(9, 0.08), 0.1, 0.05, 0.03], size=(10, 500))
    codes = [np.ascontiguousarray(column, dtype=np.int32) for column in codes]
    g, h = draw.normal(size=500) + np.sin(codes[0]) + np.cos(codes[8]), draw.uniform(0.1, 1.0, 500)
    made = pair_options(max_leaf_nodes=31, level_support=support, **limits)
    trees = []
    for levels in (12, 200):
        kinds = np.full(10, levels, dtype=np.int32), np.ones(10, dtype=np.bool_)
        trees.append(grown(_native.code_table(codes, *kinds, None, 0, 1), made, g, h))
    assert len(trees[0][0]["kind"]) > 9
    np.testing.assert_array_equal(trees[0][1], trees[1][1])
    for name in NAMES:
        np.testing.assert_array_equal(trees[0][0][name], trees[1][0][name])


@pytest.mark.parametrize("quantize", [False, True])
@pytest.mark.parametrize("limits", [{"max_leaf_nodes": 31}, {"max_depth": 5}, {"max_features": 3}])
def test_the_number_of_threads_changes_no_bit(quantize, limits):
    table, _, g, h = large()
    made = pair_options(quantize=quantize, min_samples_leaf=20, **({"max_depth": 6} | limits))
    (one, leaf), (many, other) = (grown(table, made, g, h, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(leaf, other)
    for name, array in one.items():
        np.testing.assert_array_equal(array, many[name])
    assert len(one["kind"]) > 20


def test_rounding_finds_nearly_the_same_splits_and_exact_values():
    table, _, g, h = large()
    trees = []
    for quantize in (False, True):
        tree, leaf = grown(table, pair_options(quantize=quantize, max_leaf_nodes=16), g, h)
        inside = np.bincount(leaf, -g, len(tree["kind"])), np.bincount(leaf, h, len(tree["kind"]))
        ends = tree["kind"] == 0
        np.testing.assert_allclose(tree["value"][ends, 0], (inside[0] / np.maximum(inside[1], 1e-9))[ends])
        trees.append((tree["gain"] * tree["weight"]).sum())
    assert trees[1] == pytest.approx(trees[0], rel=0.01)
    made = pair_options(quantize=True, max_leaf_nodes=400)
    assert not np.array_equal(grown(table, made, g, h, seed=1)[1], grown(table, made, g, h, seed=2)[1])


def test_constant_hessians_are_not_rounded():
    table, _, g, h = large(constant=True)
    whole = np.rint(g * 10).clip(-126, 126)  # multiples of a unit are not rounded either
    whole[0] = 126
    made = pair_options(max_leaf_nodes=16)
    exact = grown(table, made, whole, h)
    made.quantize = True
    for one, other in zip(exact[0].values(), grown(table, made, whole, h)[0].values(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_rows_without_curvature_are_ignored():
    table, _, g, h = large(2_000)
    h[::3] = 0.0
    tree, leaf = grown(table, pair_options(max_leaf_nodes=8), g, h)
    assert (leaf[::3] == -1).all()
    assert tree["n_rows"][0] == (h > 0).sum()
    assert tree["weight"][0] == pytest.approx(h.sum())


def test_many_columns_are_searched_in_blocks():
    draw = np.random.default_rng(0)
    X = [np.ascontiguousarray(c) for c in draw.normal(size=(300, 400))]
    kinds = np.full(300, -1, dtype=np.int32), np.zeros(300, dtype=np.bool_)
    table = _native.code_table(X, *kinds, None, 255, 1)
    g = -X[299] + 0.1 * draw.normal(size=400)
    tree, _ = grown(table, pair_options(max_leaf_nodes=2), g, np.ones(400))
    assert tree["feature"].tolist() == [299, -1, -1]


def test_what_the_grower_cannot_do_it_refuses():
    table, _, g, h = large(1_000)
    grower = _native.PairGrower(table)
    for wrong in ({"min_gain": np.nan}, {"fractional": True}, {"criterion": "gini"}):
        made = pair_options()
        for name, value in wrong.items():
            setattr(made, name, value)
        assert not _native.PairGrower.takes(table, made)
        with pytest.raises(ValueError, match="another grower"):
            _native.grow_pairs(grower, g, h, made, 0, 0, 1)
    for bad, sentence in ((np.inf, "must be finite"), (np.nan, "must be finite")):
        with pytest.raises(ValueError, match=sentence):
            _native.grow_pairs(grower, np.where(np.arange(1_000) == 7, bad, g), h, pair_options(), 0, 0, 1)
    with pytest.raises(ValueError, match=r"weight\[7\] must be a finite number"):
        _native.grow_pairs(grower, g, np.where(np.arange(1_000) == 7, -1.0, h), pair_options(), 0, 0, 1)
    with pytest.raises(ValueError, match="positive weight"):
        _native.grow_pairs(grower, g, np.zeros(1_000), pair_options(), 0, 0, 1)
    with pytest.raises(ValueError, match="one entry for each row"):
        _native.grow_pairs(grower, g[1:], h[1:], pair_options(), 0, 0, 1)


def rising(signs, **more):
    """A tree on noise around a wave, and its predictions along column 0 at random places of the others."""
    draw = np.random.default_rng(3)
    X = [np.ascontiguousarray(c) for c in draw.normal(size=(3, 3_000))]
    kinds = np.full(3, -1, dtype=np.int32), np.zeros(3, dtype=np.bool_)
    table = _native.code_table(X, *kinds, None, 64, 1)
    g = -(X[0] + np.sin(4 * X[0]) + X[1] * X[2] + 0.1 * draw.normal(size=3_000))
    h = draw.uniform(0.5, 1.5, 3_000)
    tree, leaf = grown(table, pair_options(monotone=signs, max_leaf_nodes=60, **more), g, h)
    grid = np.linspace(-3, 3, 200)
    rows = np.array([[a, *other] for other in draw.normal(size=(20, 2)) for a in grid])
    arrays = [tree[name] for name in NAMES[:7]]
    value = _native.tree_predict(
        np.zeros(1, dtype=np.int32), *arrays, tree["share"], tree["value"], rows,
        np.empty((len(rows), 0), dtype=np.int32), np.arange(3, dtype=np.int32), 1,
    )  # fmt: skip
    return tree, np.diff(value.reshape(20, 200), axis=1), (g[leaf >= 0], tree["value"][leaf, 0])


@pytest.mark.parametrize("more", [{}, {"l1": 1.0, "l2": 1.0}, {"max_depth": 4}])
def test_monotone_columns_are_monotone(more):
    _, free, _ = rising([], **more)
    assert free.min() < 0 < free.max()
    tree, up, (g, value) = rising([1, 0, 0], **more)
    assert up.min() >= 0 < up.max()
    assert np.corrcoef(-g, value)[0, 1] > 0.5  # and the tree still learns
    assert {0, 1, 2} <= set(tree["feature"])
    assert rising([-1, 0, 0], **more)[1].max() <= 0


def test_columns_used_together_are_of_one_set():
    table, _, g, h = large(20_000)
    sets = [[0, 1], [1, 2, 3]]

    def keep_to_sets(**constraint):
        tree, _ = grown(table, pair_options(max_leaf_nodes=40, **constraint), g, h)
        paths = {0: frozenset()}
        for node in np.flatnonzero(tree["kind"] > 0):
            paths[node] = paths[node] | {int(tree["feature"][node])}
            for child in (0, 1):
                paths[int(tree["first_child"][node]) + child] = paths[node]
        assert max(len(path) for path in paths.values()) > 1
        return all(any(path <= set(s) for s in sets) for path in paths.values())

    assert keep_to_sets(interactions=sets)
    assert not keep_to_sets()


def test_columns_are_drawn_for_trees_levels_and_nodes():
    table, _, g, h = large(20_000)

    def columns(**most):
        trees = []
        for seed in range(8):
            tree, _ = grown(table, pair_options(max_depth=4, **most), g, h, seed=seed)
            depth = np.zeros(len(tree["kind"]), dtype=int)
            for node in np.flatnonzero(tree["kind"] > 0):
                depth[tree["first_child"][node] + np.arange(2)] = depth[node] + 1
            inner = tree["kind"] > 0
            trees.append([set(tree["feature"][inner & (depth == d)].tolist()) for d in range(4)])
        return trees

    for tree in columns(columns_per_tree=2):
        assert len(set.union(*tree)) <= 2
    levels = columns(columns_per_level=1)
    assert all(len(level) <= 1 for tree in levels for level in tree)
    assert max(len(set.union(*tree)) for tree in levels) > 1
    assert max(len(tree[3]) for tree in columns(max_features=1)) > 2


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"monotone": [1]}, "one entry for each column"),
        ({"monotone": [2] + [0] * 8}, r"monotone\[0\] must be -1, 0 or 1"),
        ({"interactions": [[0, 9]]}, "column 9, which does not exist"),
        ({"columns_per_level": 0}, "must be at least 1"),
    ],
)
def test_constraints_that_do_not_fit_are_refused(wrong, sentence):
    table, _, g, h = large(1_000)
    with pytest.raises(ValueError, match=sentence):
        grown(table, pair_options(**wrong), g, h)
