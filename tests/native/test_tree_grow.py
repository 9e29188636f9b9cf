"""Every node of a grown tree has the best split there is, by trying them all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import coded, grown, options, tables, walk
from tests.oracles.tree import best_gain, class_score, impurity, number_score

NOMINAL = (False, False, True)
CLASS_CRITERIA = [
    "gini",
    "entropy",
    "gain_ratio",
    "symmetric_gain_ratio",
    "symmetric_gain_ratio_sum",
    "cart",
    "quadratic_gain",
    "daroczy",
    "misclassification",
]


def check_classes(data, criterion, *, weighted, **extra):
    columns, y, w = data
    w = w if weighted else np.ones(len(y))
    tree = grown(
        coded(columns),
        options(criterion=criterion, beta=3.0, **extra),
        label=y,
        n_classes=3,
        weight=w if weighted else None,
    )
    for node, rows in walk(tree, columns, w):
        here = rows > 0
        counts = np.bincount(y[here], weights=rows[here], minlength=3)
        np.testing.assert_allclose(tree["value"][node], counts, atol=1e-9)
        if criterion != "quadratic_gain":
            assert tree["impurity"][node] == pytest.approx(impurity(counts, criterion, 3.0), abs=1e-9)
        score = class_score(y[here], rows[here], 3, criterion, 3.0)
        best = best_gain(
            columns[:, here],
            NOMINAL,
            rows[here],
            score,
            multiway=extra.get("multiway", False),
            most=extra.get("subset_size"),
            fractional=extra.get("fractional", False),
            least=extra.get("min_samples_leaf", 1),
        )
        if tree["kind"][node]:
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)
        else:
            assert (counts > 0).sum() == 1 or best is None


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(), weighted=st.booleans())
def test_best_split_by_every_criterion(criterion, data, weighted):
    check_classes(data, criterion, weighted=weighted)


@pytest.mark.parametrize("criterion", [name for name in CLASS_CRITERIA if name != "cart"])
@settings(derandomize=True, max_examples=20, deadline=None)
@given(data=tables(), weighted=st.booleans())
def test_best_multiway_split(criterion, data, weighted):
    check_classes(data, criterion, weighted=weighted, multiway=True)


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "gini"])
@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(), weighted=st.booleans())
def test_rows_without_a_value_go_everywhere_in_parts(criterion, multiway, data, weighted):
    check_classes(data, criterion, weighted=weighted, multiway=multiway, fractional=True)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(missing=False), size=st.integers(1, 4))
def test_best_subset_of_limited_size(data, size):
    check_classes(data, "entropy", weighted=True, subset_size=size)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(), least=st.integers(1, 5), weighted=st.booleans())
def test_smallest_leaf(data, least, weighted):
    check_classes(data, "gini", weighted=weighted, min_samples_leaf=least)


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("fractional", [False, True])
@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables())
def test_best_split_by_squared_error(multiway, fractional, data):
    columns, y, w = data
    numbers = np.array([0.0, 1.0, 5.0])[y]
    made = options(criterion="squared_error", multiway=multiway, fractional=fractional)
    tree = grown(coded(columns), made, total=numbers * w, weight=w)
    for node, rows in walk(tree, columns, w):
        here = rows > 0
        assert tree["value"][node, 0] == pytest.approx(np.average(numbers[here], weights=rows[here]))
        if tree["kind"][node]:
            score = number_score(numbers[here], rows[here], "squared_error")
            best = best_gain(
                columns[:, here], NOMINAL, rows[here], score, multiway=multiway, fractional=fractional
            )
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(data=tables(), fractional=st.booleans())
def test_best_split_by_absolute_error(data, fractional):
    columns, y, w = data
    ordered = columns.copy()
    ordered[2] = 0  # sets of levels are found by a rule of thumb here
    numbers = np.array([0.0, 1.0, 5.0])[y]
    made = options(criterion="absolute_error", fractional=fractional)
    tree = grown(coded(ordered), made, total=numbers, weight=w)
    for node, rows in walk(tree, ordered, w):
        here = rows > 0
        if tree["kind"][node]:
            score = number_score(numbers[here], rows[here], "absolute_error")
            best = best_gain(ordered[:, here], NOMINAL, rows[here], score, fractional=fractional)
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(data=tables())
def test_two_classes_find_the_best_of_all_subsets_by_ordering(data):
    columns, y, w = data
    check_classes((columns, np.minimum(y, 1).astype(np.int32), w), "gini", weighted=True)


def larger(n, n_classes):
    """Rows enough for histograms near the root and for sorting further down; a tenth of the cells missing."""
    draw = np.random.default_rng(n)
    columns = np.array([draw.integers(0, 150, n), draw.integers(0, 6, n), draw.integers(0, 6, n)])
    noise = draw.integers(0, n_classes, n)
    y = np.where(draw.random(n) < 0.6, (columns[0] // 40 + columns[2]) % n_classes, noise)
    columns[draw.random(columns.shape) < 0.1] = -1
    return columns.astype(np.int32), y.astype(np.int32), draw.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("n", [160, 161])  # of an odd number of rows the levels are many
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("extra", [{}, {"fractional": True}, {"min_samples_leaf": 4}], ids=str)
def test_every_node_of_a_larger_tree(n, n_classes, extra):
    for criterion, weighted in (("gini", False), ("entropy", True)):
        check_classes(larger(n, n_classes), criterion, weighted=weighted, **extra)


@pytest.mark.parametrize("fractional", [False, True])
def test_every_node_of_a_larger_tree_for_numbers(fractional):
    columns, y, w = larger(161, 3)
    numbers = y + np.sin(np.arange(161.0))
    tree = grown(
        coded(columns),
        options(criterion="squared_error", fractional=fractional, max_depth=6),
        total=numbers * w,
        weight=w,
    )
    assert len(tree["kind"]) > 20
    for node, rows in walk(tree, columns, w):
        here = rows > 0
        if tree["kind"][node]:
            score = number_score(numbers[here], rows[here], "squared_error")
            best = best_gain(columns[:, here], NOMINAL, rows[here], score, fractional=fractional)
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)
