"""Columns as rank codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.oracles.tree import weighted_bins

from hornbook import _native


def table_of(numbers, *, w=None, max_bins=0, threads=1):
    d = numbers.shape[1]
    return _native.code_table(
        np.ascontiguousarray(numbers),
        np.empty((len(numbers), 0), dtype=np.int32),
        np.arange(d, dtype=np.int32),
        np.zeros(d, dtype=np.int32),
        np.zeros(d, dtype=np.bool_),
        w,
        max_bins,
        threads,
    )


cells = st.one_of(st.floats(allow_infinity=False), st.sampled_from([0.0, -0.0, 1.0, np.nan]))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(numbers=arrays(np.float64, st.tuples(st.integers(1, 40), st.just(2)), elements=cells))
def test_one_code_for_each_value(numbers):
    table = table_of(numbers, threads=2)
    for j in range(2):
        known = ~np.isnan(numbers[:, j])
        values, codes = np.unique(numbers[known, j], return_inverse=True)
        assert table.bins(j) == len(values)
        np.testing.assert_array_equal(table.low(j), values)
        np.testing.assert_array_equal(table.high(j), values)
        np.testing.assert_array_equal(table.codes(j)[known], codes)
        assert (table.codes(j)[~known] == -1).all()


@pytest.mark.parametrize("n", [500, 70_000])
def test_many_values_are_ranked_right_in_every_width(n):
    numbers = np.random.default_rng(0).normal(size=(n, 1))
    table = table_of(numbers)
    values, codes = np.unique(numbers[:, 0], return_inverse=True)
    np.testing.assert_array_equal(table.codes(0), codes)
    np.testing.assert_array_equal(table.low(0), values)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(0, 30), min_size=1, max_size=60),
    max_bins=st.integers(2, 9),
    weighted=st.booleans(),
)
def test_bins_hold_equal_weight(values, max_bins, weighted):
    numbers = np.array(values, dtype=np.float64)
    w = np.arange(len(values), dtype=np.float64) % 4 + 1 if weighted else np.ones(len(values))
    table = table_of(numbers[:, None], w=w if weighted else None, max_bins=max_bins)
    codes = weighted_bins(numbers, w, max_bins)
    np.testing.assert_array_equal(table.codes(0), codes)
    assert table.bins(0) <= max_bins
    np.testing.assert_array_equal(table.high(0), [numbers[codes == c].max() for c in range(table.bins(0))])
    np.testing.assert_array_equal(table.low(0), [numbers[codes == c].min() for c in range(table.bins(0))])


def test_rows_of_weight_zero_make_no_bins():
    numbers = np.arange(6.0)[:, None]
    table = table_of(numbers, w=np.array([1.0, 0, 1, 0, 0, 1]))
    np.testing.assert_array_equal(table.low(0), [0.0, 2.0, 5.0])


def test_wrong_plans_are_refused():
    numbers, codes = np.zeros((2, 1)), np.full((2, 1), 3, dtype=np.int32)
    place, levels = np.array([0, -1], dtype=np.int32), np.array([0, 3], dtype=np.int32)
    nominal = np.array([False, True])
    with pytest.raises(ValueError, match="below 3; got 3"):
        _native.code_table(numbers, codes, place, levels, nominal, None, 0, 1)
    with pytest.raises(ValueError, match="names a column that is not there"):
        _native.code_table(numbers, codes, np.array([1, -1], dtype=np.int32), levels, nominal, None, 0, 1)
    with pytest.raises(ValueError, match="for codes, not for numbers"):
        _native.code_table(numbers, codes, place, levels, ~nominal, None, 0, 1)
    with pytest.raises(ValueError, match="max_bins"):
        _native.code_table(numbers, codes, place, levels, nominal, None, 1, 1)
    with pytest.raises(ValueError, match="one entry for each row"):
        _native.code_table(numbers, codes, place, levels, nominal, np.ones(3), 0, 1)
