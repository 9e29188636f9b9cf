"""The generator is the published one, word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tests.oracles.philox import philox

from hornbook import _native

words = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**64 - 1])


@settings(derandomize=True, max_examples=100, deadline=None)
@given(seed=words, stream=words, index=words, n=st.integers(0, 40))
def test_agrees_with_the_twin_and_with_numpy(seed, stream, index, n):
    got = _native.philox(seed, stream, index, n)
    assert got.dtype == np.uint64
    assert_array_equal(got, philox(seed, stream, index, n))
    # NumPy moves the counter on before it draws, so it starts one below (0, index, 0, 0).
    before = ((index << 64) - 1) % 2**256
    numpy_draws = np.random.Philox(key=seed | stream << 64, counter=before).random_raw(n)
    assert_array_equal(got, numpy_draws)


def test_a_longer_draw_starts_with_the_shorter_one():
    long = _native.philox(1, 2, 3, 10_001)
    for n in (1, 3, 4, 5, 9_999):
        assert_array_equal(_native.philox(1, 2, 3, n), long[:n])


def test_places_do_not_meet():
    places = [(s, t, i) for s in range(3) for t in range(3) for i in range(3)]
    draws = np.concatenate([_native.philox(*place, 100) for place in places])
    assert len(np.unique(draws)) == len(draws)


def test_refusals():
    with pytest.raises(ValueError, match=r"n must be at least 0; got -1\."):
        _native.philox(0, 0, 0, -1)
    for wrong in (-1, 2**64, 1.5, "1", None):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            _native.philox(wrong, 0, 0, 1)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(start=st.integers(0, 50), n=st.integers(0, 30))
def test_a_later_start_is_a_later_part_of_the_same_words(start, n):
    whole = _native.philox(3, 5, 7, start + n)
    np.testing.assert_array_equal(_native.philox(3, 5, 7, n, start), whole[start:])


def test_a_negative_start_is_refused():
    with pytest.raises(ValueError, match="start must be at least 0; got -1"):
        _native.philox(0, 0, 0, 4, -1)
