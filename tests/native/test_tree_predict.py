"""Rows sent down trees, and trees that must not be followed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import coded, grown, options, tables, walk

from hornbook import _native

ARRAYS = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "missing_child",
    "level_offset",
    "levels",
    "share",
)
PLACE = np.array([0, -1, -2], dtype=np.int32)


def rows_of(columns):
    numbers = np.where(columns[:1] < 0, np.nan, columns[:1] * 1.5).T
    return np.ascontiguousarray(numbers), np.ascontiguousarray(columns[1:].T), PLACE


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
    columns = draw.integers(-1, 6, (3, 300)).astype(np.int32)
    y = ((columns[0] + columns[1] + draw.integers(0, 3, 300)) % 3).astype(np.int32)
    made = options(criterion="entropy", multiway=multiway, fractional=fractional)
    tree = grown(coded(columns), made, label=y, n_classes=3)
    assert len(tree["kind"]) > 16 * 3
    together, ends = predicted(tree, columns), applied(tree, columns)
    for i in range(300):
        alone = columns[:, i : i + 1]
        np.testing.assert_array_equal(predicted(tree, alone)[0], together[i])
        assert applied(tree, alone)[0] == ends[i]
