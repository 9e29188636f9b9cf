"""Intervals: what they contain and how they print."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.params import Range

finite = st.floats(allow_nan=False, allow_infinity=False)
ends = st.one_of(st.none(), finite, st.sampled_from([-math.inf, math.inf]))


@given(low=ends, high=ends, open_low=st.booleans(), open_high=st.booleans(), value=st.floats())
@settings(derandomize=True, max_examples=500, deadline=None)
def test_membership_is_the_definition_of_an_interval(low, high, open_low, open_high, value):
    if low is not None and high is not None and low > high:
        low, high = high, low
    interval = Range(low, high, open_low=open_low, open_high=open_high)
    expected = not math.isnan(value)
    if low is None:
        expected &= value != -math.inf
    elif open_low:
        expected &= value > low
    else:
        expected &= value >= low
    if high is None:
        expected &= value != math.inf
    elif open_high:
        expected &= value < high
    else:
        expected &= value <= high
    assert (value in interval) is expected


@given(low=finite, high=finite)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_the_ends_belong_unless_open(low, high):
    low, high = min(low, high), max(low, high)
    assert low in Range(low, high)
    assert high in Range(low, high)
    assert low not in Range(low, high, open_low=True)
    assert high not in Range(low, high, open_high=True)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8, np.uint64, int, float])
def test_every_kind_of_number_is_compared_by_value(kind):
    assert kind(1) in Range(low=1)
    assert kind(1) not in Range(low=1, open_low=True)
    assert kind(1) in Range(high=1)
    assert kind(1) not in Range(high=1, open_high=True)


@pytest.mark.parametrize("interval", [Range(), Range(low=0), Range(high=0), Range(-math.inf, math.inf)])
def test_nan_lies_in_no_interval(interval):
    for nan in (math.nan, np.float32("nan")):
        assert nan not in interval


def test_infinity_belongs_only_when_written():
    assert math.inf not in Range(low=0)
    assert math.inf in Range(0, math.inf)
    assert -math.inf not in Range(high=0)
    assert -math.inf in Range(-math.inf, 0)


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Range(low=0), "[0, inf)"),
        (Range(high=-1), "(-inf, -1]"),
        (Range(0, 1, open_low=True), "(0, 1]"),
        (Range(0.5, 1, open_high=True), "[0.5, 1)"),
        (Range(0, math.inf, open_low=True), "(0, inf]"),
        (Range(), "(-inf, inf)"),
    ],
)
def test_an_interval_reads_as_in_mathematics(interval, text):
    assert str(interval) == text


@pytest.mark.parametrize("ends", [(1, 0), (math.nan, 1), (0, math.nan)])
def test_ends_the_wrong_way_round_are_refused(ends):
    with pytest.raises(ValueError, match="Range: low must not be above high; got low="):
        Range(*ends)
