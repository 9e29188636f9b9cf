"""Trees on numbers: whichever quick search a node gets, its cut is the best there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import grown, options

from hornbook import _native


def coded(X):
    kind = np.full(X.shape[1], -1, dtype=np.int32)
    columns = [np.ascontiguousarray(X[:, j]) for j in range(X.shape[1])]
    return _native.code_table(columns, kind, np.zeros(X.shape[1], dtype=bool), None, 0, 1)


def gains(left, whole):
    """Falls of the Gini index by cuts; the rows of `left` hold the class weights of their left sides."""
    kept = sum((side**2).sum(axis=1) / side.sum(axis=1) for side in (left, whole - left))
    return (kept - (whole**2).sum() / whole.sum()) / whole.sum()


def cuts(x, classes):
    """All cuts of a column: class weights and rows on the left, threshold, child of the missing values."""
    known = np.flatnonzero(~np.isnan(x))
    order = known[np.argsort(x[known], kind="stable")]
    lacking, sorted_x = classes[np.isnan(x)], x[order]
    at = np.flatnonzero(sorted_x[1:] > sorted_x[:-1])
    left, rows = np.cumsum(classes[order], axis=0)[at], at + 1
    threshold, child = (sorted_x[at] + sorted_x[at + 1]) / 2, np.full(len(at), -1)
    if not len(lacking):
        return left, rows, threshold, child
    both = np.stack([left + lacking.sum(axis=0), left], axis=1).reshape(-1, classes.shape[1])
    rows = np.stack([rows + len(lacking), rows], axis=1).ravel()
    only = bool(len(known))
    return (
        np.vstack([both, classes[known].sum(axis=0)[None][:only]]),
        np.append(rows, [len(known)][:only]),
        np.append(np.repeat(threshold, 2), [np.inf][:only]),
        np.append(np.tile([0, 1], len(at)), [1][:only]),
    )


def best_cut(X, y, w, least_rows=1, least_weight=0.0):
    """(gain, column, threshold, child of missing values) of the first of the best cuts by the Gini index."""
    classes = w[:, None] * (y[:, None] == np.unique(y))
    whole = classes.sum(axis=0)
    best = None
    for j in range(X.shape[1]):
        left, rows, threshold, child = cuts(X[:, j], classes)
        light = np.minimum(left.sum(axis=1), (whole - left).sum(axis=1))
        allowed = (np.minimum(rows, len(y) - rows) >= least_rows) & (light >= least_weight)
        for i, gain in zip(np.flatnonzero(allowed), gains(left[allowed], whole), strict=True):
            if best is None or gain > best[0] + 1e-12:
                best = gain, j, threshold[i], child[i]
    return best


def check(X, y, w, **limits):
    """Grows two trees, of which the second keeps no histograms, and looks at all nodes."""
    table, made = coded(X), options(criterion="gini", min_samples_leaf=limits.get("least_rows", 1))
    made.min_weight_leaf = limits.get("least_weight", 0.0)
    trees = [grown(table, made, label=y, n_classes=y.max() + 1, weight=w)]
    made.max_leaf_nodes = len(y)
    trees.append(grown(table, made, label=y, n_classes=y.max() + 1, weight=w))
    waiting = [((0, 0), np.arange(len(y)))]
    while waiting:
        nodes, rows = waiting.pop()
        best = best_cut(X[rows], y[rows], w[rows], **limits) if len(set(y[rows])) > 1 else None
        for tree, node in zip(trees, nodes, strict=True):
            assert bool(tree["kind"][node]) == (best is not None)
            if best is not None:
                check_node(tree, node, best)
        if best is None:
            continue
        _, column, threshold, missing_child = best
        right = (X[rows, column] > threshold) | (np.isnan(X[rows, column]) & (missing_child == 1))
        first = [tree["first_child"][node] for tree, node in zip(trees, nodes, strict=True)]
        waiting += [((first[0] + c, first[1] + c), rows[right == c]) for c in (0, 1)]
    return trees[0]


def check_node(tree, node, best):
    gain, column, threshold, missing_child = best
    assert tree["gain"][node] == pytest.approx(gain, abs=1e-12)
    assert (tree["feature"][node], tree["threshold"][node]) == pytest.approx((column, threshold))
    if missing_child >= 0:
        assert tree["missing_child"][node] == missing_child


def drawn(n, columns, seed, values=None, classes=2):
    """Numbers with a signal; `values` is about how many different ones a column has."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, columns))
    if values:
        X = np.floor(X * values / 6)
    signal = X[:, 0] + X[:, columns // 2] ** 2 + draw.normal(size=n)
    y = np.searchsorted(np.linspace(0, 2, classes + 1)[1:-1], signal).astype(np.int32)
    return X, y, draw.integers(1, 4, n).astype(float)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    n=st.integers(2, 40),
    columns=st.integers(1, 19),
    seed=st.integers(0, 10**6),
    values=st.sampled_from([None, 2, 12]),
    classes=st.sampled_from([2, 3, 9]),
    least=st.sampled_from([1, 2, 5]),
)
def test_few_rows(n, columns, seed, values, classes, least):
    check(*drawn(n, columns, seed, values, classes), least_rows=least)


