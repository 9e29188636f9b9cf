"""logistic_sums, softmax_sums, weighted_gram and coordinate_descent against their twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import logistic as oracle

from hornbook import _native


@st.composite
def tables(draw):
    n = draw(st.integers(1, 300))
    d = draw(st.integers(0, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    w = rng.uniform(0, 3, n) * (rng.random(n) < 0.8) if draw(st.booleans()) else None
    spread = draw(st.sampled_from([0.1, 1.0, 5.0]))
    return (
        rng.normal(size=(n, d)) * spread,
        rng.integers(2, size=n, dtype=np.int32),
        w,
        rng.normal(size=d + 1),
    )


@settings(derandomize=True, max_examples=200, deadline=None)
@given(table=tables())
def test_sums_agree_with_the_plain_twin(table):
    X, y, w, coef = table
    value, gradient, hessian = _native.logistic_sums(X, y, w, coef, True)
    expected = oracle.logistic_sums(X, y, w, coef)
    size = 1e-12 * (1 + np.abs(X).max(initial=0)) ** 2 * len(X)
    assert value == pytest.approx(expected[0], rel=1e-11, abs=1e-11)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-11, atol=size)
    np.testing.assert_allclose(hessian, expected[2], rtol=1e-11, atol=size)
    np.testing.assert_array_equal(hessian, hessian.T)
    center = coef[:-1] * 3
    for one, other in zip(
        _native.logistic_sums(X, y, w, coef, True, center),
        _native.logistic_sums(X - center, y, w, coef, True),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
    again = _native.logistic_sums(X, y, w, coef, False)
    assert again[0] == value
    np.testing.assert_array_equal(again[1], gradient)
    assert again[2].shape == (0, 0)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(table=tables(), k=st.integers(1, 9))
def test_sums_of_several_classes_agree_with_the_plain_twin(table, k):
    X, _, w, center = table
    rng = np.random.default_rng(len(X) + k)
    y, coef, center = (
        rng.integers(k, size=len(X), dtype=np.int32),
        rng.normal(size=(k, len(center))),
        center[:-1],
    )
    sums = _native.softmax_sums(X, y, w, coef, True, center)
    size = 1e-11 * (1 + np.abs(X - center).max(initial=0)) ** 2 * len(X)
    for one, other in zip(sums, oracle.softmax_sums(X - center, y, w, coef), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=size)
    np.testing.assert_array_equal(sums[2], sums[2].T)
    value, gradient, hessian = _native.softmax_sums(X, y, w, coef, False, center)
    assert (value, hessian.shape) == (sums[0], (0, 0))
    np.testing.assert_array_equal(gradient, sums[1])


@settings(derandomize=True, max_examples=100, deadline=None)
@given(table=tables())
def test_gram_agrees_with_the_plain_twin(table):
    X, y, w, _ = table
    h = y.astype(float) if w is None else w
    np.testing.assert_allclose(
        _native.weighted_gram(X, h), oracle.weighted_gram(X, h), rtol=1e-11, atol=1e-10 * (1 + len(X))
    )


def test_far_scores_neither_overflow_nor_lose_their_digits():
    X = np.array([[1000.0], [-1000.0], [1000.0], [-40.0]])
    y = np.array([1, 0, 0, 0], dtype=np.int32)
    value, gradient, hessian = _native.logistic_sums(X, y, None, np.array([1.0, 0.0]), True)
    assert value == pytest.approx(1000 + np.exp(-40.0), rel=1e-15)
    assert gradient.tolist() == pytest.approx([1000.0, 1.0])
    assert hessian[1, 1] == pytest.approx(np.exp(-40.0), rel=1e-12)


def test_far_scores_of_several_classes_do_not_overflow():
    X, y = np.array([[1000.0], [-1000.0]]), np.array([0, 0], dtype=np.int32)
    value, gradient, _ = _native.softmax_sums(
        X, y, None, np.array([[1.0, 0], [0, 0], [-1, 0]]), True, np.zeros(1)
    )
    assert value == 2000.0  # the second row, whose own score is -1000 beside 1000
    assert gradient.ravel().tolist() == pytest.approx([1000.0, -1.0, 0.0, 0.0, -1000.0, 1.0], abs=1e-300)


def test_sums_of_several_classes_refuse_what_does_not_fit():
    X, y, coef, center = np.zeros((3, 2)), np.zeros(3, dtype=np.int32), np.zeros((2, 3)), np.zeros(2)
    with pytest.raises(ValueError, match="y must have one entry per row"):
        _native.softmax_sums(X, y[:2], None, coef, True, center)
    with pytest.raises(ValueError, match="w must have one entry per row"):
        _native.softmax_sums(X, y, np.ones(2), coef, True, center)
    with pytest.raises(ValueError, match="one for the intercepts; it has 2 for 2 columns"):
        _native.softmax_sums(X, y, None, np.zeros((2, 2)), True, center)
    with pytest.raises(ValueError, match="coef must have one row per class; it has none"):
        _native.softmax_sums(X, y, None, np.zeros((0, 3)), True, center)
    with pytest.raises(ValueError, match="y must hold classes below 2; row 1 has 2"):
        _native.softmax_sums(X, np.array([0, 2, 1], dtype=np.int32), None, coef, True, center)
    with pytest.raises(ValueError, match="center must have one entry per column of X; it has 1 for 2"):
        _native.softmax_sums(X, y, None, coef, True, np.zeros(1))
    with pytest.raises(ValueError, match="w must be 0 or more; row 2 has nan"):
        _native.softmax_sums(X, y, np.array([1.0, 1.0, np.nan]), coef, True, center)


def test_sums_refuse_what_does_not_fit():
    X, y, coef = np.zeros((3, 2)), np.zeros(3, dtype=np.int32), np.zeros(3)
    with pytest.raises(ValueError, match="y must have one entry per row"):
        _native.logistic_sums(X, y[:2], None, coef, True)
    with pytest.raises(ValueError, match="w must have one entry per row"):
        _native.logistic_sums(X, y, np.ones(2), coef, True)
    with pytest.raises(ValueError, match="one for the intercept; it has 2 for 2 columns"):
        _native.logistic_sums(X, y, None, coef[:2], True)
    with pytest.raises(ValueError, match="y must be 0 or 1; row 1 has 2"):
        _native.logistic_sums(X, np.array([0, 2, 1], dtype=np.int32), None, coef, True)
    with pytest.raises(ValueError, match="center must have one entry per column of X; it has 1 for 2"):
        _native.logistic_sums(X, y, None, coef, True, np.zeros(1))
    with pytest.raises(ValueError, match="w must be 0 or more; row 2 has nan"):
        _native.logistic_sums(X, y, np.array([1.0, 1.0, np.nan]), coef, True)
    with pytest.raises(ValueError, match="h must be 0 or more; row 0 has -1"):
        _native.weighted_gram(X, np.full(3, -1.0))
    with pytest.raises(ValueError, match="h must have one entry per row"):
        _native.weighted_gram(X, np.ones(4))


@settings(derandomize=True, max_examples=100, deadline=None)
@given(n=st.integers(1, 7), seed=st.integers(0, 2**32), lasso=st.booleans())
def test_coordinate_descent_agrees_with_the_plain_twin(n, seed, lasso):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n + 3, n))
    H, g, start = A.T @ A + np.eye(n), rng.normal(size=n) * 5, rng.normal(size=n)
    l1 = rng.uniform(0, 3, n) * lasso
    x, sweeps, settled = _native.coordinate_descent(H, g, l1, start, 1e-30, 500)
    assert settled
    np.testing.assert_allclose(x, oracle.coordinate_descent(H, g, l1, start, sweeps), rtol=1e-9, atol=1e-12)
    # At the minimum the slope is balanced by the absolute value, or within its reach at 0.
    slope = g + H @ (x - start)
    np.testing.assert_allclose(slope[x != 0], (-l1 * np.sign(x))[x != 0], atol=1e-10)
    assert (np.abs(slope[x == 0]) <= l1[x == 0] + 1e-10).all()


@settings(max_examples=60)
@given(n=st.integers(1, 8), seed=st.integers(0, 10**6), lasso=st.booleans())
def test_coordinate_descent_without_negative_entries(n, seed, lasso):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n + 3, n))
    H, g, start = A.T @ A + np.eye(n), rng.normal(size=n) * 5, np.abs(rng.normal(size=n))
    l1 = rng.uniform(0, 3, n) * lasso
    x, sweeps, settled = _native.coordinate_descent(H, g, l1, start, 1e-30, 500, positive=True)
    assert settled
    twin = oracle.coordinate_descent(H, g, l1, start, sweeps, positive=True)
    np.testing.assert_allclose(x, twin, rtol=1e-9, atol=1e-12)
    slope = g + H @ (x - start) + l1
    assert (x >= 0).all()
    np.testing.assert_allclose(slope[x > 0], 0.0, atol=1e-10)
    assert (slope >= -1e-10).all()


def test_coordinate_descent_without_bend_or_time():
    flat = np.zeros((2, 2))
    x, _, settled = _native.coordinate_descent(
        flat, np.zeros(2), np.array([1.0, 0.0]), np.array([3.0, 4.0]), 0, 9
    )
    assert (x.tolist(), settled) == ([0.0, 4.0], True)
    H = np.array([[1.0, 0.99], [0.99, 1.0]])
    assert not _native.coordinate_descent(H, np.array([-1.0, 1.0]), np.zeros(2), np.zeros(2), 1e-20, 3)[2]


def test_coordinate_descent_refuses_what_does_not_fit():
    H, v = np.eye(2), np.zeros(2)
    with pytest.raises(ValueError, match="hessian must be square"):
        _native.coordinate_descent(np.eye(3), v, v, v, 0.0, 1)
    with pytest.raises(ValueError, match="start must be 0 or more; entry 1 has -1"):
        _native.coordinate_descent(H, v, v, np.array([0.0, -1.0]), 0.0, 1, positive=True)
    with pytest.raises(ValueError, match="gradient and l1"):
        _native.coordinate_descent(H, np.zeros(3), v, v, 0.0, 1)
    with pytest.raises(ValueError, match="l1 must be 0 or more; entry 1 has -1"):
        _native.coordinate_descent(H, v, np.array([0.0, -1.0]), v, 0.0, 1)
