"""Threads, weights, random choices and limits of the grower."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_tree_codes import table_of
from tests.native.trees import coded, grown, options, tables

from hornbook import _native


def big(n=9000, d=5, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d))
    X[draw.random(X.shape) < 0.05] = np.nan
    X[:, 3] = draw.integers(0, 7, n)
    y = (np.nan_to_num(X[:, 0]) + draw.normal(size=n) > 0).astype(np.int32)
    return X, y + (X[:, 3] == 3)


def same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


SETTINGS = [
    {},
    {"criterion": "entropy", "max_features": 2},
    {"random_thresholds": True, "max_features": 3},
    {"pick": "top_k", "top_k": 20},
    {"pick": "proportional", "min_samples_leaf": 20},
    {"pick": "top_k", "top_k": 20, "max_random_splits": 6},
    {"max_leaf_nodes": 50},
    {"fractional": True, "max_depth": 5},
    {"columns_per_tree": 2},
    {"draw_order": True},
]


@pytest.mark.parametrize("extra", SETTINGS, ids=lambda extra: "-".join(extra) or "default")
@pytest.mark.parametrize("max_bins", [0, 32])
def test_threads_do_not_matter(extra, max_bins):
    X, y = big()
    table, made = table_of(X, max_bins=max_bins), options(**extra)
    trees = [grown(table, made, label=y.astype(np.int32), n_classes=3, threads=t) for t in (1, 2, 5)]
    same(trees[0], trees[1])
    same(trees[0], trees[2])
    assert len(trees[0]["kind"]) > 20


def test_threads_do_not_matter_for_numbers():
    X, y = big()
    table, total = table_of(X), y + np.nan_to_num(X[:, 1])
    trees = [grown(table, options(criterion="squared_error"), total=total, threads=t) for t in (1, 3)]
    same(*trees)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(data=tables(), multiway=st.booleans(), criterion=st.sampled_from(["gini", "entropy", "gain_ratio"]))
def test_whole_weights_equal_repeated_rows(data, multiway, criterion):
    columns, y, w = data
    made = options(criterion=criterion, multiway=multiway)
    weighted = grown(coded(columns), made, label=y, n_classes=3, weight=w)
    often = w.astype(int)
    repeated = grown(coded(np.repeat(columns, often, axis=1)), made, label=np.repeat(y, often), n_classes=3)
    for name in set(weighted) - {"n_rows"}:
        np.testing.assert_array_equal(weighted[name], repeated[name], err_msg=name)


def test_rows_of_weight_zero_are_not_there():
    X, y = big(300)
    w = (np.arange(300) % 3).astype(np.float64)
    made = options()
    kept = w > 0
    one = grown(table_of(X, w=w), made, label=y.astype(np.int32), n_classes=3, weight=w)
    other = grown(table_of(X[kept]), made, label=y[kept].astype(np.int32), n_classes=3, weight=w[kept])
    same(one, other)


def test_random_choices_follow_the_key():
    X, y = big(1000)
    table, made = table_of(X), options(random_thresholds=True, max_features=1)
    label = y.astype(np.int32)
    same(
        grown(table, made, label=label, n_classes=3, seed=5),
        grown(table, made, label=label, n_classes=3, seed=5),
    )
    other = grown(table, made, label=label, n_classes=3, seed=6)
    assert other["threshold"][0] != grown(table, made, label=label, n_classes=3, seed=5)["threshold"][0]


def test_drawn_thresholds_are_even_between_the_ends():
    X = np.array([[0.0], [1.0], [10.0]])
    y = np.array([0, 1, 0], dtype=np.int32)
    made = options(random_thresholds=True, max_depth=1)
    at = np.array(
        [grown(table_of(X), made, label=y, n_classes=2, seed=s)["threshold"][0] for s in range(400)]
    )
    assert ((at >= 0) & (at < 10)).all()
    assert abs(at.mean() - 5) < 4 * 10 / np.sqrt(12 * 400)


def test_one_of_the_best_splits_is_drawn():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(200, 2))
    y = (X[:, 0] > 0).astype(np.int32)
    table = table_of(X)
    splits = {
        float(
            grown(table, options(pick="top_k", top_k=3, max_depth=1), label=y, n_classes=2, seed=s)[
                "threshold"
            ][0]
        )
        for s in range(60)
    }
    assert len(splits) == 3  # of one column, whose thresholds compete one by one
    best = grown(table, options(max_depth=1), label=y, n_classes=2)["threshold"][0]
    assert best in splits


def test_splits_are_drawn_in_proportion_to_their_gain():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    y = np.array([0, 0, 1, 1], dtype=np.int32)
    made = options(criterion="entropy", pick="proportional", max_depth=1)
    drawn = [grown(table_of(X), made, label=y, n_classes=2, seed=s)["feature"][0] for s in range(600)]
    share = 1 / (1 + 1 - 0.75 * (-(1 / 3) * np.log2(1 / 3) - 2 / 3 * np.log2(2 / 3)))
    assert abs(np.mean(np.array(drawn) == 0) - share) < 4 * np.sqrt(share * (1 - share) / 600)


def test_random_splits_come_at_the_top_and_end_there():
    X, y = big(2000)
    table, label = table_of(X), y.astype(np.int32)
    none = options(pick="top_k", top_k=20, max_random_splits=0)
    same(grown(table, none, label=label, n_classes=3), grown(table, options(), label=label, n_classes=3))


def test_drawn_rows_count_as_often_as_they_are_drawn():
    X, y = big(500)
    table, label, made = table_of(X), y.astype(np.int32), options(max_features=2)
    for t in range(4, 7):
        drawn = _native.grow_tree(table, label, 3, None, None, made, 9, t, 1, 500)
        counts = _native.bootstrap_counts(9, t, 500, 500)
        assert counts.sum() == 500
        counted = _native.grow_tree(table, label, 3, None, counts.astype(np.float64), made, 9, t, 1)
        for one, other in zip(drawn, counted, strict=True):
            np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="draws must be at least 0 and at most"):
        _native.grow_tree(table, label, 3, None, None, made, 9, 0, 1, -1)


def test_options_are_copied():
    made = options(max_features=2)
    other = _native.TreeOptions(made)
    other.max_features = 3
    assert (made.max_features, other.max_features) == (2, 3)


def test_rows_of_whole_weight_are_drawn_like_repeated_rows():
    w = np.array([2, 0, 1, 3])
    until = np.cumsum(w)
    for t in range(20):
        weighted = _native.bootstrap_counts(5, t, 4, 6, until)
        repeated = _native.bootstrap_counts(5, t, 6, 6)
        np.testing.assert_array_equal(weighted, [repeated[:2].sum(), 0, repeated[2], repeated[3:].sum()])


@pytest.mark.parametrize(
    ("until", "message"), [([3, 2], "ascend"), ([0, 0], "end above 0"), ([1], "one entry for each row")]
)
def test_wrong_running_sums_are_refused(until, message):
    with pytest.raises(ValueError, match=message):
        _native.bootstrap_counts(0, 0, 2, 2, np.array(until))


def test_wrong_targets_are_refused():
    table, y = table_of(np.zeros((2, 1))), np.array([0, 2], dtype=np.int32)
    with pytest.raises(ValueError, match="class below 2; got 2"):
        grown(table, options(), label=y, n_classes=2)
    with pytest.raises(ValueError, match="does not suit"):
        grown(table, options(criterion="squared_error"), label=y, n_classes=3)
    with pytest.raises(ValueError, match="weight"):
        grown(table, options(), label=y, n_classes=3, weight=np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match="at least one row"):
        grown(table, options(), label=y, n_classes=3, weight=np.zeros(2))
    with pytest.raises(ValueError, match="two branches"):
        grown(table, options(criterion="cart", multiway=True), label=y, n_classes=3)
    with pytest.raises(ValueError, match="no criterion named x"):
        options(criterion="x")
    with pytest.raises(ValueError, match="one entry for each row"):
        grown(table, options(), label=y[:1], n_classes=3)


def test_equal_gains_go_to_the_first_column_or_to_any():
    x = np.random.default_rng(0).normal(size=200)
    table, y = table_of(np.column_stack([x, x, x])), (x > 0.3).astype(np.int32)
    used = {False: set(), True: set()}
    for draw_order, columns in used.items():
        for tree in range(60):
            made = options(draw_order=draw_order)
            columns.add(int(_native.grow_tree(table, y, 2, None, None, made, 0, tree, 1)[1][0]))
    assert used == {False: {0}, True: {0, 1, 2}}
    # Where gains differ, the order changes nothing.
    X, y = big(300)
    kept = {
        draw_order: grown(table_of(X), options(draw_order=draw_order, max_depth=3), label=y, n_classes=3)
        for draw_order in (False, True)
    }
    same(kept[False], kept[True])
