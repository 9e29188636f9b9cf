"""perceptron_pass against its twin."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import class_scatter as oracle

from hornbook import _native


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    rows=st.integers(0, 60),
    cols=st.integers(0, 5),
    weights=st.sampled_from(["none", "whole", "any"]),
    strict=st.booleans(),
    eta=st.sampled_from([0.125, 1.0, 3.0]),
    seed=st.integers(0, 2**32),
)
def test_agrees_with_the_twin(rows, cols, weights, strict, eta, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (rows, cols)).astype(float)  # small whole numbers: every sum is exact
    y = rng.integers(0, 2, rows).astype(np.int32)
    w = {"none": None, "whole": rng.integers(0, 4, rows) * 1.0, "any": rng.integers(0, 16, rows) / 4}[weights]
    coef = rng.integers(-2, 3, cols + 1).astype(float)
    updated, mistakes = _native.perceptron_pass(X, y, w, coef, eta, strict)
    expected, count = oracle.perceptron_pass(X, y, w, coef, eta, strict)
    np.testing.assert_array_equal(updated, expected)
    assert mistakes == count


@pytest.mark.parametrize(
    ("y", "w", "coef", "eta", "sentence"),
    [
        ([0], None, [0.0, 0.0], 1.0, "y must have one entry per row of X; it has 1 for 2 rows."),
        ([0, 2], None, [0.0, 0.0], 1.0, "y must be 0 or 1; row 1 has 2."),
        ([0, 1], [1.0], [0.0, 0.0], 1.0, "w must have one entry per row of X; it has 1 for 2 rows."),
        ([0, 1], [1.0, -1.0], [0.0, 0.0], 1.0, "w must be 0 or more; row 1 has -1."),
        ([0, 1], None, [0.0], 1.0, "coef must have one entry per column of X and one for the constant"),
        ([0, 1], None, [0.0, 0.0], 0.0, "eta must be above 0; got 0."),
    ],
)
def test_refusals(y, w, coef, eta, sentence):
    weights = None if w is None else np.array(w)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.perceptron_pass(np.zeros((2, 1)), np.array(y, np.int32), weights, np.array(coef), eta, False)
