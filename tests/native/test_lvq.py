"""lvq_pass against its twin."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import lvq as oracle

from hornbook import _native


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    rows=st.integers(0, 40),
    cols=st.integers(0, 6),
    count=st.integers(1, 6),
    weights=st.sampled_from(["none", "whole", "any"]),
    rule=st.integers(0, 3),
    eta=st.sampled_from([0.0, 0.05, 0.5]),
    grid=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_agrees_with_the_twin(rows, cols, count, weights, rule, eta, grid, seed):
    rng = np.random.default_rng(seed)
    # On a grid of whole numbers many distances are equal.
    X = rng.integers(-2, 3, (rows, cols)).astype(float) if grid else rng.normal(size=(rows, cols))
    y = rng.integers(0, 3, rows).astype(np.int32)
    w = {"none": None, "whole": rng.integers(0, 4, rows) * 1.0, "any": rng.integers(0, 9, rows) / 4}[weights]
    start = rng.integers(-2, 3, (count, cols)).astype(float) if grid else rng.normal(size=(count, cols))
    classes = rng.integers(0, 3, count).astype(np.int32)
    order = rng.permutation(rows)[: rng.integers(0, rows + 1)]
    if grid and rule in (1, 2):  # sums round differently, and a window's edge decides by the last digit
        eta = 0.5
    how = (rule, eta, 0.3, 0.25, 2.0)
    moved = _native.lvq_pass(X, y, w, order, start, classes, *how)
    expected = oracle.lvq_pass(X, y, w, order, start, classes, *how)
    np.testing.assert_allclose(moved, expected, rtol=1e-9, atol=1e-9)


def test_large_weights_present_a_row_1024_times():
    X, y = np.array([[1.0]]), np.zeros(1, np.int32)
    start, how = np.array([[0.0]]), (0, 2.0**-10, 0.3, 0.1, 1.0)
    moved = _native.lvq_pass(X, y, np.array([1e9]), np.zeros(1, np.int64), start, y, *how)
    assert moved[0, 0] == pytest.approx(1 - (1 - 2.0**-10) ** 1024, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"y": np.zeros(1, np.int32)}, "y must have one entry per row of X; it has 1 for 2 rows."),
        ({"w": np.ones(3)}, "w must have one entry per row of X; it has 3 for 2 rows."),
        ({"w": np.array([1.0, -1.0])}, "w must be 0 or more; row 1 has -1."),
        ({"order": np.array([0, 2])}, "order must hold numbers of rows; entry 1 is 2 of 2."),
        ({"prototypes": np.zeros((2, 3))}, "prototypes must have 1 columns, as X has; they have 3."),
        ({"prototypes": np.zeros((0, 1))}, "prototypes must have at least one row."),
        ({"classes": np.zeros(3, np.int32)}, "classes must have one entry per prototype; it has 3 for 2"),
        ({"rule": 4}, "rule must be 0, 1, 2 or 3; got 4."),
        ({"eta": np.nan}, "eta must be 0 or more; got nan."),
        ({"window": 1.0}, "window must be in [0, 1); got 1."),
        ({"epsilon": -1.0}, "epsilon must be 0 or more; got -1."),
        ({"beta": -1.0}, "beta must be 0 or more; got -1."),
    ],
)
def test_refusals(change, sentence):
    usual = {"X": np.zeros((2, 1)), "y": np.zeros(2, np.int32), "w": None, "order": np.arange(2)}
    usual |= {"prototypes": np.zeros((2, 1)), "classes": np.array([0, 1], np.int32), "rule": 0, "eta": 0.1}
    usual |= {"window": 0.3, "epsilon": 0.1, "beta": 1.0}
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.lvq_pass(**(usual | change))
