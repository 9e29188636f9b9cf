"""Kernel densities: the twin, SciPy as judge, and places far from every point."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import gaussian_kde, norm
from tests.oracles.kernel_density import kernel_joint

from hornbook import _native


def one(points, bandwidth, weights=None):
    """Arguments for one class and one column."""
    points = np.sort(np.asarray(points, dtype=np.float64))
    weights = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    return points, weights, np.array([0, len(points)]), np.array([[bandwidth]])


def many(rng, n_classes, cols, largest):
    """Arguments for samples of random sizes, some of them with ties, and unequal weights."""
    sizes = rng.integers(1, largest + 1, n_classes * cols)
    samples = [np.sort(np.round(rng.standard_normal(size) * 3, rng.integers(0, 9))) for size in sizes]
    points = np.concatenate([*samples, np.zeros(0)])
    weights = 10.0 ** rng.uniform(-3, 3, len(points))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    return points, weights, offsets, 10.0 ** rng.uniform(-2, 1, (n_classes, cols))


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    rows=st.integers(0, 60),
    cols=st.integers(0, 4),
    n_classes=st.integers(1, 4),
    largest=st.sampled_from([1, 3, 20, 300]),
    missing=st.sampled_from([0.0, 0.3, 1.0]),
    spread=st.sampled_from([1.0, 30.0, 1e6]),
    seed=st.integers(0, 99),
    threads=st.integers(1, 5),
)
def test_agrees_with_the_twin(rows, cols, n_classes, largest, missing, spread, seed, threads):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) * spread
    X[rng.random(X.shape) < missing] = np.nan
    arguments = many(rng, n_classes, cols, largest)
    got = _native.kernel_joint(X, *arguments, threads)
    assert got.shape == (rows, n_classes)
    assert_allclose(got, kernel_joint(X, *arguments), rtol=1e-12, atol=1e-12)
    assert_array_equal(got, _native.kernel_joint(X, *arguments, 1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("factor", [0.05, 0.5, 3.0])
def test_agrees_with_scipy(factor, weighted):
    rng = np.random.default_rng(7)
    points = np.sort(rng.gamma(2.0, size=500))
    weights = rng.random(500) + 0.01 if weighted else None
    judge = gaussian_kde(points, bw_method=factor, weights=weights)
    X = rng.uniform(-2, 12, (300, 1))
    got = _native.kernel_joint(X, *one(points, math.sqrt(judge.covariance[0, 0]), weights), 2)
    assert_allclose(got[:, 0], judge.logpdf(X[:, 0]), rtol=1e-11, atol=1e-12)


def test_it_is_a_density():
    grid = np.linspace(-15, 15, 30_001)
    log_density = _native.kernel_joint(grid[:, None].copy(), *one([-3, 0, 0.2, 4], 0.7, [1, 2, 3, 4]), 2)
    assert np.trapezoid(np.exp(log_density[:, 0]), grid) == pytest.approx(1.0, abs=1e-12)


def test_one_point_is_a_normal_density():
    X = np.linspace(-40, 40, 101)[:, None].copy()
    got = _native.kernel_joint(X, *one([1.5], 0.25, [123.0]), 1)
    assert_allclose(got, norm.logpdf(X, 1.5, 0.25), rtol=1e-13)


def test_the_exponential_is_good_to_the_last_digits():
    distance = np.linspace(0, 9, 2001)
    got = [_native.kernel_joint(np.zeros((1, 1)), *one([0, z], 1.0), 1)[0, 0] for z in distance]
    expected = norm.logpdf(0) - math.log(2) + np.log1p(np.exp(-(distance**2) / 2))
    assert_allclose(got, expected, rtol=0, atol=1e-15)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    x=st.floats(-1e150, 1e150) | st.floats(-1e3, 1e3),
    points=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20),
    log_bandwidth=st.floats(-3, 3),
)
def test_far_from_every_point_the_nearest_decides(x, points, log_bandwidth):
    h = 10.0**log_bandwidth
    got = _native.kernel_joint(np.array([[x]]), *one(points, h), 1)[0, 0]
    nearest = min(points, key=lambda p: abs(x - p))
    share = norm.logpdf(x, nearest, h)
    # The sum lies between the nearest kernel's share and that kernel counted for all points.
    slack = 1e-12 * max(1.0, abs(share))
    assert math.isfinite(got)
    assert share - math.log(len(points)) - slack <= got <= share + slack


def test_a_heavy_point_far_away_outweighs_a_light_one_nearby():
    points, weights = [0.0, 30.0], [1e-300, 1e300]
    got = _native.kernel_joint(np.array([[1.0], [-50.0]]), *one(points, 1.0, weights), 1)[:, 0]
    far, near = norm.logpdf([1.0, -50.0], 30.0), norm.logpdf([1.0, -50.0], 0.0) - 600 * math.log(10)
    assert_allclose(got, np.logaddexp(far, near), rtol=1e-13)


def test_huge_weights_do_not_overflow():
    got = _native.kernel_joint(np.array([[0.0]]), *one([0, 0, 0, 0], 1.0, [1.7e308] * 4), 1)
    assert got[0, 0] == pytest.approx(norm.logpdf(0), rel=1e-14)


def test_numbers_at_the_ends_of_the_range():
    arguments = one([-1.7e308, 1.7e308], 1e308)
    got = _native.kernel_joint(np.array([[0.0], [1.7e308]]), *arguments, 1)[:, 0]
    scale = norm.logpdf(0) - math.log(1e308)
    expected = [scale - 1.7**2 / 2, scale + math.log1p(math.exp(-(3.4**2) / 2)) - math.log(2)]
    assert_allclose(got, expected, rtol=1e-13)
    infinitely_far = _native.kernel_joint(
        np.array([[1e300], [np.inf], [-np.inf]]), *one([0.0, 1.0], 1e-300), 1
    )
    assert infinitely_far.ravel().tolist() == [-np.inf] * 3


def test_a_row_does_not_depend_on_the_others():
    rng = np.random.default_rng(3)
    arguments = many(rng, 3, 2, 200)
    X = rng.standard_normal((100, 2))
    alone = [_native.kernel_joint(X[i : i + 1], *arguments, 1)[0] for i in range(100)]
    assert_array_equal(_native.kernel_joint(X, *arguments, 3), alone)


def test_points_beyond_the_last_offset_and_before_the_first_are_not_read():
    points = np.array([np.nan, 0.0, 1.0, np.nan])
    got = _native.kernel_joint(np.zeros((1, 1)), points, np.ones(4), np.array([1, 3]), np.ones((1, 1)), 1)
    assert_array_equal(got, _native.kernel_joint(np.zeros((1, 1)), *one([0, 1], 1.0), 1))


GOOD = {
    "X": np.zeros((2, 1)),
    "points": np.array([0.0, 1.0, 2.0]),
    "weights": np.ones(3),
    "offsets": np.array([0, 1, 3]),
    "bandwidth": np.ones((2, 1)),
    "threads": 1,
}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"X": np.zeros((2, 2))}, "bandwidth must have one column per column of X; it has 1 for 2."),
        ({"weights": np.ones(2)}, "weights must have one entry per point; it has 2 for 3 points."),
        (
            {"offsets": np.array([0, 3])},
            "one entry per class and column and one more; it has 2 instead of 3.",
        ),
        ({"offsets": np.array([], np.int64)}, "and one more; it has 0 instead of 3."),
        ({"offsets": np.array([0, 1, 4])}, "offsets must end within points; the last is 4 for 3 points."),
        (
            {"offsets": np.array([0, 1, 2**63 - 1])},
            "offsets must end within points; the last is 9223372036854775807",
        ),
        ({"offsets": np.array([-1, 1, 3])}, "offsets must not be negative; the first is -1."),
        (
            {"offsets": np.array([-(2**63), 1, 3])},
            "offsets must not be negative; the first is -9223372036854775808.",
        ),
        ({"offsets": np.array([0, 2, 1])}, "every class and column needs a point; entry 2 is 1 after 2."),
        ({"offsets": np.array([0, 9, 3])}, "every class and column needs a point; entry 2 is 3 after 9."),
        ({"offsets": np.array([0, 0, 3])}, "every class and column needs a point; entry 1 is 0 after 0."),
        (
            {"points": np.array([0.0, 2.0, 1.0])},
            "points must ascend within a class and column; point 2 is 1 after 2.",
        ),
        ({"points": np.array([0.0, 1.0, np.nan])}, "points must be finite; point 2 is nan."),
        ({"points": np.array([-np.inf, 1.0, 2.0])}, "points must be finite; point 0 is -inf."),
        ({"weights": np.array([1.0, 0.0, 1.0])}, "weights must be above 0 and finite; weight 1 is 0."),
        ({"weights": np.array([1.0, np.nan, 1.0])}, "weights must be above 0 and finite; weight 1 is nan."),
        (
            {"bandwidth": np.array([[1.0], [0.0]])},
            "bandwidth must be above 0 (at least 4.45015e-308) and finite; got 0.",
        ),
        ({"bandwidth": np.array([[1.0], [np.inf]])}, "and finite; got inf."),
        ({"bandwidth": np.array([[np.nan], [1.0]])}, "and finite; got nan."),
        ({"threads": 0}, "threads must be at least 1; got 0."),
    ],
)
def test_refusals(change, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.kernel_joint(**{**GOOD, **change})


@pytest.mark.parametrize("name", ["X", "points", "weights", "offsets", "bandwidth"])
def test_nothing_is_converted(name):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.kernel_joint(**{**GOOD, name: GOOD[name].astype(np.int32)})


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    offsets=st.just([0, 1, 3, 4, 8]) | st.lists(st.integers(-3, 9) | st.integers(-(2**63), 2**63 - 1)),
    points=st.lists(st.floats(), min_size=8, max_size=8),
    weights=st.lists(st.floats(), min_size=8, max_size=8) | st.lists(st.floats(1e-300, 1e300), max_size=8),
    bandwidth=st.lists(st.floats() | st.floats(1e-307, 1e300), min_size=4, max_size=4),
    ordered=st.booleans(),
    x=st.lists(st.floats(), min_size=2, max_size=2),
)
def test_whatever_a_file_says_there_is_an_answer_or_a_refusal(
    offsets, points, weights, bandwidth, ordered, x
):
    arguments = (
        np.array([x]),
        np.array(sorted(points) if ordered else points),
        np.array(weights, dtype=np.float64),
        np.array(offsets, dtype=np.int64),
        np.array(bandwidth).reshape(2, 2),
    )
    try:
        got = _native.kernel_joint(*arguments, 1)
    except ValueError:
        return
    assert not np.isnan(got).any()


@settings(derandomize=True, max_examples=300, deadline=None)
@given(
    points=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9),
    weight=st.floats(5e-324, 1.7e308),
    bandwidth=st.floats(5e-308, 1.7e308),
    x=st.floats(allow_nan=False),
)
def test_no_finite_numbers_give_nan(points, weight, bandwidth, x):
    weights = [weight] * (len(points) - 1) + [1.0]
    got = _native.kernel_joint(np.array([[x]]), *one(points, bandwidth, weights), 1)
    assert got[0, 0] < np.inf
