"""Log likelihoods of normal densities and of tables: twins, SciPy as judge, and independence of rows."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from tests.oracles.joint import gaussian_joint, table_joint

from hornbook import _native

shapes = {
    "rows": st.integers(0, 40) | st.integers(0, 3000),
    "cols": st.integers(0, 40),
    "n_classes": st.integers(1, 4) | st.integers(1, 40),
    "missing": st.sampled_from([0.0, 0.001, 0.2, 1.0]),
    "seed": st.integers(0, 99),
    "threads": st.integers(1, 5),
}


def normals(rows, cols, n_classes, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) * 10
    X[rng.random(X.shape) < missing] = np.nan
    return X, rng.standard_normal((n_classes, cols)), 10.0 ** rng.uniform(-4, 4, (n_classes, cols))


@settings(derandomize=True, max_examples=120, deadline=None)
@given(**shapes)
def test_gaussian_agrees_with_the_twin_and_with_scipy(rows, cols, n_classes, missing, seed, threads):
    X, mean, var = normals(rows, cols, n_classes, missing, seed)
    got = _native.gaussian_joint(X, mean, var, threads)
    assert got.shape == (rows, n_classes)
    assert_allclose(got, gaussian_joint(X, mean, var), rtol=1e-12, atol=1e-11)
    judged = np.nansum(norm.logpdf(X[:50, None, :], mean, np.sqrt(var)), axis=2)
    assert_allclose(got[:50], judged, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("missing", [0.0, 0.01])
def test_gaussian_rows_do_not_depend_on_each_other_or_on_threads(missing):
    X, mean, var = normals(2500, 9, 3, missing, 0)
    whole = _native.gaussian_joint(X, mean, var, 1)
    for threads in range(2, 6):
        assert_array_equal(_native.gaussian_joint(X, mean, var, threads), whole)
    alone = [_native.gaussian_joint(X[i : i + 1], mean, var, 1)[0] for i in range(0, 2500, 7)]
    assert_array_equal(whole[::7], alone)
    complete = ~np.isnan(X).any(axis=1)
    assert_array_equal(_native.gaussian_joint(X[complete], mean, var, 2), whole[complete])


def test_gaussian_additions_are_in_column_order_on_every_machine():
    """Bit for bit what a plain loop over the columns gives, whatever the width of the registers."""
    X, mean, var = normals(100, 33, 1, 0.0, 5)
    squares, scale = np.zeros(100), 0.0
    for j in range(33):
        z = (X[:, j] - mean[0, j]) * (1.0 / math.sqrt(var[0, j]))
        squares, scale = squares + z * z, scale - 0.5 * (math.log(2 * math.pi) + math.log(var[0, j]))
    assert_array_equal(_native.gaussian_joint(X, mean, var, 2)[:, 0], scale - 0.5 * squares)


def test_gaussian_extremes():
    tiny, huge = 5e-324, 1.7e308
    X = np.array([[0.0], [1.0], [huge], [np.inf], [np.nan], [-np.inf]])
    got = _native.gaussian_joint(X, np.zeros((2, 1)), np.array([[tiny], [huge]]), 1)
    at_zero = [norm.logpdf(0, 0, math.sqrt(v)) for v in (tiny, huge)]
    assert_allclose(got[0], at_zero, rtol=1e-12)
    assert_allclose(got[1], [-np.inf, at_zero[1]], rtol=1e-12)
    assert_allclose(got[2], [-np.inf, norm.logpdf(huge, 0, math.sqrt(huge))], rtol=1e-12)
    assert_array_equal(got[3:], [[-np.inf] * 2, [0.0] * 2, [-np.inf] * 2])


def tables(rows, cols, n_classes, missing, seed):
    rng = np.random.default_rng(seed)
    n_levels = rng.integers(1, 8, cols).astype(np.int32)
    codes = rng.integers(0, n_levels, (rows, cols)).astype(np.int32)
    codes[rng.random(codes.shape) < missing] = -1
    log_table = np.log(rng.random((n_classes, n_levels.sum())))
    log_table[rng.random(log_table.shape) < 0.02] = -np.inf
    return codes, log_table, n_levels


@settings(derandomize=True, max_examples=120, deadline=None)
@given(**shapes)
def test_table_agrees_with_the_twin(rows, cols, n_classes, missing, seed, threads):
    codes, log_table, n_levels = tables(rows, cols, n_classes, missing, seed)
    got = _native.table_joint(codes, log_table, n_levels, threads)
    assert got.shape == (rows, n_classes)
    assert_array_equal(got, table_joint(codes, log_table, n_levels))


def test_a_column_without_levels_is_always_missing():
    codes = np.array([[-1, 1], [-1, -1]], np.int32)
    got = _native.table_joint(codes, np.array([[-1.0, -2.0]]), np.array([0, 2], np.int32), 1)
    assert got.tolist() == [[-2], [0]]


def ones(*shape):
    return np.ones(shape)


@pytest.mark.parametrize(
    ("X", "mean", "var", "threads", "sentence"),
    [
        (ones(2, 3), ones(1, 2), ones(1, 2), 1, "mean must have one column per column of X; it has 2 for 3."),
        (
            ones(2, 3),
            ones(1, 3),
            ones(2, 3),
            1,
            "var must have the shape of mean; it is 2 x 3 and mean is 1 x 3.",
        ),
        (
            ones(2, 3),
            ones(2, 3),
            ones(2, 2),
            1,
            "var must have the shape of mean; it is 2 x 2 and mean is 2 x 3.",
        ),
        (
            ones(0, 1),
            ones(1, 1),
            0 * ones(1, 1),
            1,
            "var must be above 0 and finite; class 0, column 0 has 0.",
        ),
        (ones(0, 1), ones(1, 1), -ones(1, 1), 1, "var must be above 0 and finite; class 0, column 0 has -1."),
        (
            ones(0, 1),
            ones(2, 1),
            np.array([[1], [np.nan]]),
            1,
            "var must be above 0 and finite; class 1, column 0",
        ),
        (
            ones(0, 1),
            ones(1, 1),
            np.inf * ones(1, 1),
            1,
            "var must be above 0 and finite; class 0, column 0 has inf.",
        ),
        (ones(0, 1), np.nan * ones(1, 1), ones(1, 1), 1, "mean must be finite; class 0, column 0 has nan."),
        (ones(0, 1), ones(1, 1), ones(1, 1), 0, "threads must be at least 1; got 0."),
        (ones(9, 1), ones(1, 1), ones(1, 1), -3, "threads must be at least 1; got -3."),
    ],
)
def test_gaussian_refusals(X, mean, var, threads, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.gaussian_joint(X, mean, var, threads)


def ints(*values):
    return np.array(values, np.int32)


@pytest.mark.parametrize(
    ("codes", "log_table", "n_levels", "threads", "sentence"),
    [
        (ints(2)[:, None], ones(1, 2), ints(2), 1, "row 0, column 0 has 2 but the column has 2 levels."),
        (ints(-2)[:, None], ones(1, 2), ints(2), 1, "row 0, column 0 has -2 but the column has 2 levels."),
        (
            ints(0)[:, None],
            ones(1, 3),
            ints(2),
            1,
            "log_table must have one column per level; it has 3 for 2",
        ),
        (
            ints(0)[:, None],
            ones(1, 2),
            ints(1, 1),
            1,
            "n_levels must have one entry per column of codes; it has 2",
        ),
        (ints(0, 0)[None], ones(1, 2), ints(3, -1), 1, "n_levels must not be negative; column 1 has -1."),
        (
            ints(0)[:, None],
            np.nan * ones(1, 1),
            ints(1),
            1,
            "log_table must hold finite numbers or -inf; class 0",
        ),
        (
            ints(0)[:, None],
            np.inf * ones(1, 1),
            ints(1),
            1,
            "log_table must hold finite numbers or -inf; class 0",
        ),
        (ints(0)[:, None], ones(1, 1), ints(1), 0, "threads must be at least 1; got 0."),
    ],
)
def test_table_refusals(codes, log_table, n_levels, threads, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.table_joint(codes, log_table, n_levels, threads)


def test_of_many_bad_codes_the_first_is_named_whatever_the_threads():
    codes = np.zeros((200_000, 2), np.int32)
    codes[77_777:, 1] = 9
    for threads in (1, 2, 5):
        with pytest.raises(ValueError, match=r"row 77777, column 1 has 9 but the column has 4 levels\."):
            _native.table_joint(codes, np.zeros((1, 8)), ints(4, 4), threads)


@pytest.mark.parametrize("position", range(3))
def test_nothing_is_converted(position):
    normal = [ones(1, 1), ones(1, 1), ones(1, 1)]
    normal[position] = normal[position].astype(np.float32)
    table = [ints(0)[:, None], ones(1, 1), ints(1)]
    table[position] = table[position].astype(np.int64)
    for function, arguments in ((_native.gaussian_joint, normal), (_native.table_joint, table)):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            function(*arguments, 1)
