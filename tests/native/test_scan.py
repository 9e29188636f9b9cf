"""The scan kernel and its twin agree on every layout, and on what is missing or infinite."""

from __future__ import annotations

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tests.oracles.scan import scan

from hornbook import _native

matrices = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=12),
    elements=st.floats(allow_nan=True, allow_infinity=True) | st.sampled_from([0.0, -0.0, np.nan]),
)


def check(X, threads):
    expected = scan(X)
    got = _native.scan(X, threads)
    assert [part.dtype for part in got[:3]] == [np.int64, np.float64, np.float64]
    for mine, theirs in zip(got, expected, strict=True):
        assert_array_equal(mine, theirs)
    assert _native.all_finite(X, threads) == bool(np.isfinite(X).all())


@settings(derandomize=True, max_examples=200, deadline=None)
@given(X=matrices, threads=st.integers(1, 5))
def test_agrees_with_the_twin_on_any_numbers(X, threads):
    check(X, threads)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    rows=st.integers(1, 3000),
    cols=st.integers(1, 70),
    seed=st.integers(0, 99),
    threads=st.integers(1, 5),
    infinities=st.integers(0, 3),
)
def test_agrees_with_the_twin_on_many_rows(rows, cols, seed, threads, infinities):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols))
    X[rng.random(X.shape) < 0.1] = np.nan
    X.flat[rng.integers(0, X.size, infinities)] = rng.choice([np.inf, -np.inf], infinities)
    check(X, threads)


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda X: X[::-1],
        lambda X: X[:, ::-1],
        lambda X: X[::3, 1::2],
        lambda X: np.repeat(X, 2, axis=0)[::2],
        lambda X: np.broadcast_to(X[0], X.shape),
        lambda X: np.broadcast_to(X[:, :1], X.shape),
    ],
)
def test_any_layout_is_read_in_place(layout):
    X = np.random.default_rng(1).standard_normal((700, 37))
    X[5, 6] = X[600, 3] = np.nan
    X[432, 9] = -np.inf
    check(layout(X), 2)


def test_zeros_of_both_signs_are_one_number():
    X = np.array([[0.0], [-0.0]])
    for order in (X, X[::-1]):
        _, low, high, _ = _native.scan(order, 1)
        assert not np.signbit([low, high]).any()


def test_the_first_infinity_is_the_first_in_reading_order():
    X = np.zeros((90_000, 3))
    X[40_000, 2] = X[40_001, 0] = np.inf
    X[80_000, 0] = -np.inf
    for threads in range(1, 6):
        assert _native.scan(X, threads)[3] == 40_000 * 3 + 2


def test_a_read_only_memory_map_is_accepted(tmp_path):
    X = np.arange(12.0).reshape(4, 3)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    missing, low, high, infinite = _native.scan(mapped, 2)
    assert (missing.tolist(), low.tolist(), high.tolist(), infinite) == ([0] * 3, [0, 1, 2], [9, 10, 11], -1)


@pytest.mark.parametrize(
    "bad", [np.zeros((2, 2), np.float32), np.zeros(2), np.zeros((2, 2, 2)), [[0.0]], None]
)
def test_nothing_is_converted(bad):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.scan(bad, 1)


def test_refusals():
    with pytest.raises(ValueError, match=r"threads must be at least 1; got 0\."):
        _native.scan(np.zeros((0, 2)), 0)
    with pytest.raises(ValueError, match=r"X must be aligned in memory; pass a copy of it\."):
        _native.scan(np.zeros(33, np.uint8)[1:].view(np.float64).reshape(2, 2), 1)
