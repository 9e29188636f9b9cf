"""Tuning grids."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.params import Tune


def test_linear_and_log_steps():
    assert Tune(0.0, 1.0).grid(5) == (0.0, 0.25, 0.5, 0.75, 1.0)
    np.testing.assert_allclose(
        Tune(1e-3, 1e3, log=True).grid(7), [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000], rtol=1e-14
    )


def test_one_value_is_the_middle():
    assert Tune(0.0, 1.0).grid(1) == (0.5,)
    assert Tune(0.01, 100.0, log=True).grid(1) == (1.0,)
    assert Tune(1, 9).grid(1) == (5,)
    assert Tune(values=("a", "b", "c")).grid(1) == ("b",)


@given(low=st.integers(1, 1000), span=st.integers(1, 1000), n=st.integers(1, 60), log=st.booleans())
@settings(derandomize=True, max_examples=300, deadline=None)
def test_integer_grids_are_distinct_ascending_and_as_long_as_they_can_be(low, span, n, log):
    grid = Tune(low, low + span, log=log).grid(n)
    assert all(type(value) is int for value in grid)
    assert list(grid) == sorted(set(grid))
    assert len(grid) == min(n, span + 1)
    assert low <= grid[0]
    assert grid[-1] <= low + span
    if n > 1:
        assert (grid[0], grid[-1]) == (low, low + span)


@given(low=st.floats(1e-6, 1e3), factor=st.floats(1.01, 1e6), n=st.integers(2, 40), log=st.booleans())
@settings(derandomize=True, max_examples=200, deadline=None)
def test_real_grids_have_equal_steps_between_the_ends(low, factor, n, log):
    grid = np.array(Tune(low, low * factor, log=log).grid(n))
    steps = np.diff(np.log(grid) if log else grid)
    assert (grid[0], grid[-1]) == (low, low * factor)
    np.testing.assert_allclose(steps, steps.mean(), rtol=1e-6)


def test_listed_values_come_in_order_and_spread_when_there_are_too_many():
    assert Tune(values=(1, "sqrt", None)).grid(9) == (1, "sqrt", None)
    assert Tune(values=tuple(range(9))).grid(3) == (0, 4, 8)


@pytest.mark.parametrize("arguments", [{}, {"low": 1, "high": 2, "values": (1,)}, {"low": 1, "values": (1,)}])
def test_interval_or_values_not_both_and_not_neither(arguments):
    with pytest.raises(ValueError, match="Tune: give either low and high, or values"):
        Tune(**arguments)


@pytest.mark.parametrize(
    "ends", [(2, 1), (1, 1), (1, None), (None, 1), (0.0, float("inf")), (float("nan"), 1.0)]
)
def test_ends_must_be_finite_and_in_order(ends):
    with pytest.raises(ValueError, match="Tune: low must be below high, both finite; got"):
        Tune(*ends)


def test_log_steps_need_positive_ends():
    with pytest.raises(ValueError, match="Tune: log steps need a positive low; got 0"):
        Tune(0, 10, log=True)


def test_a_grid_has_at_least_one_value():
    with pytest.raises(ValueError, match=r"Tune\.grid: n must be at least 1; got 0"):
        Tune(0, 10).grid(0)
