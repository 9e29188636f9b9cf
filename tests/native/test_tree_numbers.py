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


def best_cut(X, y, w, least_rows=1, least_weight=0.0):
    """(gain, column, threshold) of the first of the best cuts by the Gini index, trying all; None if none."""
    classes = w[:, None] * (y[:, None] == np.unique(y))
    whole = classes.sum(axis=0)
    found = None
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        x, left = X[order, j], np.cumsum(classes[order], axis=0)
        rows = np.arange(1, len(x))
        heavy = np.minimum(left.sum(axis=1), (whole - left).sum(axis=1))[:-1]
        for i in np.flatnonzero((x[1:] > x[:-1]) & (np.minimum(rows, len(x) - rows) >= least_rows)):
            if heavy[i] < least_weight:
                continue
            sides = np.array([left[i], whole - left[i]])
            kept = ((sides**2).sum(axis=1) / sides.sum(axis=1)).sum() - (whole**2).sum() / whole.sum()
            gain = kept / whole.sum()
            if found is None or gain > found[0] + 1e-12:
                found = gain, j, (x[i] + x[i + 1]) / 2
    return found


def check(X, y, w, **limits):
    made = options(criterion="gini", min_samples_leaf=limits.get("least_rows", 1))
    made.min_weight_leaf = limits.get("least_weight", 0.0)
    tree = grown(coded(X), made, label=y, n_classes=y.max() + 1, weight=w)
    waiting = [(0, np.arange(len(y)))]
    while waiting:
        node, rows = waiting.pop()
        best = best_cut(X[rows], y[rows], w[rows], **limits) if len(set(y[rows])) > 1 else None
        assert bool(tree["kind"][node]) == (best is not None)
        if best is None:
            continue
        assert tree["gain"][node] == pytest.approx(best[0], abs=1e-12)
        assert (tree["feature"][node], tree["threshold"][node]) == pytest.approx(best[1:])
        right = X[rows, best[1]] > best[2]
        first = tree["first_child"][node]
        waiting += [(first, rows[~right]), (first + 1, rows[right])]
    return tree


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


@pytest.mark.parametrize("n", [128, 129, 1000])
@pytest.mark.parametrize("values", [None, 40])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("limits", [{}, {"least_rows": 3}, {"least_weight": 7.0}], ids=str)
def test_more_rows(n, values, classes, limits):
    assert len(check(*drawn(n, 9, n, values, classes), **limits)["kind"]) > 9


@pytest.mark.parametrize("n", [100, 600])
@pytest.mark.parametrize("classes", [2, 3, 80])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_heavy_rows_grow_the_same_tree(n, classes, criterion):
    X, y, w = drawn(n, 10, 3, None, classes)
    table, made = coded(X), options(criterion=criterion)
    light, heavy, odd = (
        grown(table, made, label=y, n_classes=classes, weight=w * times) for times in (1, 256, 1 / 256)
    )
    for name in ("feature", "threshold", "n_rows"):
        np.testing.assert_array_equal(light[name], heavy[name])
        np.testing.assert_array_equal(light[name], odd[name])


def best_fall(X, z, w, least_rows):
    """The largest fall of the weighted mean square by one cut, trying all; None if there is no cut."""
    centred = z - np.average(z, weights=w)
    found = None
    for x in X.T:
        order = np.argsort(x, kind="stable")
        sums, weights = np.cumsum((w * centred)[order]), np.cumsum(w[order])
        rows = np.arange(1, len(z))
        cuts = (np.diff(x[order]) > 0) & (np.minimum(rows, len(z) - rows) >= least_rows)
        left, heavy = sums[:-1][cuts], weights[:-1][cuts]
        if len(left):
            fall = (left**2 / heavy + left**2 / (w.sum() - heavy)).max() / w.sum()
            found = fall if found is None else max(found, fall)
    return found


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
