"""Stumps on sorted rows are the trees of depth 1 that the grower grows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_tree_codes import table_of
from tests.native.trees import NAMES, options
from tests.oracles import tree as oracle

from hornbook import _native

CRITERIA = ["gini", "misclassification", "squared_error"]


def both(table, criterion, y, w, threads=1, n_classes=2):
    """The stump and its leaves by either kernel."""
    numbers = criterion == "squared_error"
    n_classes = 0 if numbers else n_classes
    label, total = (None, y * (1.0 if w is None else w)) if numbers else (y.astype(np.int32), None)
    made = options(criterion=criterion, max_depth=1)
    slow = _native.grow_tree_with_leaves(table, label, n_classes, total, w, made, 0, 0, threads)
    rows = _native.sort_rows(table, threads)
    return _native.grow_stump(table, rows, label, n_classes, total, w, criterion, threads), slow


def check(fast, slow):
    weight = slow[0][NAMES.index("weight")]
    even = len(weight) == 3 and np.isclose(weight[1], weight[2], rtol=1e-12)
    for name, one, other in zip(NAMES, fast[0], slow[0], strict=True):
        # Missing values go to the heavier child; which of two even ones that is, rounding decides.
        skipped = int(name == "missing_child" and even)
        np.testing.assert_allclose(one[skipped:], other[skipped:], rtol=1e-9, atol=1e-11, err_msg=name)
    np.testing.assert_array_equal(fast[1], slow[1])


@st.composite
def small(draw, n_classes=2):
    """Numbers with ties, a target and weights, some of them 0."""
    n, d = draw(st.integers(2, 40)), draw(st.integers(1, 4))
    many = draw(st.sampled_from([2, 5, 1000]))
    X = np.array(
        draw(st.lists(st.lists(st.integers(0, many), min_size=d, max_size=d), min_size=n, max_size=n))
    )
    y = np.array(draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n)))
    w = draw(st.sampled_from(["none", "whole", "any"]))
    if w == "none":
        return X / 4, y, None
    weights = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)
    weights[0] = max(weights[0], 1.0)
    return X / 4, y, weights if w == "whole" else weights / 7


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(derandomize=True, max_examples=120, deadline=None)
@given(data=small())
def test_small_tables(criterion, data):
    X, y, w = data
    fast, slow = both(table_of(X), criterion, y * 3.0 + X[:, 0] if criterion == "squared_error" else y, w)
    check(fast, slow)


@settings(derandomize=True, max_examples=120, deadline=None)
@given(data=small(n_classes=5))
def test_small_tables_of_many_classes(data):
    X, y, w = data
    check(*both(table_of(X), "gini", y, w, n_classes=6))  # one class has no row


def test_two_sides_of_even_weight():
    w = np.array([1, 0, 3, 0, 0, 0, 0, 0, 1, 1, 3, 2, 3, 3, 3]) / 7
    X = np.zeros((15, 1))
    X[[2, 9, 10, 14]] = 0.25
    check(*both(table_of(X), "gini", np.arange(15) == 11, w))


@pytest.mark.parametrize("seed", range(20))
def test_rows_of_weight_0_at_the_end_are_no_side_of_a_cut(seed):
    draw = np.random.default_rng(seed)
    X = np.sort(draw.normal(size=(15, 1)), axis=0)
    w = draw.dirichlet(np.ones(15))
    w[-4:] = 0.0
    y = np.arange(15) % 3
    fast, slow = both(table_of(X), "gini", y, w, n_classes=3)
    check(fast, slow)
    assert (fast[0][NAMES.index("weight")] > 0).all()


@settings(derandomize=True, max_examples=60, deadline=None)
@given(data=small(), criterion=st.sampled_from(["gini", "misclassification"]))
def test_no_cut_gains_more(data, criterion):
    """By the plain search of the oracle."""
    X, y, w = data
    weights = np.ones(len(y)) if w is None else w
    (arrays, _), _ = both(table_of(X), criterion, y, w)
    made = dict(zip(NAMES, arrays, strict=True))
    gains = all_gains(X, y, weights, criterion)
    if len(made["kind"]) == 1:
        assert not gains or len(np.unique(y[weights > 0])) == 1
    else:
        assert made["gain"][0] == pytest.approx(max(gains), abs=1e-9)


def all_gains(X, y, w, criterion):
    gains = []
    for column in X.T:
        for cut in np.unique(column[w > 0])[:-1]:
            left = column <= cut
            table = np.array([np.bincount(y[side], w[side], minlength=2) for side in (left, ~left)])
            gains.append(oracle.gain(table, criterion))
    return gains


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("ties", [False, True])
def test_large_tables_on_threads(criterion, ties):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(20_000, 5))
    X = np.round(X, 1) if ties else X
    y = (X[:, 2] + draw.normal(size=20_000) > 0).astype(np.int32)
    w = draw.random(20_000) * (draw.random(20_000) > 0.1)
    target = X[:, 1] + y if criterion == "squared_error" else y
    fast, slow = both(table_of(X), criterion, target, w)
    check(fast, slow)
    again, _ = both(table_of(X), criterion, target, w, threads=3)
    for one, other in zip(fast[0], again[0], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("ties", [False, True])
def test_large_tables_of_many_classes_on_threads(ties):
    draw = np.random.default_rng(1)
    X = draw.normal(size=(20_000, 5))
    X = np.round(X, 1) if ties else X
    y = np.digitize(X[:, 2] + draw.normal(size=20_000), np.linspace(-2, 2, 25))
    w = draw.exponential(size=20_000) ** 4 * (draw.random(20_000) > 0.1)  # as boosting makes them
    fast, slow = both(table_of(X), "gini", y, w, n_classes=26)
    check(fast, slow)
    again, _ = both(table_of(X), "gini", y, w, threads=3, n_classes=26)
    for one, other in zip(fast[0], again[0], strict=True):
        np.testing.assert_array_equal(one, other)


def test_wrong_arguments_are_refused():
    table, other = table_of(np.arange(6.0).reshape(3, 2)), table_of(np.arange(4.0).reshape(2, 2))
    gap = table_of(np.array([[1.0], [np.nan], [2.0]]))
    label, rows = np.array([0, 1, 1], dtype=np.int32), _native.sort_rows(table, 1)
    with pytest.raises(ValueError, match="lack no value"):
        _native.sort_rows(gap, 1)
    with pytest.raises(ValueError, match="rows must be those of the table"):
        _native.grow_stump(other, rows, label[:2], 2, None, None, "gini", 1)
    with pytest.raises(ValueError, match="criterion must be"):
        _native.grow_stump(table, rows, label, 2, None, None, "entropy", 1)
    with pytest.raises(ValueError, match="criterion must be gini for more than two classes"):
        _native.grow_stump(table, rows, label, 3, None, None, "misclassification", 1)
    with pytest.raises(ValueError, match="n_classes must be at least 2 for labels"):
        _native.grow_stump(table, rows, label, 1, None, None, "gini", 1)
    with pytest.raises(ValueError, match="class below 2"):
        _native.grow_stump(table, rows, label + 1, 2, None, None, "gini", 1)
    with pytest.raises(ValueError, match="positive weight"):
        _native.grow_stump(table, rows, label, 2, None, np.zeros(3), "gini", 1)
