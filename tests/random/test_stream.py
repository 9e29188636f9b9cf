"""Streams of random numbers: the words of the oracle and of NumPy, however many are drawn at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.oracles.philox import philox

from hornbook.random import Stream

words = st.integers(0, 2**64 - 1)
steps = st.lists(st.integers(0, 90), max_size=8)
TOO_LARGE = 2**64


def numpy_words(seed: int, stream: int, index: int, n: int) -> np.ndarray:
    """NumPy's own Philox, which adds one to its 256-bit counter before it makes a block."""
    counter = ((index << 64) - 1) % 2**256
    return np.random.Philox(key=seed + (stream << 64), counter=counter).random_raw(n)


@given(seed=words, stream=words, index=words, n=st.integers(0, 150))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_words_are_those_of_the_twin_and_of_numpy(seed, stream, index, n):
    drawn = Stream(seed, stream, index).bits(n)
    assert drawn.dtype == np.uint64
    np.testing.assert_array_equal(drawn, philox(seed, stream, index, n))
    np.testing.assert_array_equal(drawn, numpy_words(seed, stream, index, n) if n else [])


def test_the_published_words():
    # The known answer of the authors for a key and a counter of zeros.
    assert Stream(0).bits(4).tolist() == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]


@given(seed=words, steps=steps)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_words_do_not_depend_on_the_steps(seed, steps):
    stepwise, once = Stream(seed), Stream(seed)
    parts = [stepwise.bits(n) for n in steps]
    np.testing.assert_array_equal(np.concatenate([*parts, stepwise.bits(3)]), once.bits(sum(steps) + 3))


@given(seed=words, steps=steps, bound=st.integers(1, 2**63))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_integers_do_not_depend_on_the_steps(seed, steps, bound):
    stepwise, once = Stream(seed), Stream(seed)
    parts = [stepwise.integers(bound, n) for n in [*steps, 2]]
    np.testing.assert_array_equal(np.concatenate(parts), once.integers(bound, sum(steps) + 2))
    assert stepwise.bits(1) == once.bits(1)


def test_calls_of_different_kinds_share_one_sequence():
    mixed, plain = Stream(3, 1, 4), Stream(3, 1, 4)
    first, second, third = mixed.uniform(3), mixed.permutation(4), mixed.bits(2)
    expected = plain.bits(9)
    np.testing.assert_array_equal(first, (expected[:3] >> np.uint64(11)) / 2.0**53)
    np.testing.assert_array_equal(second, np.argsort(expected[3:7]))
    np.testing.assert_array_equal(third, expected[7:])


def test_what_was_drawn_is_the_callers():
    stream = Stream(1)
    stream.bits(4)[:] = 0
    assert stream.bits(4).tolist() == philox(1, 0, 0, 8)[4:].tolist()


