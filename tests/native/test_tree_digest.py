"""What forests keep of a grown tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import NAMES, coded, grown, options, tables
from tests.oracles import tree_digest

from hornbook import _native

NODES = ("kind", "feature", "first_child", "level_offset", "weight", "impurity")


@settings(derandomize=True, max_examples=60, deadline=None)
@given(data=tables(), multiway=st.booleans(), shares=st.booleans())
def test_digest_is_that_of_the_twin(data, multiway, shares):
    columns, y, w = data
    tree = grown(
        coded(columns), options(criterion="entropy", multiway=multiway), label=y, n_classes=3, weight=w
    )
    first, value = _native.leaf_answers(tree["kind"], tree["first_child"], tree["value"], shares)
    expected, answers = tree_digest.leaf_answers(tree, shares=shares)
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(value, answers)
    falls = _native.impurity_shares(*(tree[name] for name in NODES), 3)
    np.testing.assert_allclose(falls, tree_digest.impurity_shares(tree, 3), rtol=1e-12, atol=1e-15)


def stump():
    return {
        "kind": np.array([1, 0, 0], dtype=np.uint8),
        "feature": np.array([0, -1, -1], dtype=np.int32),
        "first_child": np.array([1, 1, 2], dtype=np.int32),
        "level_offset": np.zeros(4, dtype=np.int32),
        "weight": np.array([4.0, 2.0, 2.0]),
        "impurity": np.array([0.5, 0.0, 0.0]),
    }


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("feature", np.array([1, -1, -1], dtype=np.int32), r"feature\[0\] must be a column"),
        ("first_child", np.array([2, 1, 2], dtype=np.int32), r"first_child\[0\] must be a later node"),
        ("first_child", np.array([0, 1, 2], dtype=np.int32), r"first_child\[0\] must be a later node"),
        ("weight", np.ones(2), "one entry for each node"),
        ("level_offset", np.zeros(3, dtype=np.int32), "level_offset one more"),
    ],
)
def test_what_is_no_tree_is_refused(name, array, message):
    assert _native.impurity_shares(*stump().values(), 1).tolist() == [1.0]
    with pytest.raises(ValueError, match=message):
        _native.impurity_shares(*(stump() | {name: array}).values(), 1)


def test_answers_without_nodes_are_refused():
    tree = stump()
    with pytest.raises(ValueError, match="one entry for each node"):
        _native.leaf_answers(tree["kind"], tree["first_child"], np.ones((2, 1)), False)
    with pytest.raises(ValueError, match="columns must be at least 1"):
        _native.impurity_shares(*tree.values(), 0)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(data=tables(), numbers=st.booleans())
def test_what_is_kept_of_a_tree_is_a_part_of_it(data, numbers):
    columns, y, w = data
    made = options(criterion="squared_error" if numbers else "gini")
    target = (None, 0, y * w) if numbers else (y, 3, None)
    arguments = (coded(columns), *target, w, made, 0, 0, 1)
    tree = dict(zip(NAMES, _native.grow_tree(*arguments), strict=True))
    *nodes, value, weight, importances = _native.grow_kept_tree(*arguments)
    first, answers = _native.leaf_answers(tree["kind"], tree["first_child"], tree["value"], not numbers)
    kept = tree | {"first_child": first}
    for name, array in zip(NAMES[:7], nodes, strict=True):
        np.testing.assert_array_equal(array, kept[name], err_msg=name)
    np.testing.assert_array_equal(value, answers)
    np.testing.assert_array_equal(weight, tree["weight"][tree["kind"] == 0])
    np.testing.assert_array_equal(importances, _native.impurity_shares(*(tree[n] for n in NODES), 3))


@pytest.mark.parametrize("name", ["multiway", "fractional"])
def test_nothing_is_kept_of_trees_whose_rows_need_all_nodes(name):
    columns = np.zeros((3, 2), dtype=np.int32)
    with pytest.raises(ValueError, match="splits in two that send each row to one child"):
        _native.grow_kept_tree(coded(columns), columns[0], 1, None, None, options(**{name: True}), 0, 0, 1)
