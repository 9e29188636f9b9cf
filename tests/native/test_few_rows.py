"""Subtrees of few rows are grown in one loop, and are the ones that the general grower finds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.native.trees import grown, options

from hornbook import _native

N = 300
ANY = 10**9  # leaves: a bound that never holds, but makes the grower take the best node first


def table(rng, *, nominal):
    """Distinct and tied numbers, two values, and categories of 3 and 12 levels."""
    codes = [rng.integers(0, k, N).astype(np.int32) for k in (3, 12)] if nominal else []
    numbers = [rng.normal(size=N), rng.integers(0, 9, N) * 1.0, rng.integers(0, 2, N) * 1.0]
    levels = np.array([-1] * 3 + [3, 12][: len(codes)], dtype=np.int32)
    return _native.code_table(numbers + codes, levels, levels > 0, None, 0, 1)


def target(rng, n_classes, *, heavy):
    made = {"weight": rng.integers(1, 400 if heavy else 4, N).astype(np.float64)}
    if n_classes == 0:
        return made | {"total": rng.integers(-9, 9, N) * made["weight"]}
    return made | {"label": rng.integers(0, n_classes, N).astype(np.int32), "n_classes": n_classes}


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("n_classes", [0, 2, 5, 26])
@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"random_thresholds": True},
        {"max_features": 2, "draw_order": True},
        {"max_features": 1, "random_thresholds": True, "draw_order": True},
        {"min_samples_leaf": 3, "max_features": 2},
        {"max_depth": 6, "min_gain": 0.0},
        {"min_impurity_decrease": 0.002, "max_features": 2},
    ],
    ids=str,
)
def test_same_tree_as_by_the_general_search(n_classes, nominal, heavy, extra):
    rng = np.random.default_rng(3)
    coded, rows = table(rng, nominal=nominal), target(rng, n_classes, heavy=heavy)
    criterion = "gini" if n_classes else "squared_error"
    general, few = (
        grown(coded, options(criterion=criterion, max_leaf_nodes=leaves, **extra), **rows)
        for leaves in (ANY, options().max_leaf_nodes)
    )
    assert len(few["kind"]) > 3
    for name in general:
        np.testing.assert_array_equal(few[name], general[name], err_msg=name)


def test_more_classes_than_lanes_have_are_left_to_the_general_search():
    rng = np.random.default_rng(5)
    levels = np.array([12, 12], dtype=np.int32)
    columns = list(rng.integers(0, 12, (2, N)).astype(np.int32))
    coded = _native.code_table(columns, levels, levels > 0, None, 0, 1)
    label = rng.integers(0, 200, N).astype(np.int32)
    tree = grown(coded, options(criterion="gini"), label=label, n_classes=200)
    leaves = tree["value"][tree["kind"] == 0]
    np.testing.assert_array_equal(leaves.sum(axis=0), np.bincount(label, minlength=200))