@pytest.mark.parametrize("n", [128, 129, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("values", [None, 40])
@pytest.mark.parametrize("classes", [2, 3, 5, 20])
@pytest.mark.parametrize("limits", [{}, {"least_rows": 3}, {"least_weight": 7.0}], ids=str)
def test_more_rows(n, values, classes, limits):
    assert len(check(*drawn(n, 9, n, values, classes), **limits)["kind"]) > 9


@pytest.mark.parametrize("n", [20, 300, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("values", [None, 40])
@pytest.mark.parametrize("classes", [2, 3, 5, 20])
@pytest.mark.parametrize("limits", [{}, {"least_rows": 3}, {"least_weight": 7.0}], ids=str)
def test_rows_that_lack_values_go_to_the_better_side(n, values, classes, limits):
    X, y, w = drawn(n, 5, n, values, classes)
    X[np.random.default_rng(n).random(X.shape) < [0.0, 0.02, 0.1, 0.5, 0.99]] = np.nan
    assert check(X, y, w, **limits)["kind"].any()


@pytest.mark.parametrize("classes", [2, 3, 5, 20])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("limits", [{}, {"least_rows": 3}, {"least_weight": 7.0}], ids=str)
def test_weights_that_are_not_whole(classes, gaps, limits):
    X, y, _ = drawn(1500, 5, 8, None, classes)
    draw = np.random.default_rng(classes)
    X[draw.random(X.shape) < gaps] = np.nan
    assert check(X, y, draw.uniform(0.3, 2.0, len(y)), **limits)["kind"].any()


@pytest.mark.parametrize("classes", [3, 20])
def test_rare_classes_and_sides_of_few_rows(classes):
    """A cut may be best because of a handful of rows at an end of a column, or of rows in one place."""
    X, y, w = drawn(2000, 6, 5, None, classes)
    y[:] = 0
    for k in range(1, classes):
        y[np.argsort(X[:, k % 6])[:k] if k % 2 else np.argsort(abs(X[:, k % 6]))[:k]] = k
    assert check(X, y, w)["kind"].any()


@pytest.mark.parametrize("classes", [5, 20])
def test_threads_change_nothing(classes):
    X, y, w = drawn(20_000, 9, 4, None, classes)
    X[np.random.default_rng(4).random(X.shape) < 0.05] = np.nan
    table, made = coded(X), options(criterion="gini", min_samples_leaf=2)
    one, two = (
        grown(table, made, label=y, n_classes=classes, weight=w, threads=threads) for threads in (1, 2)
    )
    for name in one:
        np.testing.assert_array_equal(one[name], two[name])


@pytest.mark.parametrize("n", [100, 600])
@pytest.mark.parametrize("classes", [2, 3, 80])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_heavy_and_light_rows_grow_the_same_tree(n, classes, criterion):
    X, y, w = drawn(n, 10, 3, None, classes)
    table, made = coded(X), options(criterion=criterion, max_features=9)
    tree = grown(table, made, label=y, n_classes=classes, weight=w)
    for times in (256, 1 / 256, 2.0**-262, 2.0**200):
        other = grown(table, made, label=y, n_classes=classes, weight=w * times)
        for name in ("feature", "threshold", "n_rows"):
            np.testing.assert_array_equal(tree[name], other[name])


def best_fall(X, z, w, least_rows):
    """The largest fall of the weighted mean square by one cut, trying all; None if there is no cut."""
    centered = z - np.average(z, weights=w)
    best = None
    for x in X.T:
        order = np.argsort(x, kind="stable")
        sums, weights = np.cumsum((w * centered)[order]), np.cumsum(w[order])
        rows = np.arange(1, len(z))
        cuts = (np.diff(x[order]) > 0) & (np.minimum(rows, len(z) - rows) >= least_rows)
        left, heavy = sums[:-1][cuts], weights[:-1][cuts]
        if len(left):
            fall = (left**2 / heavy + left**2 / (w.sum() - heavy)).max() / w.sum()
            best = fall if best is None else max(best, fall)
    return best


@pytest.mark.parametrize("n", [2, 7, 60, 128, 400])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize("values", [None, 12])
def test_numbers(n, weighted, least, values):
    X, y, whole = drawn(n, 11, n, values)
    z = y + np.random.default_rng(n).normal(size=n)
    w = whole / 3 if weighted else np.ones(n)
    made = options(criterion="squared_error", min_samples_leaf=least)
    tree = grown(coded(X), made, total=z * w, weight=w if weighted else None)
    waiting = [(0, np.arange(n))]
    while waiting:
        node, rows = waiting.pop()
        best = best_fall(X[rows], z[rows], w[rows], least) if len(rows) > 1 else None
        assert bool(tree["kind"][node]) == (best is not None)
        if best is None:
            continue
        assert tree["gain"][node] == pytest.approx(best, rel=1e-9)
        right = X[rows, tree["feature"][node]] > tree["threshold"][node]
        first = tree["first_child"][node]
        waiting += [(first, rows[~right]), (first + 1, rows[right])]
