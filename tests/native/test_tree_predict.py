"""Rows sent down trees, and trees that must not be followed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import ARRAYS, coded, grown, options, rows_of, tables, walk

from hornbook import _native


def predicted(tree, columns, value=None, roots=(0,)):
    parts = [tree[name] for name in ARRAYS]
    answers = tree["value"] if value is None else value
    return _native.tree_predict(np.array(roots, dtype=np.int32), *parts, answers, *rows_of(columns), 2)


def applied(tree, columns):
    parts = [tree[name] for name in ARRAYS]
    return _native.tree_apply(np.array([0], dtype=np.int32), *parts, *rows_of(columns), 2)[:, 0]


@settings(derandomize=True, max_examples=60, deadline=None)
@given(data=tables(), multiway=st.booleans(), fractional=st.booleans())
def test_answers_are_those_of_the_leaves_reached(data, multiway, fractional):
    columns, y, w = data
    made = options(criterion="entropy", multiway=multiway, fractional=fractional)
    tree = grown(coded(columns), made, label=y, n_classes=3, weight=w)
    shares = tree["value"] / tree["value"].sum(axis=1, keepdims=True)
    expected = np.zeros((len(y), 3))
    for node, rows in walk(tree, columns, np.ones(len(y))):
        if tree["kind"][node] == 0:
            expected += rows[:, None] * shares[node]
    # The walk starts with every row whole, so parts are those of weight 1 in the shares of the fit.
    if not (fractional and (columns < 0).any()):
        np.testing.assert_allclose(predicted(tree, columns, shares), expected, atol=1e-12)
        np.testing.assert_allclose(shares[applied(tree, columns)], expected, atol=1e-12)
    np.testing.assert_allclose(predicted(tree, columns, shares).sum(axis=1), 1.0, atol=1e-12)


def test_parts_of_a_row_by_hand():
    # Three of four known rows go left; the row without a value gets 3/4 of one leaf and 1/4 of the other.
    columns = np.array([[0, 0, 0, 1, -1], [0] * 5, [0] * 5], dtype=np.int32)
    y = np.array([0, 0, 0, 1, 1], dtype=np.int32)
    tree = grown(coded(columns), options(criterion="entropy", fractional=True), label=y, n_classes=2)
    assert tree["gain"][0] == pytest.approx(0.8 * -(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25)))
    np.testing.assert_allclose(tree["share"], [1.0, 0.75, 0.25])
    np.testing.assert_allclose(tree["value"][1:], [[3.0, 0.75], [0.0, 1.25]])
    shares = tree["value"] / tree["value"].sum(axis=1, keepdims=True)
    expected = 0.75 * shares[1] + 0.25 * shares[2]
    np.testing.assert_allclose(predicted(tree, columns, shares)[4], expected)


def test_trees_are_summed():
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    np.testing.assert_array_equal(predicted(tree, columns, roots=(0, 0)), 2 * predicted(tree, columns))


def test_levels_without_a_branch_stay_where_they_are():
    columns = np.array([[0] * 4, [0] * 4, [0, 0, 2, 2]], dtype=np.int32)
    y = np.array([0, 0, 1, 1], dtype=np.int32)
    tree = grown(coded(columns), options(multiway=True), label=y, n_classes=2)
    other = np.array([[0], [0], [1]], dtype=np.int32)
    assert applied(tree, other).tolist() == [0]
    np.testing.assert_array_equal(predicted(tree, other), [[2.0, 2.0]])


WRONG = {
    "kind": (0, 9, "at most 3"),
    "feature": (0, 3, "must be a column"),
    "first_child": (0, 0, "later node"),
    "missing_child": (0, 2, "-1 or a child"),
    "level_offset": (1, 99, "ascend"),
}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_trees_from_elsewhere_are_checked_before_the_first_row(name):
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    place, value, message = WRONG[name]
    tree[name] = tree[name].copy()
    tree[name][place] = value
    with pytest.raises(ValueError, match=message):
        predicted(tree, columns)


def test_leaves_must_have_an_answer_and_sets_a_coded_column():
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    with pytest.raises(ValueError, match="row of the answers"):
        predicted(tree, columns, tree["value"][:2].copy())
    sets = {**tree, "kind": np.array([2, 0, 0], dtype=np.uint8)}
    with pytest.raises(ValueError, match="only columns of codes"):
        predicted(sets, columns)
    alone = {**tree, "missing_child": np.full(3, -1, dtype=np.int32), "share": np.empty(0)}
    with pytest.raises(ValueError, match="without shares"):
        predicted(alone, columns)


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("fractional", [False, True])
def test_a_row_gets_the_same_answer_alone(multiway, fractional):
    """Few rows go down the trees as they are, many rows down trees that are packed first."""
    draw = np.random.default_rng(0)
    columns = draw.integers(-1, 100, (3, 2001)).astype(np.int32)
    y = ((columns[0] + columns[1] + draw.integers(0, 3, 2001)) % 3).astype(np.int32)
    made = options(criterion="entropy", multiway=multiway, fractional=fractional)
    tree = grown(coded(columns), made, label=y, n_classes=3)
    assert len(tree["kind"]) > 512
    together, ends = predicted(tree, columns), applied(tree, columns)
    for i in range(300):
        alone = columns[:, i : i + 1]
        np.testing.assert_array_equal(predicted(tree, alone)[0], together[i])
        assert applied(tree, alone)[0] == ends[i]


@pytest.mark.parametrize("n_rows", [1, 3, 40, 600])
def test_trees_add_to_sums_in_turn(n_rows):
    rng, trees, none = np.random.default_rng(n_rows), 7, np.empty(0, dtype=np.int32)
    numbers, cuts, value = rng.normal(size=(n_rows, 1)), rng.normal(size=trees), rng.normal(size=(14, 2))
    first = 3 * np.arange(trees, dtype=np.int32)
    leaves = 2 * np.arange(trees, dtype=np.int32)
    stumps = (
        first,
        np.tile(np.array([1, 0, 0], dtype=np.uint8), trees),
        np.tile(np.array([0, -1, -1], dtype=np.int32), trees),
        np.column_stack([cuts, np.full((trees, 2), np.nan)]).ravel(),
        np.column_stack([first + 1, leaves, leaves + 1]).ravel(),
        np.tile(np.array([0, -1, -1], dtype=np.int32), trees),
        none,
        none,
        np.empty(0),
        value,
        numbers,
        np.empty((n_rows, 0), dtype=np.int32),
        np.zeros(1, dtype=np.int32),
    )
    expected = np.zeros((n_rows, 3, 2))
    for t in range(trees):
        expected[:, t % 3] += value[2 * t + (numbers[:, 0] > cuts[t])]
    got = _native.tree_predict(*stumps, 2, 3)
    np.testing.assert_array_equal(got, expected.reshape(n_rows, 6))
    for wrong in (0, -1, 8):
        with pytest.raises(ValueError, match="turns must be from 1 to the number of trees"):
            _native.tree_predict(*stumps, 2, wrong)


CLOSE = [0.0, -0.0, 1.0, np.nextafter(1.0, 2.0), -1.0, 1e-40, 5e-324, -1e-40, 1e38, 1e39, -1e39, 1e300]


def check_three_questions(numbers, cuts, missing, trees):
    """Root 0 asks column 0, then 1 and 2 ask column 1; leaves 3 to 6 answer with their own number."""
    columns = np.array([numbers, numbers[::-1]]).T.copy()
    side = [
        np.where(np.isnan(columns[:, j]), missing[node], columns[:, j] > cuts[node])
        for node, j in ((0, 0), (1, 1), (2, 1))
    ]
    expected = 3.0 + 2 * side[0] + np.where(side[0], side[2], side[1])
    step = 7 * np.arange(trees, dtype=np.int32)[:, None]
    child = np.array([1, 3, 5, 3, 4, 5, 6], dtype=np.int32) + step * [1, 1, 1, 0, 0, 0, 0]
    none = np.empty(0, dtype=np.int32)
    got = _native.tree_predict(
        step.ravel(),
        np.tile(np.array([1, 1, 1, 0, 0, 0, 0], dtype=np.uint8), trees),
        np.tile(np.array([0, 1, 1, -1, -1, -1, -1], dtype=np.int32), trees),
        np.tile([*cuts, *[np.nan] * 4], trees),
        child.astype(np.int32).ravel(),
        np.tile(np.array([*missing, -1, -1, -1, -1], dtype=np.int32), trees),
        none,
        none,
        np.empty(0),
        np.arange(7.0)[:, None].copy(),
        columns,
        np.empty((len(columns), 0), dtype=np.int32),
        np.array([0, 1], dtype=np.int32),
        2,
    )
    np.testing.assert_array_equal(got[:, 0], trees * expected)


@pytest.mark.parametrize("trees", [1, 9])
@pytest.mark.parametrize("cut", CLOSE)
def test_numbers_too_close_for_single_precision_are_told_apart(cut, trees):
    check_three_questions(CLOSE * 3, [cut] * 3, [0, 1, 0], trees)
    check_three_questions([*CLOSE, np.nan] * 3, [cut] * 3, [1, 0, 1], trees)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    numbers=st.lists(st.floats(), min_size=1, max_size=60),
    cuts=st.lists(st.floats(allow_nan=False), min_size=3, max_size=3),
    missing=st.lists(st.integers(0, 1), min_size=3, max_size=3),
    trees=st.sampled_from([1, 9]),
)
def test_any_numbers_go_where_they_belong(numbers, cuts, missing, trees):
    check_three_questions(numbers, cuts, missing, trees)


def test_children_of_one_tree_are_not_in_the_next():
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    with pytest.raises(ValueError, match="first_child.0. must be a later node"):
        predicted(tree, columns, roots=(0, 1, 2))
