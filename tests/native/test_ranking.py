"""Kernels on ranked rows and their twins agree: ties, weights, infinities, draws on any threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tests.oracles import ranking as oracle

from hornbook import _native

# few distinct values, so that there are ties; also both zeros, denormals and infinities
values = st.sampled_from([0.0, -0.0, 5e-324, -1.5, 0.25, 1.0, 1e308, -np.inf, np.inf]) | st.floats(-2, 2)


@st.composite
def scored_rows(draw, weights=False):
    rows = draw(st.lists(st.tuples(st.booleans(), values, st.floats(0.0, 3.0)), min_size=2, max_size=40))
    y, score, w = (np.array(column) for column in zip(*rows, strict=True))
    assume(y.any() and not y.all())
    if not weights:
        return y, score, None
    assume(w[y].sum() > 0.1 and w[~y].sum() > 0.1)
    return y, score, w


def many_rows(n, seed, ties):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    score = rng.normal(size=n) + y
    return y, np.round(score, 1) if ties else score, rng.uniform(0.1, 2, size=n)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(rows=scored_rows() | scored_rows(weights=True))
def test_auc_is_the_share_of_pairs_in_the_right_order(rows):
    assert _native.auc(*rows) == pytest.approx(oracle.auc(*rows), abs=1e-14)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(rows=scored_rows() | scored_rows(weights=True))
def test_groups_agree_with_the_twin(rows):
    got, expected = _native.score_groups(*rows), oracle.score_groups(*rows)
    assert_array_equal(got[0], expected[0])
    assert not np.signbit(got[0][got[0] == 0]).any()
    assert_allclose(got[1], expected[1], rtol=1e-15)
    assert_allclose(got[2], expected[2], rtol=1e-15)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [1023, 1024, 1500, 3001])
def test_many_rows_are_sorted_by_digits(n, ties):
    y, score, w = many_rows(n, n, ties)
    for weights in (None, w):
        assert _native.auc(y, score, weights) == pytest.approx(oracle.auc(y, score, weights), abs=1e-13)
        scores, positive, negative = _native.score_groups(y, score, weights)
        assert_array_equal(scores, np.unique(score)[::-1])
        own = np.ones(n) if weights is None else weights
        assert_allclose(positive, [own[(score == s) & y].sum() for s in scores], rtol=1e-13)
        assert_allclose(negative, [own[(score == s) & ~y].sum() for s in scores], rtol=1e-13)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    rows=scored_rows(), seed=st.integers(0, 2**64 - 1), stream=st.integers(0, 99), threads=st.integers(1, 4)
)
def test_replicates_agree_with_the_twin_for_any_threads(rows, seed, stream, threads):
    y, score, _ = rows
    got = _native.auc_bootstrap(y, score, 20, seed, stream, threads)
    assert_allclose(got, oracle.auc_bootstrap(y, score, 20, seed, stream), atol=1e-14)


def test_replicates_of_many_rows_do_not_depend_on_threads():
    y, score, _ = many_rows(2000, 3, ties=True)
    one = _native.auc_bootstrap(y, score, 100, 5, 0, 1)
    assert len(set(one.tolist())) > 90
    for threads in (2, 3, 7):
        assert_array_equal(_native.auc_bootstrap(y, score, 100, 5, 0, threads), one)
    assert_array_equal(_native.auc_bootstrap(y, score, 60, 5, 0, 2), one[:60])


def test_one_positive_row_is_drawn_again_until_it_is_there():
    y = np.array([False] * 9 + [True])
    replicates = _native.auc_bootstrap(y, np.arange(10.0), 200, 1, 0, 2)
    assert_array_equal(replicates, np.ones(200))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(steps=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=0, max_size=12))
def test_the_hull_agrees_with_the_twin(steps):
    x, y = np.cumsum([(0, 0), *steps], axis=0).T.astype(np.float64)
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    assume(len(set(points)) == len(points))
    assert_array_equal(_native.upper_hull(x.copy(), y.copy()), oracle.upper_hull(x, y))


def test_refusals():
    y, score = np.array([True, False]), np.array([0.1, 0.2])
    with pytest.raises(ValueError, match=r"score is NaN in row 1\."):
        _native.auc(y, np.array([0.1, np.nan]), None)
    with pytest.raises(ValueError, match=r"w must be finite and not negative; got -1 in row 0\."):
        _native.score_groups(y, score, np.array([-1.0, 1.0]))
    with pytest.raises(ValueError, match=r"w must be finite and not negative; got nan in row 1\."):
        _native.auc(y, score, np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match=r"y must have the 2 entries of score; got 3\."):
        _native.auc(np.zeros(3, bool), score, None)
    with pytest.raises(ValueError, match=r"w must have the 2 entries of score; got 1\."):
        _native.auc(y, score, np.ones(1))
    for call in (
        lambda: _native.auc(np.ones(2, bool), score, None),
        lambda: _native.auc(y, score, np.array([1.0, 0.0])),
        lambda: _native.auc_bootstrap(np.zeros(2, bool), score, 1, 0, 0, 1),
    ):
        with pytest.raises(ValueError, match=r"both classes need a row of positive weight; one has none\."):
            call()
    with pytest.raises(ValueError, match=r"n_replicates must be at least 0; got -1\."):
        _native.auc_bootstrap(y, score, -1, 0, 0, 1)
    with pytest.raises(ValueError, match=r"threads must be at least 1; got 0\."):
        _native.auc_bootstrap(y, score, 1, 0, 0, 0)
    for x, y in (([1.0, 0.0], [0.0, 0.0]), ([0.0, 0.0], [1.0, 0.0])):
        with pytest.raises(ValueError, match=r"neither x nor y may descend; one does at point 1\."):
            _native.upper_hull(np.array(x), np.array(y))
    with pytest.raises(ValueError, match=r"point 1 is not finite\."):
        _native.upper_hull(np.array([0.0, np.inf]), np.zeros(2))
    with pytest.raises(ValueError, match=r"x and y must have the same length; got 2 and 3\."):
        _native.upper_hull(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize(
    "bad",
    [
        (np.zeros(2, np.uint8), np.zeros(2), None),
        (np.zeros(2, bool), np.zeros(2, np.float32), None),
        (np.zeros(2, bool), np.zeros(2), np.zeros(2, np.float32)),
        (np.zeros(2, bool), np.zeros((2, 1)), None),
        ([True], np.zeros(1), None),
    ],
)
def test_nothing_is_converted(bad):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.auc(*bad)
