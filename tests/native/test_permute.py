"""Permuted statistics against their twin, against all permutations there are, and for any threads."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare
from tests.oracles import permute as oracle

from hornbook import _native

numbers = st.floats(-1e3, 1e3)
seeds = st.integers(0, 2**64 - 1)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.data(), st.integers(2, 300), seeds, st.integers(1, 4))
def test_mean_difference_agrees_with_the_plain_twin(data, n, seed, threads):
    values = data.draw(arrays(np.float64, n, elements=numbers))
    n_first = data.draw(st.integers(1, n - 1))
    statistics = _native.permute_two_sample_mean(values, n_first, 5, seed, threads)
    scale = 1e3 / min(n_first, n - n_first)
    assert_allclose(
        statistics, oracle.two_sample_mean(values, n_first, 5, seed), rtol=0, atol=1e-11 * n * scale
    )


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.data(), st.integers(0, 100), seeds, st.integers(1, 4))
def test_dot_agrees_with_the_plain_twin(data, n, seed, threads):
    x, y = (data.draw(arrays(np.float64, n, elements=numbers)) for _ in "xy")
    statistics = _native.permute_dot(x, y, 5, seed, threads)
    assert_allclose(statistics, oracle.dot(x, y, 5, seed), rtol=0, atol=1e-9 * (n + 1))


@pytest.mark.parametrize("n_first", [1, 2, 3, 4, 5])
def test_every_subset_is_drawn_equally_often(n_first):
    values = np.array([0.0, 1.0, 3.0, 7.0, 15.0, 31.0])  # no two subsets of a size have the same sum
    subsets = [sum(subset) for subset in combinations(values, n_first)]
    means = [s / n_first - (values.sum() - s) / (6 - n_first) for s in subsets]
    statistics = _native.permute_two_sample_mean(values, n_first, 60_000, 5, 1)
    counts = [np.isclose(statistics, mean, rtol=0, atol=1e-9).sum() for mean in means]
    assert sum(counts) == 60_000
    assert chisquare(counts).pvalue > 0.001


def test_every_permutation_is_drawn_equally_often():
    x, y = np.array([1.0, 10.0, 100.0, 1000.0]), np.arange(4.0)
    sums = [np.dot(x, order) for order in permutations(y)]
    statistics = _native.permute_dot(x, y, 48_000, 6, 1)
    counts = [(statistics == value).sum() for value in sums]
    assert sum(counts) == 48_000
    assert chisquare(counts).pvalue > 0.001


def test_a_replicate_does_not_depend_on_threads_nor_on_how_many_there_are():
    values = np.random.default_rng(0).normal(size=501)
    for n_first in (20, 250, 480):
        one = _native.permute_two_sample_mean(values, n_first, 1000, 9, 1)
        assert len(np.unique(one)) > 990
        for threads, n in ((2, 1000), (7, 1000), (3, 70)):
            assert_array_equal(_native.permute_two_sample_mean(values, n_first, n, 9, threads), one[:n])
    one = _native.permute_dot(values, values, 1000, 9, 1)
    for threads, n in ((2, 1000), (7, 1000), (3, 70)):
        assert_array_equal(_native.permute_dot(values, values, n, 9, threads), one[:n])


def test_refusals():
    values = np.arange(4.0)
    for n_first in (-1, 0, 4, 5):
        with pytest.raises(ValueError, match=rf"at least one value on each side; got {n_first} of 4\."):
            _native.permute_two_sample_mean(values, n_first, 10, 0, 1)
    with pytest.raises(ValueError, match="n_permutations must be at least 0; got -1"):
        _native.permute_two_sample_mean(values, 2, -1, 0, 1)
    with pytest.raises(ValueError, match="same length; got 4 and 3"):
        _native.permute_dot(values, values[:3], 10, 0, 1)
    with pytest.raises(ValueError, match="threads"):
        _native.permute_dot(values, values, 10, 0, 0)
    with pytest.raises(TypeError):
        _native.permute_dot(values, np.arange(4), 10, 0, 1)
    assert _native.permute_dot(values, values, 0, 0, 1).tolist() == []
