"""log_softmax against its twin and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.special import log_softmax, logsumexp
from tests.oracles import softmax as oracle

from hornbook import _native

scores = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=8),
    elements=st.one_of(st.floats(-800, 800), st.sampled_from([-np.inf, -1e300, 1e300])),
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(x=scores, threads=st.integers(1, 5))
def test_agrees_with_the_plain_twin(x, threads):
    shares, total = _native.log_softmax(x, threads)
    expected, expected_total = oracle.log_softmax(x)
    np.testing.assert_allclose(total, expected_total, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(shares, expected, rtol=1e-12, atol=1e-12)


def test_agrees_with_scipy_and_any_number_of_threads():
    x = np.random.default_rng(0).normal(size=(20_000, 5)) * 50
    shares, total = _native.log_softmax(x, 1)
    np.testing.assert_allclose(shares, log_softmax(x, axis=1), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(total, logsumexp(x, axis=1), rtol=1e-12)
    for threads in (2, 3, 7):
        np.testing.assert_array_equal(_native.log_softmax(x, threads)[0], shares)


def test_infinite_scores_are_certain_or_impossible():
    shares, total = _native.log_softmax(np.array([[-np.inf, -np.inf], [np.inf, 3.0], [-np.inf, 3.0]]), 1)
    assert total.tolist() == [-np.inf, np.inf, 3.0]
    assert shares.tolist() == [[-np.inf, -np.inf], [0.0, -np.inf], [-np.inf, 0.0]]


def test_refusals():
    with pytest.raises(ValueError, match="at least one column"):
        _native.log_softmax(np.empty((3, 0)), 1)
    with pytest.raises(ValueError, match="threads"):
        _native.log_softmax(np.zeros((3, 2)), 0)
    with pytest.raises(TypeError):
        _native.log_softmax(np.zeros((3, 2), dtype=np.float32), 1)


def test_shares_sum_to_one_however_large_the_scores():
    x = np.array([[-5e20, -5e20, -6e20], [1e300, 1e300, 0.0], [np.inf, np.inf, 3.0]])
    shares, _ = _native.log_softmax(x, 1)
    np.testing.assert_allclose(np.exp(shares), [[0.5, 0.5, 0.0]] * 3, rtol=1e-15)
