"""Every node of a grown tree has the best split there is, by trying them all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import coded, grown, options, tables, walk
from tests.oracles.tree import best_gain, best_ratio, class_score, impurity, number_score

from hornbook import _native

NOMINAL = (False, False, True)
CLASS_CRITERIA = [
    "gini",
    "entropy",
    "raw_gain_ratio",
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
@pytest.mark.parametrize("criterion", ["entropy", "raw_gain_ratio", "gini"])
@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(), weighted=st.booleans())
def test_rows_without_a_value_go_everywhere_in_parts(criterion, multiway, data, weighted):
    check_classes(data, criterion, weighted=weighted, multiway=multiway, fractional=True)


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("fractional", [False, True])
@pytest.mark.parametrize("unit", [1.0, 0.4])
@settings(derandomize=True, max_examples=12, deadline=None)
@given(data=tables(), least=st.integers(1, 3))
def test_gain_ratio_of_c45(multiway, fractional, unit, data, least):
    columns, y, w = data
    w = w * unit
    least = 1 if multiway else least  # branches are counted before rows that lack a value join one
    rows = 1.0 if unit == 1.0 else len(w) / w.sum()  # weights that are not whole are scaled to a mean of 1
    how = {"multiway": multiway, "fractional": fractional, "min_samples_leaf": least}
    tree = grown(coded(columns), options(criterion="gain_ratio", **how), label=y, n_classes=3, weight=w)
    levels = 400 if len(y) % 2 else 6  # as coded() says
    many_valued = [False, False, levels >= 0.3 * rows * w.sum()]
    how["least"] = how.pop("min_samples_leaf")
    for node, parts in walk(tree, columns, w):
        here = parts > 0
        score = class_score(y[here], parts[here], 3, "entropy")
        ratios = best_ratio(columns[:, here], NOMINAL, parts[here], score, rows, many_valued, **how)
        if tree["kind"][node]:
            assert ratios[0] - 1e-9 <= tree["gain"][node] <= ratios[1] + 1e-9
        else:
            pure = np.count_nonzero(np.bincount(y[here])) == 1
            assert pure or ratios is None or here.sum() < 2 * least


def test_gain_ratio_charges_for_thresholds_and_looks_at_columns_of_average_gain():
    # 16 rows, 8 of each class. The first column has 15 thresholds and its best one splits 1 row off:
    # 1 - 15/16 H(7/15) = 0.0659 < log2(15) / 16 = 0.2442, so that it is no candidate. The second gains 0.1887
    # by one threshold (6:2 and 2:6), for which nothing is paid, and H(A) = 1.
    y = np.array([0, 1] * 8, dtype=np.int32)
    steps = np.arange(16.0)
    flags = np.r_[np.tile([0.0, 1.0], 6), np.tile([1.0, 0.0], 2)]
    alone = _native.code_table([steps], np.full(1, -1, np.int32), np.zeros(1, bool), None, 0, 1)
    assert grown(alone, options(criterion="gain_ratio"), label=y, n_classes=2)["kind"].tolist() == [0]
    both = _native.code_table([steps, flags], np.full(2, -1, np.int32), np.zeros(2, bool), None, 0, 1)
    made = {name: options(criterion=name, max_depth=1) for name in ("gain_ratio", "raw_gain_ratio")}
    tree = grown(both, made["gain_ratio"], label=y, n_classes=2)
    assert tree["feature"][0] == 1
    assert tree["gain"][0] == pytest.approx(1 - impurity(np.array([6, 2]), "entropy"))
    assert grown(both, made["raw_gain_ratio"], label=y, n_classes=2)["feature"][0] == 0
    with pytest.raises(ValueError, match="use raw_gain_ratio"):
        grown(both, options(criterion="gain_ratio", pick="proportional"), label=y, n_classes=2)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(missing=False), size=st.integers(1, 4))
def test_best_subset_of_limited_size(data, size):
    check_classes(data, "entropy", weighted=True, subset_size=size)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables(), least=st.integers(1, 5), weighted=st.booleans())
def test_smallest_leaf(data, least, weighted):
    check_classes(data, "gini", weighted=weighted, min_samples_leaf=least)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("fractional", [False, True])
@settings(derandomize=True, max_examples=25, deadline=None)
@given(data=tables())
def test_best_split_by_numbers_around_their_mean(criterion, multiway, fractional, data):
    columns, y, w = data
    numbers = np.array([0.0, 1.0, 5.0])[y]
    made = options(criterion=criterion, multiway=multiway, fractional=fractional)
    tree = grown(coded(columns), made, total=numbers * w, weight=w)
    for node, rows in walk(tree, columns, w):
        here = rows > 0
        assert tree["value"][node, 0] == pytest.approx(np.average(numbers[here], weights=rows[here]))
        score = number_score(numbers[here], rows[here], criterion)
        best = best_gain(
            columns[:, here], NOMINAL, rows[here], score, multiway=multiway, fractional=fractional
        )
        if tree["kind"][node]:
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)
        else:
            assert len(set(numbers[here])) == 1 or best is None or best == -np.inf


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


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize("fractional", [False, True])
def test_every_node_of_a_larger_tree_for_numbers(criterion, fractional):
    columns, y, w = larger(161, 3)
    numbers = np.maximum(y + np.sin(np.arange(161.0)), 0.0)
    tree = grown(
        coded(columns),
        options(criterion=criterion, fractional=fractional, max_depth=6),
        total=numbers * w,
        weight=w,
    )
    assert len(tree["kind"]) > 20
    for node, rows in walk(tree, columns, w):
        here = rows > 0
        if tree["kind"][node]:
            score = number_score(numbers[here], rows[here], criterion)
            best = best_gain(columns[:, here], NOMINAL, rows[here], score, fractional=fractional)
            assert tree["gain"][node] == pytest.approx(best, abs=1e-9)
