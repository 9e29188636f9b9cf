"""Columns of every type and stride become the same matrix as in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from tests.oracles.gather import gather, gather_codes

from hornbook import _native

INTEGERS = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
TYPES = [np.dtype(bool), *INTEGERS, np.dtype(np.float32), np.dtype(np.float64)]


def column(rng, dtype, rows, stride):
    """A column of random bits; stride -2 is every second element, backwards."""
    length = max(rows * abs(stride), 1)
    if dtype.kind == "b":
        values = rng.integers(0, 2, length).astype(bool)
    elif dtype.kind == "f":
        values = (rng.standard_normal(length) * 10.0 ** rng.integers(-30, 30, length)).astype(dtype)
        values[rng.random(length) < 0.2] = np.nan
    else:
        values = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, length, dtype=dtype, endpoint=True)
    return values[::stride][:rows]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    kinds=st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from([1, 1, 1, 2, 3, -1, -2])), min_size=1),
    rows=st.integers(0, 5) | st.integers(0, 3000),
    seed=st.integers(0, 99),
    threads=st.integers(1, 5),
)
def test_agrees_with_the_twin(kinds, rows, seed, threads):
    rng = np.random.default_rng(seed)
    columns = [column(rng, dtype, rows, stride) for dtype, stride in kinds]
    X = _native.gather(columns, threads)
    assert X.dtype == np.float64
    assert X.flags.c_contiguous
    assert_array_equal(X, gather(columns))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    strides=st.lists(st.sampled_from([1, 2, -1]), min_size=1, max_size=40),
    rows=st.integers(0, 3000),
    seed=st.integers(0, 99),
    threads=st.integers(1, 5),
)
def test_codes_agree_with_the_twin(strides, rows, seed, threads):
    rng = np.random.default_rng(seed)
    columns = [column(rng, np.dtype(np.int32), rows, stride) for stride in strides]
    codes = _native.gather_codes(columns, threads)
    assert codes.dtype == np.int32
    assert_array_equal(codes, gather_codes(columns))


def test_many_columns_and_few_rows():
    columns = list(np.random.default_rng(0).standard_normal((5000, 3)))
    assert_array_equal(_native.gather(columns, 3), gather(columns))


def test_a_large_result_is_complete():
    columns = list(np.random.default_rng(0).standard_normal((9, 70_000)))
    assert_array_equal(_native.gather(columns, 2), gather(columns))


def test_the_largest_integers_round_like_in_numpy():
    columns = [np.array([2**63 - 1, 2**53 + 1, -(2**63)]), np.array([2**64 - 1, 2**53 + 1, 0], np.uint64)]
    assert _native.gather(columns, 1).tolist() == [[2.0**63, 2.0**64], [2.0**53, 2.0**53], [-(2.0**63), 0.0]]


def test_every_byte_but_zero_is_true():
    odd = np.array([0, 1, 2, 255], dtype=np.uint8).view(bool)
    assert _native.gather([odd], 1).ravel().tolist() == [0, 1, 1, 1]


def test_read_only_columns_are_accepted_and_left_alone():
    values = np.arange(4.0)
    values.flags.writeable = False
    X = _native.gather([values, values[::-1]], 1)
    X[:] = 7.0
    assert values.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["float16", "complex128", "datetime64[D]", "U3", "object", ">f8", ">i4"])
def test_other_types_are_refused(dtype):
    columns = [np.zeros(2), np.zeros(2).astype(dtype)]
    with pytest.raises(TypeError, match=r"columns\[1\] must be a 1-D array of bool, integers, float32 or"):
        _native.gather(columns, 1)


@pytest.mark.parametrize("bad", [np.zeros((2, 1)), np.float64(1), [1.0, 2.0], None])
def test_only_one_dimensional_arrays_are_columns(bad):
    with pytest.raises(TypeError, match=r"columns\[0\] must be a 1-D array"):
        _native.gather([bad], 1)


@pytest.mark.parametrize("dtype", ["int64", "uint32", "float64", "bool", "int16"])
def test_codes_are_int32(dtype):
    with pytest.raises(TypeError, match=r"columns\[0\] must be a 1-D array of int32\."):
        _native.gather_codes([np.zeros(2, dtype)], 1)


@pytest.mark.parametrize("function", [_native.gather, _native.gather_codes])
def test_columns_have_one_length(function):
    columns = [np.zeros(3, np.int32), np.zeros(3, np.int32), np.zeros(2, np.int32)]
    with pytest.raises(ValueError, match=r"column 0 has 3 entries and column 2 has 2\."):
        function(columns, 1)
    with pytest.raises(ValueError, match="at least one array"):
        function([], 1)
    with pytest.raises(ValueError, match=r"threads must be at least 1; got 0\."):
        function(columns[:2], 0)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        function(tuple(columns[:2]), 1)


def test_columns_of_packed_records_are_refused():
    records = np.zeros(3, dtype=[("flag", "u1"), ("value", "f8")])
    with pytest.raises(TypeError, match=r"columns\[0\] must be a 1-D array of bool"):
        _native.gather([records["value"]], 1)
    with pytest.raises(ValueError, match="must be aligned in memory"):
        _native.gather([np.zeros(25, np.uint8)[1:].view(np.float64)], 1)
