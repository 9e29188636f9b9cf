"""Columns that have one cut, or of which one is drawn: few rows with weights, and many rows that repeat."""

from __future__ import annotations

import numpy as np
import pytest
from tests.native.trees import ARRAYS, grown, options

from hornbook import _native

N, COLUMNS, LEVELS = 200, 8, 12
COUNTS = np.random.default_rng(1).integers(1, 9, N)


def table_of(kind, rows):
    """A table of columns of one kind; levels are missing in some rows."""
    draw = np.random.default_rng(3)
    nominal = kind == "levels"
    if nominal:
        cells = draw.integers(-1, LEVELS, size=(COLUMNS, N)).astype(np.int32)
    else:
        cells = draw.normal(size=(COLUMNS, N))
    if kind == "two values":
        cells = (cells > 0.3).astype(np.float64)
    return _native.code_table(
        [np.ascontiguousarray(column[rows]) for column in cells],
        np.full(COLUMNS, LEVELS if nominal else -1, dtype=np.int32),
        np.full(COLUMNS, nominal),
        None,
        0,
        1,
    )


@pytest.mark.parametrize("random", [False, True])
@pytest.mark.parametrize("kind", ["levels", "two values", "numbers"])
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize("max_features", [2, 5])  # columns one by one, and many at once
def test_whole_weights_are_repeated_rows(kind, classes, random, max_features):
    rows = np.repeat(np.arange(N), COUNTS)
    y = np.random.default_rng(2).integers(max(classes, 64), size=N)
    weight = COUNTS.astype(np.float64)
    criterion = "gini" if classes else "squared_error"
    made = options(criterion=criterion, random_thresholds=random, max_features=max_features)
    if classes:
        labels = (y % classes).astype(np.int32)
        few = grown(table_of(kind, np.arange(N)), made, label=labels, n_classes=classes, weight=weight)
        many = grown(table_of(kind, rows), made, label=labels[rows], n_classes=classes)
    else:
        numbers = y.astype(np.float64)  # whole, so that all sums are exact
        few = grown(table_of(kind, np.arange(N)), made, total=numbers * weight, weight=weight)
        many = grown(table_of(kind, rows), made, total=numbers[rows])
    for name in (*ARRAYS, "weight", "value"):
        np.testing.assert_array_equal(few[name], many[name], err_msg=name)
    assert len(few["kind"]) > 50
    assert few["n_rows"][0] == N
    assert many["n_rows"][0] == len(rows)


@pytest.mark.parametrize("random", [False, True])
@pytest.mark.parametrize("kind", ["levels", "two values", "numbers"])
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize("max_features", [2, 5])
def test_growing_the_best_leaf_first_finds_the_same_splits(kind, classes, random, max_features):
    # A bound on leaves, reached or not, excludes the loop that grows whole subtrees.
    draw = np.random.default_rng(4)
    n = 900
    cells = np.abs(draw.normal(size=(COLUMNS, n)))
    cells = {"levels": cells * 4, "two values": cells > 0.7, "numbers": cells}[kind]
    nominal = kind == "levels"
    table = _native.code_table(
        list(np.minimum(cells, LEVELS - 1).astype(np.int32) if nominal else cells.astype(np.float64)),
        np.full(COLUMNS, LEVELS if nominal else -1, dtype=np.int32),
        np.full(COLUMNS, nominal),
        None,
        0,
        1,
    )
    y, weight = draw.integers(max(classes, 64), size=n), draw.integers(1, 4, size=n).astype(np.float64)
    target = {"total": y * weight}
    if classes:
        target = {"label": (y % classes).astype(np.int32), "n_classes": classes}
    settings = {
        "criterion": "gini" if classes else "squared_error",
        "random_thresholds": random,
        "max_features": max_features,
        "draw_order": True,
    }
    loop = grown(table, options(**settings), **target, weight=weight)
    best_first = grown(table, options(**settings, max_leaf_nodes=10**6), **target, weight=weight)
    for name in loop:
        np.testing.assert_array_equal(loop[name], best_first[name], err_msg=name)
    assert len(loop["kind"]) > 300


def test_levels_beyond_the_bits_of_a_word_are_divided_at_random():
    levels = 200
    codes = np.arange(levels, dtype=np.int32)
    nominal = np.ones(1, dtype=np.bool_)
    table = _native.code_table([codes], np.full(1, levels, dtype=np.int32), nominal, None, 0, 1)
    made = options(criterion="squared_error", random_thresholds=True, max_depth=1)
    tree = grown(table, made, total=np.random.default_rng(0).normal(size=levels))
    listed = np.isin(codes, tree["levels"])
    # 50 levels in each quarter: a share below .2 or above .8 has a probability below 1e-5.
    shares = listed.reshape(4, -1).mean(axis=1)
    assert ((shares > 0.2) & (shares < 0.8)).all()
    assert not np.array_equal(listed[:64], listed[64:128])