@given(seed=words, bound=st.integers(1, 2**63), n=st.integers(0, 40))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_integers_are_remainders_of_the_words_below_the_last_multiple(seed, bound, n):
    drawn = Stream(seed).integers(bound, n)
    plenty = [int(word) for word in philox(seed, 0, 0, 4 * n + 60)]
    kept = [word % bound for word in plenty if word < TOO_LARGE // bound * bound]
    assert drawn.dtype == np.int64
    assert drawn.tolist() == kept[:n]


def test_words_above_the_last_multiple_are_passed_over():
    # 2^63 - 1 goes twice into 2^64 with 2 left; 3 * 2^61 twice with a quarter of all words left.
    bound = 3 * 2**61
    source = philox(9, 0, 0, 2000)
    passed = np.count_nonzero(source >= np.uint64(2 * bound))
    stream = Stream(9)
    stream.integers(bound, 2000 - passed)
    assert 400 < passed < 600
    assert int(stream.bits(1)[0]) == int(philox(9, 0, 0, 2001)[2000])


@pytest.mark.parametrize("bound", [2, 7, 100])
def test_integers_are_equally_likely(bound):
    counts = np.bincount(Stream(11, bound).integers(bound, 100_000), minlength=bound)
    assert len(counts) == bound
    assert stats.chisquare(counts).pvalue > 0.001


def test_integers_of_a_large_bound_are_equally_likely():
    # Without rejection, the lower third would be drawn half of the time.
    bound = 3 * 2**61
    counts = np.bincount(Stream(12).integers(bound, 60_000) // 2**61, minlength=3)
    assert stats.chisquare(counts).pvalue > 0.001


def test_uniform_numbers_are_uniform_and_below_one():
    drawn = Stream(13).uniform(100_000)
    assert drawn.dtype == np.float64
    assert 0 <= drawn.min() < drawn.max() < 1
    assert stats.chisquare(np.histogram(drawn, bins=256, range=(0, 1))[0]).pvalue > 0.001
    assert (drawn * 2**53 % 1 == 0).all()


def test_the_largest_word_gives_a_number_below_one(monkeypatch):
    monkeypatch.setattr("hornbook._native.philox", lambda *_: np.full(64, 2**64 - 1, dtype=np.uint64))
    assert Stream(0).uniform(1)[0] == 1 - 2.0**-53


@given(seed=words, n=st.integers(0, 200))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_a_permutation_orders_the_words(seed, n):
    order = Stream(seed).permutation(n)
    assert order.dtype == np.int64
    assert sorted(order.tolist()) == list(range(n))
    assert (np.diff(philox(seed, 0, 0, n)[order].astype(object)) >= 0).all()


def test_equal_words_stay_in_their_order(monkeypatch):
    monkeypatch.setattr(
        "hornbook._native.philox", lambda *place: np.arange(place[3], dtype=np.uint64) % np.uint64(2)
    )
    assert Stream(0).permutation(6).tolist() == [0, 2, 4, 1, 3, 5]


def test_all_permutations_are_equally_likely():
    orders = [tuple(Stream(14, 0, index).permutation(4).tolist()) for index in range(4800)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == math.factorial(4)
    assert stats.chisquare(counts).pvalue > 0.001


def test_neighboring_streams_are_unrelated():
    drawn = np.stack(
        [Stream(*place).uniform(20_000) for place in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)]]
    )
    correlation = np.corrcoef(drawn)[np.triu_indices(4, 1)]
    assert np.abs(correlation).max() < 4 / math.sqrt(20_000)


@pytest.mark.parametrize("place", ["seed", "stream", "index"])
@pytest.mark.parametrize("wrong", [-1, 2**64])
def test_coordinates_outside_the_words_are_refused(place, wrong):
    with pytest.raises(
        ValueError, match=rf"^Stream: {place} must be an integer in \[0, 2\*\*64\); got {wrong}\.$"
    ):
        Stream(**{"seed": 0, place: wrong})


def test_a_coordinate_that_is_no_integer_is_refused():
    with pytest.raises(TypeError):
        Stream(1.5)


@pytest.mark.parametrize("method", ["bits", "uniform", "permutation"])
def test_a_negative_number_of_draws_is_refused(method):
    with pytest.raises(ValueError, match=r"^Stream: n must be at least 0; got -1\.$"):
        getattr(Stream(0), method)(-1)


@pytest.mark.parametrize("bound", [0, -5, 2**63 + 1])
def test_a_bound_without_integers_below_it_is_refused(bound):
    with pytest.raises(ValueError, match=rf"^bound must be an integer in \[1, 2\*\*63\]; got {bound}\.$"):
        Stream(0).integers(bound, 1)


def test_nothing_drawn_is_empty_and_moves_nothing():
    stream = Stream(5)
    empty = [stream.bits(0), stream.uniform(0), stream.permutation(0), stream.integers(3, 0)]
    assert [len(draws) for draws in empty] == [0, 0, 0, 0]
    assert stream.bits(1) == philox(5, 0, 0, 1)
