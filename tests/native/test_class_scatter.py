"""class_scatter against its twin, and where simple formulas fail."""

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
    rows=st.integers(0, 4) | st.integers(100, 300),
    cols=st.integers(0, 9),
    n_classes=st.integers(1, 5),
    weights=st.sampled_from(["none", "any", "zeros"]),
    offset=st.sampled_from([0.0, 1e3]),
    beside=st.integers(0, 9),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_twin(rows, cols, n_classes, weights, offset, beside, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) + offset
    y = rng.integers(0, n_classes, rows).astype(np.int32)
    w = None if weights == "none" else rng.random(rows) * 10.0 ** rng.integers(-3, 3, rows)
    if weights == "zeros":
        w[rng.random(rows) < 0.5] = 0.0
    beside = min(beside, cols)
    left, right = np.ascontiguousarray(X[:, : cols - beside]), np.ascontiguousarray(X[:, cols - beside :])
    mass, mean, within = _native.class_scatter(left, y, w, n_classes, right if beside else None)
    twin = oracle.class_scatter(X, y, w, n_classes)
    np.testing.assert_allclose(mass, twin[0], rtol=1e-13)
    np.testing.assert_allclose(mean, twin[1], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(within, twin[2], rtol=1e-10, atol=1e-10 * (1 + twin[0].sum()))
    np.testing.assert_array_equal(within, within.T)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    rows=st.integers(1, 4) | st.integers(100, 900),
    cols=st.integers(0, 27),
    weights=st.sampled_from(["none", "any", "zeros"]),
    offset=st.sampled_from([0.0, 1e3]),
    trend=st.sampled_from([0.0, 10.0]),
    seed=st.integers(0, 99),
)
def test_one_pass_over_all_rows_agrees_with_the_twin(rows, cols, weights, offset, trend, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) + offset + trend * np.arange(rows)[:, None]
    w = None if weights == "none" else rng.random(rows) * 10.0 ** rng.integers(-3, 3, rows)
    if weights == "zeros":
        w[rng.random(rows) < 0.5] = 0.0
        X[w == 0.0] = np.inf
    mass, mean, within = _native.row_scatter(X, w)
    single = X.astype(np.float32)
    doubled = _native.row_scatter(single.astype(np.float64), w)
    for one, other in zip(_native.row_scatter(single, w), doubled, strict=True):
        np.testing.assert_array_equal(one, other)
    if weights == "zeros":
        X[w == 0.0] = 0.0
    twin = oracle.class_scatter(X, np.zeros(rows, dtype=int), w, 1)
    np.testing.assert_allclose(mass, twin[0], rtol=1e-13)
    np.testing.assert_allclose(mean, twin[1], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        within, twin[2], rtol=1e-10, atol=1e-10 * (1 + np.diag(twin[2]).max(initial=0))
    )
    np.testing.assert_array_equal(within, within.T)


@pytest.mark.parametrize("first", [1.0, 1e6])
def test_one_pass_keeps_its_digits(first):
    X = np.random.default_rng(0).standard_normal((5000, 3)) + 1e8
    X[0] += first  # the rows that the shift is taken from are nothing special
    X[:, 2] = 0.1
    _, mean, within = _native.row_scatter(X, None)
    exact = (X.astype(np.longdouble) - X.astype(np.longdouble).mean(axis=0))[:, :2]
    np.testing.assert_allclose(within[:2, :2], (exact.T @ exact).astype(float), rtol=1e-11, atol=1e-7)
    assert mean[0, 2] == 0.1
    assert within[2].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 63, 64, 999])
def test_one_pass_shows_a_cell_that_is_not_finite(cell, row):
    X = np.random.default_rng(0).standard_normal((1000, 11))
    X[row, 10] = cell
    _, mean, within = _native.row_scatter(X, None)
    assert np.flatnonzero(~np.isfinite(np.diag(within))).tolist() == [10]
    assert np.isfinite(mean[0, :10]).all()


def test_one_pass_refuses_wrong_weights():
    with pytest.raises(ValueError, match=r"w must have one entry per row of X; it has 1 for 2 rows\."):
        _native.row_scatter(np.zeros((2, 1)), np.ones(1))
    with pytest.raises(ValueError, match=r"w must be 0 or more; row 1 has -1\."):
        _native.row_scatter(np.zeros((2, 1)), np.array([1.0, -1.0]))


def test_a_large_offset_costs_no_digits():
    X = np.array([[1e9 + k, 1e9 - k] for k in (0, 1, 2, 3)])
    _, mean, within = _native.class_scatter(X, np.zeros(4, np.int32), None, 1)
    assert mean.tolist() == [[1e9 + 1.5, 1e9 - 1.5]]
    assert within.tolist() == [[5.0, -5.0], [-5.0, 5.0]]


def test_diagonal_is_the_scatter_of_class_moments():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(500, 4)) * 3, rng.integers(0, 3, 500).astype(np.int32), rng.random(500)
    _, _, scatter = _native.class_moments(X, y, w, 3)
    _, _, within = _native.class_scatter(X, y, w, 3)
    np.testing.assert_allclose(np.diag(within), scatter.sum(axis=0), rtol=1e-12)


@pytest.mark.parametrize(
    ("y", "w", "n_classes", "sentence"),
    [
        ([0], None, 1, "y must have one entry per row of X; it has 1 for 2 rows."),
        ([0, 3], None, 3, "y must hold classes from 0 to 2; row 1 has 3."),
        ([-1, 0], None, 3, "y must hold classes from 0 to 2; row 0 has -1."),
        ([0, 0], [1.0], 1, "w must have one entry per row of X; it has 1 for 2 rows."),
        ([0, 0], [1.0, -1.0], 1, "w must be 0 or more; row 1 has -1."),
        ([0, 0], [np.nan, 1.0], 1, "w must be 0 or more; row 0 has nan."),
        ([0, 0], None, 0, "n_classes must be at least 1; got 0."),
    ],
)
def test_refusals(y, w, n_classes, sentence):
    weights = None if w is None else np.array(w)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.class_scatter(np.zeros((2, 1)), np.array(y, np.int32), weights, n_classes)


def test_columns_beside_others_have_their_rows():
    with pytest.raises(ValueError, match=r"beside must have as many rows as X; it has 3 for 2 rows\."):
        _native.class_scatter(np.zeros((2, 1)), np.zeros(2, np.int32), None, 1, np.zeros((3, 1)))
