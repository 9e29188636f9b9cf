"""Moments of each class: the twin, exact arithmetic, and the numbers where simple formulas fail."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tests.oracles.class_stats import class_moments

from hornbook import _native

finite = st.floats(allow_nan=False, allow_infinity=False)
moderate = st.floats(-1e150, 1e150)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    rows=st.integers(0, 4) | st.integers(0, 400),
    cols=st.integers(0, 40),
    n_classes=st.integers(1, 5) | st.integers(1, 300),
    missing=st.sampled_from([0.0, 0.1, 0.9, 1.0]),
    weights=st.sampled_from(["none", "any", "zeros"]),
    offset=st.sampled_from([0.0, 1e3, -1e6]),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_twin(rows, cols, n_classes, missing, weights, offset, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) + offset
    X[rng.random(X.shape) < missing] = np.nan
    y = rng.integers(0, n_classes, rows).astype(np.int32)
    w = None if weights == "none" else rng.random(rows) * 10.0 ** rng.integers(-3, 3, rows)
    if weights == "zeros":
        w[rng.random(rows) < 0.5] = 0.0
    mass, mean, scatter = _native.class_moments(X, y, w, n_classes)
    twin_mass, twin_mean, twin_scatter = class_moments(X, y, w, n_classes)
    assert_allclose(mass, twin_mass, rtol=1e-13)
    assert_allclose(mean, twin_mean, rtol=1e-13, atol=1e-13)
    # the twin's mean is off by up to offset * 1e-16, which enters squared and times the mass
    assert_allclose(scatter, twin_scatter, rtol=1e-11, atol=1e-15)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(values=st.lists(moderate, min_size=1, max_size=12), data=st.data())
def test_any_numbers_against_exact_arithmetic(values, data):
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    X, w = np.array(values)[:, None], np.array(weights, dtype=np.float64)
    mass, mean, scatter = _native.class_moments(X, np.zeros(len(X), np.int32), w, 1)
    exact_mass = sum(weights)
    exact_mean = sum(Fraction(v) * k for v, k in zip(values, weights, strict=True)) / exact_mass
    exact_scatter = sum((Fraction(v) - exact_mean) ** 2 * k for v, k in zip(values, weights, strict=True))
    spread = max(values) - min(values)
    assert mass[0, 0] == exact_mass
    assert abs(Fraction(mean[0, 0]) - exact_mean) <= Fraction(
        spread * 1e-14 + abs(mean[0, 0]) * 3e-16 + 5e-324
    )
    # one rounding of the mean, squared and times the mass, is all that may come on top of relative error
    slack = exact_mass * (abs(mean[0, 0]) * 3e-16) ** 2
    assert abs(Fraction(scatter[0, 0]) - exact_scatter) <= exact_scatter * Fraction(1e-12) + Fraction(
        slack + 1e-300
    )


def test_a_large_offset_costs_no_digits():
    values = [1e9 + k for k in (0, 1, 2, 3)]
    _, mean, scatter = _native.class_moments(np.array(values)[:, None], np.zeros(4, np.int32), None, 1)
    assert (mean[0, 0], scatter[0, 0]) == (1e9 + 1.5, 5.0)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(value=finite, rows=st.integers(1, 5000), seed=st.integers(0, 9), weighted=st.booleans())
def test_a_constant_column_has_its_value_as_mean_and_no_scatter(value, rows, seed, weighted):
    w = np.random.default_rng(seed).random(rows) + 0.1 if weighted else None
    _, mean, scatter = _native.class_moments(np.full((rows, 1), value), np.zeros(rows, np.int32), w, 1)
    assert (mean[0, 0], scatter[0, 0]) == (value, 0.0)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(values=st.lists(finite, min_size=1, max_size=30), data=st.data())
def test_no_finite_numbers_give_nan(values, data):
    size = st.lists(st.floats(0.0, 1e307), min_size=len(values), max_size=len(values))
    w = np.array(data.draw(size))
    X = np.array(values)[:, None]
    for weights in (None, w):
        mass, mean, scatter = _native.class_moments(X, np.zeros(len(X), np.int32), weights, 1)
        assert np.isfinite(mean).all()
        assert (mass >= 0).all()
        assert (scatter >= 0).all()
        rounding = 1e-14 * max(map(abs, values))
        if mass[0, 0] > 0:
            assert min(values) - rounding <= mean[0, 0] <= max(values) + rounding


def test_overflow_gives_infinite_scatter_and_the_right_mean():
    X = np.array([[1.5e308, 1e200], [1.5e308, -1e200], [-1.5e308, 1e200], [-1.5e308, -1e200]])
    mass, mean, scatter = _native.class_moments(X, np.zeros(4, np.int32), None, 1)
    assert (mass.tolist(), mean.tolist()) == ([[4, 4]], [[0, 0]])
    assert scatter.tolist() == [[np.inf, np.inf]]


def test_rows_of_weight_zero_are_absent():
    X = np.array([[1.0], [1.7e308], [3.0], [-1.7e308]])
    w = np.array([1.0, 0.0, 1.0, 0.0])
    parts = _native.class_moments(X, np.zeros(4, np.int32), w, 2)
    assert [part.tolist() for part in parts] == [[[2], [0]], [[2], [0]], [[2], [0]]]


def test_whole_weights_are_repeated_rows():
    rng = np.random.default_rng(3)
    X, y, k = (
        rng.integers(-8, 8, (50, 4)) / 4.0,
        rng.integers(0, 3, 50).astype(np.int32),
        rng.integers(0, 4, 50),
    )
    weighted = _native.class_moments(X, y, k.astype(np.float64), 3)
    repeated = _native.class_moments(np.repeat(X, k, axis=0), np.repeat(y, k), None, 3)
    for mine, theirs in zip(weighted, repeated, strict=True):
        assert_allclose(mine, theirs, rtol=1e-13, atol=1e-13)


def test_every_addition_is_in_row_order_on_every_machine():
    """Bit for bit what a plain loop over the rows gives, whatever the width of the registers."""
    rng = np.random.default_rng(4)
    X, w = rng.standard_normal((300, 45)), rng.random(300)
    first, mass, total, scatter = X[0], 0.0, np.zeros(45), np.zeros(45)
    for row, weight in zip(X, w, strict=True):
        mass, total = mass + weight, total + weight * (row - first)
    center = first + total / mass
    for row, weight in zip(X, w, strict=True):
        scatter = scatter + weight * ((row - center) * (row - center))
    got = _native.class_moments(X, np.zeros(300, np.int32), w, 1)
    assert_array_equal(got, [np.full((1, 45), mass), center[None], scatter[None]])


def zeros(*shape):
    return np.zeros(shape)


def classes(*codes):
    return np.array(codes, np.int32)


@pytest.mark.parametrize(
    ("X", "y", "w", "n_classes", "sentence"),
    [
        (zeros(2, 1), classes(0), None, 1, "y must have one entry per row of X; it has 1 for 2 rows."),
        (zeros(2, 1), classes(0, 3), None, 3, "y must hold classes from 0 to 2; row 1 has 3."),
        (zeros(2, 1), classes(-1, 0), None, 3, "y must hold classes from 0 to 2; row 0 has -1."),
        (zeros(2, 1), classes(0, 0), zeros(3), 1, "w must have one entry per row of X; it has 3 for 2 rows."),
        (zeros(1, 1), classes(0), -np.ones(1), 1, "w must hold finite weights of at least 0; row 0 has -1."),
        (zeros(1, 1), classes(0), np.array([np.nan]), 1, "w must hold finite weights of at least 0"),
        (zeros(1, 1), classes(0), np.array([np.inf]), 1, "w must hold finite weights of at least 0"),
        (zeros(0, 1), classes(), None, 0, "n_classes must be at least 1; got 0."),
        (zeros(0, 1), classes(), None, -5, "n_classes must be at least 1; got -5."),
        (zeros(0, 3), classes(), None, 2**62, f"n_classes must be at most 16777216; got {2**62}."),
    ],
)
def test_refusals(X, y, w, n_classes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.class_moments(X, y, w, n_classes)


@pytest.mark.parametrize(
    ("X", "y", "w"),
    [
        (zeros(2, 1).astype(np.float32), classes(0, 0), None),
        (zeros(2, 1), np.zeros(2, np.int64), None),
        (zeros(2, 1), classes(0, 0), np.ones(2, np.float32)),
        (np.asfortranarray(zeros(2, 2)), classes(0, 0), None),
        (zeros(4, 1)[::2], classes(0, 0), None),
        (zeros(2), classes(0, 0), None),
        (zeros(2, 1), classes(0, 0)[:, None], None),
        ([[0.0], [0.0]], classes(0, 0), None),
        (None, classes(0, 0), None),
    ],
)
def test_nothing_is_converted(X, y, w):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.class_moments(X, y, w, 1)
