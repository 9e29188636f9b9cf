"""From random_state to a seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.random import seed_of


@given(st.integers(0, 2**64 - 1))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_an_integer_is_the_seed(seed):
    assert seed_of(seed) == seed
    converted = seed_of(np.uint64(seed))
    assert converted == seed
    assert type(converted) is int


def test_none_gives_a_fresh_seed():
    seeds = {seed_of(None) for _ in range(50)}
    assert len(seeds) == 50
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert max(seeds) >= 2**60


def test_none_draws_from_numpys_global_state_as_in_scikit_learn():
    legacy = np.random  # its functions share one state, which scikit-learn draws from, too
    before = legacy.get_state()
    try:
        legacy.seed(5)
        first = [seed_of(None) for _ in range(3)]
        legacy.seed(5)
        assert [seed_of(None) for _ in range(3)] == first
    finally:
        legacy.set_state(before)


def test_a_random_state_gives_reproducible_draws_that_differ():
    first, second = np.random.RandomState(3), np.random.RandomState(3)
    draws = [seed_of(first) for _ in range(20)]
    assert draws == [seed_of(second) for _ in range(20)]
    assert len(set(draws)) == 20
    assert max(draws) >= 2**60
    assert seed_of(np.random.RandomState(4)) not in draws


def test_a_random_state_is_drawn_from_once():
    used, other = np.random.RandomState(3), np.random.RandomState(3)
    seed_of(used)
    other.randint(0, 2**64, dtype=np.uint64)
    assert used.random_sample() == other.random_sample()


@pytest.mark.parametrize("wrong", [-1, np.int64(-7), 2**64])
def test_an_integer_that_is_no_seed_is_refused(wrong):
    with pytest.raises(ValueError, match=rf"^random_state must be an integer in .*; got {wrong}\.$"):
        seed_of(wrong)


@pytest.mark.parametrize("wrong", [1.0, "1", True, np.random.default_rng(1), [1]])
def test_anything_else_is_refused(wrong):
    with pytest.raises(
        TypeError, match=r"^random_state must be an integer, a numpy.random.RandomState or None; got "
    ):
        seed_of(wrong)
