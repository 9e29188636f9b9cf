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
        list(numbers.T),
        np.full(d, -1, dtype=np.int32),
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


def hard_to_sort(n):
    """Columns whose numbers agree in their leading digits, in their last ones, in sign only, or mostly."""
    draw = np.random.default_rng(0)
    return {
        "normal": draw.normal(size=n),
        "seconds": 1.7e9 + draw.integers(0, 500, n) / 7,
        "seconds and one huge number": np.where(np.arange(n) == n // 2, 1e300, 1.7e9 + draw.random(n)),
        "tiny and huge": np.exp(draw.uniform(-700, 700, n)) * draw.choice([-1.0, 1.0], n),
        "few": draw.integers(-3, 3, n).astype(np.float64),
        "neighbors": 1.0 + np.spacing(1.0) * draw.integers(0, 50, n),
        "zeros": draw.choice([0.0, -0.0, 5e-324], n),
        "sorted": np.arange(n, dtype=np.float64),
        "one": np.full(n, 3.5),
    }


@pytest.mark.parametrize("n", [500, 9_000, 70_000])
@pytest.mark.parametrize("name", hard_to_sort(2))
def test_many_values_are_ranked_right_in_every_width(n, name):
    numbers = hard_to_sort(n)[name]
    table = table_of(numbers[:, None])
    values, codes = np.unique(numbers, return_inverse=True)
    np.testing.assert_array_equal(table.codes(0), codes)
    np.testing.assert_array_equal(table.low(0), values)


@pytest.mark.parametrize("kind", ["bool", "int8", "uint16", "int32", "int64", "uint64", "float32", "float64"])
def test_numbers_of_every_type_are_read_where_they_lie(kind):
    numbers = np.array([[3, 7], [0, 1], [2, 7], [3, 0]]).astype(kind)
    table = table_of(numbers)  # columns of a row-major matrix, so with gaps between their cells
    for j in range(2):
        values, codes = np.unique(numbers[:, j].astype(np.float64), return_inverse=True)
        np.testing.assert_array_equal(table.low(j), values)
        np.testing.assert_array_equal(table.codes(j), codes)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(0, 30), min_size=1, max_size=60),
    max_bins=st.integers(2, 9),
    weighted=st.booleans(),
)
def test_bins_by_the_middle_of_each_weight(values, max_bins, weighted):
    numbers = np.array(values, dtype=np.float64)
    w = np.arange(len(values), dtype=np.float64) % 4 + 1 if weighted else np.ones(len(values))
    table = table_of(numbers[:, None], w=w if weighted else None, max_bins=max_bins)
    codes = weighted_bins(numbers, w, max_bins)
    np.testing.assert_array_equal(table.codes(0), codes)
    assert table.bins(0) <= max_bins
    np.testing.assert_array_equal(table.high(0), [numbers[codes == c].max() for c in range(table.bins(0))])
    np.testing.assert_array_equal(table.low(0), [numbers[codes == c].min() for c in range(table.bins(0))])


def within(codes, f):
    """Share of the variance of f that is inside the bins."""
    means = np.bincount(codes, f) / np.bincount(codes)
    return np.mean((f - means[codes]) ** 2) / f.var()


def test_bins_are_narrow_where_numbers_are_far_apart():
    x = np.random.default_rng(0).normal(size=20_000)
    codes = table_of(x[:, None], max_bins=255).codes(0)
    assert np.bincount(codes).max() <= len(x) / (0.75 * 255) + 1
    halves = weighted_bins(x, np.ones(len(x)), 2)
    np.testing.assert_array_equal(table_of(x[:, None], max_bins=2).codes(0), halves)
    assert abs(halves.mean() - 0.5) < 1e-4
    equal = np.argsort(np.argsort(x)) * 255 // len(x)
    assert within(equal, x**2) > 0.01
    assert within(codes, x**2) < 0.001
    np.testing.assert_array_equal(table_of(np.exp(3 * x)[:, None], max_bins=255).codes(0), codes)


def test_weights_that_vanish_beside_others_have_a_bin():
    table = table_of(np.arange(5.0)[:, None], w=np.array([1e-300, 1.0, 1e-300, 1.0, 1e-300]), max_bins=3)
    assert table.codes(0).tolist() == [0, 0, 1, 2, 2]  # log odds of -log 3, 0, log 3, and none


def test_rows_of_weight_zero_make_no_bins():
    numbers = np.arange(6.0)[:, None]
    table = table_of(numbers, w=np.array([1.0, 0, 1, 0, 0, 1]))
    np.testing.assert_array_equal(table.low(0), [0.0, 2.0, 5.0])


def test_wrong_plans_are_refused():
    columns = [np.zeros(2), np.full(2, 3, dtype=np.int32)]
    levels, nominal = np.array([-1, 3], dtype=np.int32), np.array([False, True])
    with pytest.raises(ValueError, match="below 3; got 3"):
        _native.code_table(columns, levels, nominal, None, 0, 1)
    with pytest.raises(ValueError, match="at least one array"):
        _native.code_table([], levels[:0], nominal[:0], None, 0, 1)
    with pytest.raises(ValueError, match="must have the same length"):
        _native.code_table(columns[:1], levels, nominal, None, 0, 1)
    with pytest.raises(ValueError, match=r"columns\[1\] must have 2 entries"):
        _native.code_table([columns[0], columns[1][:1]], levels, nominal, None, 0, 1)
    with pytest.raises(ValueError, match=r"columns\[0\] must hold int32"):
        _native.code_table(columns, np.array([3, 3], dtype=np.int32), nominal, None, 0, 1)
    with pytest.raises(ValueError, match="at least 0, or -1 for numbers"):
        _native.code_table(columns, np.array([-2, 3], dtype=np.int32), nominal, None, 0, 1)
    with pytest.raises(ValueError, match="for codes, not for numbers"):
        _native.code_table(columns, levels, ~nominal, None, 0, 1)
    with pytest.raises(ValueError, match="max_bins"):
        _native.code_table(columns, levels, nominal, None, 1, 1)
    with pytest.raises(ValueError, match="one entry for each row"):
        _native.code_table(columns, levels, nominal, np.ones(3), 0, 1)
