"""The leaf of every training row is the one that its cells lead to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_tree_codes import table_of
from tests.native.test_tree_options import SETTINGS, big
from tests.native.trees import NAMES, coded, options, tables, walk

from hornbook import _native


def with_leaves(table, made, *, label=None, total=None, weight=None, threads=1, draws=0):
    arguments = (table, label, 3 if total is None else 0, total, weight, made, 1, 0, threads, draws, None)
    arrays, leaves = _native.grow_tree_with_leaves(*arguments)
    for one, other in zip(arrays, _native.grow_tree(*arguments), strict=True):
        np.testing.assert_array_equal(one, other)
    return dict(zip(NAMES, arrays, strict=True)), leaves


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    data=tables(),
    numbers=st.booleans(),
    multiway=st.booleans(),
    leaves=st.sampled_from([None, 3]),
    zero=st.booleans(),
)
def test_leaves_are_those_of_a_walk_through_the_tree(data, numbers, multiway, leaves, zero):
    columns, y, w = data
    w = np.where((np.arange(len(w)) % 3 == 1) & zero, 0.0, w)
    made = options(criterion="squared_error" if numbers else "gini", multiway=multiway)
    if leaves is not None:
        made.max_leaf_nodes = leaves
    target = {"total": y * w} if numbers else {"label": y}
    tree, leaves = with_leaves(coded(columns), made, weight=w, **target)
    walked = np.full(len(y), -1)
    for node, rows in walk(tree, columns, w):
        if not tree["kind"][node]:
            walked[rows > 0] = node
    np.testing.assert_array_equal(leaves, walked)


@pytest.mark.parametrize("extra", SETTINGS, ids=lambda extra: "-".join(extra) or "default")
@pytest.mark.parametrize("threads", [1, 3])
def test_leaves_of_large_tables_on_threads(extra, threads):
    X, y = big()
    if extra.get("fractional"):
        X = np.nan_to_num(X)
    tree, leaves = with_leaves(table_of(X), options(**extra), label=y.astype(np.int32), threads=threads)
    place = np.arange(X.shape[1], dtype=np.int32)
    parts = [tree[name] for name in (*NAMES[:7], "share")]
    codes = np.empty((len(X), 0), dtype=np.int32)
    reached = _native.tree_apply(np.zeros(1, dtype=np.int32), *parts, X, codes, place, 1)[:, 0]
    np.testing.assert_array_equal(leaves, reached)


def test_rows_that_are_not_drawn_have_no_leaf():
    X, y = big(500)
    tree, leaves = with_leaves(table_of(X), options(max_features=2), label=y.astype(np.int32), draws=300)
    drawn = _native.bootstrap_counts(1, 0, 500, 300) > 0
    np.testing.assert_array_equal(leaves >= 0, drawn)
    np.testing.assert_array_equal(
        np.bincount(leaves[drawn], minlength=len(tree["kind"]))[tree["kind"] == 0],
        tree["n_rows"][tree["kind"] == 0],
    )


def test_rows_in_parts_have_no_single_leaf():
    X, y = big(100)
    with pytest.raises(ValueError, match="end in several leaves"):
        with_leaves(table_of(X), options(fractional=True), label=y.astype(np.int32))
