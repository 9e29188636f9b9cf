"""Log densities of multivariate normals: the twin, SciPy as judge, gaps, and independence of threads."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from tests.oracles.multinormal import multinormal_joint

from hornbook import _native


def normals(rows, cols, n_classes, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) * 3
    X[rng.random(X.shape) < missing] = np.nan
    root = rng.standard_normal((n_classes, cols, cols)) + 3 * np.eye(cols)
    cov = root @ root.transpose(0, 2, 1) + 0.1 * np.eye(cols)
    return X, rng.standard_normal((n_classes, cols)), cov


def ours(X, mean, cov, threads=1):
    return _native.multinormal_joint(X, mean, np.ascontiguousarray(cov.reshape(-1, X.shape[1])), threads)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    rows=st.integers(0, 40) | st.integers(0, 1500),
    cols=st.integers(1, 12),
    n_classes=st.integers(1, 4),
    missing=st.sampled_from([0.0, 0.01, 0.3, 1.0]),
    seed=st.integers(0, 99),
    threads=st.integers(1, 4),
)
def test_agrees_with_the_twin(rows, cols, n_classes, missing, seed, threads):
    X, mean, cov = normals(rows, cols, n_classes, missing, seed)
    got = ours(X, mean, cov, threads)
    assert got.shape == (rows, n_classes)
    assert_allclose(got[:80], multinormal_joint(X[:80], mean, cov), rtol=1e-9, atol=1e-9)


def test_agrees_with_scipy():
    X, mean, cov = normals(300, 7, 3, 0.0, 1)
    judged = np.column_stack([multivariate_normal(m, S).logpdf(X) for m, S in zip(mean, cov, strict=True)])
    assert_allclose(ours(X, mean, cov), judged, rtol=1e-11)


@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_rows_do_not_depend_on_each_other_or_on_threads(missing):
    X, mean, cov = normals(3000, 9, 3, missing, 0)
    whole = ours(X, mean, cov, 1)
    for threads in range(2, 5):
        assert_array_equal(ours(X, mean, cov, threads), whole)
    alone = [ours(X[i : i + 1], mean, cov)[0] for i in range(0, 3000, 7)]
    assert_array_equal(whole[::7], alone)


def test_numbers_beyond_all_scales_have_density_zero():
    cov = np.array([[[1.0, 0.9], [0.9, 1.0]]])
    assert ours(np.array([[1e308, 1e308], [-1e308, 1e308]]), np.zeros((1, 2)), cov).tolist() == [
        [-np.inf],
        [-np.inf],
    ]


def test_without_columns_every_density_is_one():
    assert _native.multinormal_joint(np.empty((3, 0)), np.empty((2, 0)), np.empty((0, 0)), 1).tolist() == (
        [[0.0, 0.0]] * 3
    )


def ones(*shape):
    return np.ones(shape)


@pytest.mark.parametrize(
    ("X", "mean", "cov", "threads", "sentence"),
    [
        (ones(2, 2), ones(1, 3), np.eye(2), 1, "mean must have one column per column of X; it has 3 for 2."),
        (ones(2, 2), ones(2, 2), np.eye(2), 1, "cov must hold one 2 x 2 matrix per class; it is 2 x 2 for 2"),
        (ones(2, 2), ones(1, 2), ones(2, 3), 1, "cov must hold one 2 x 2 matrix per class; it is 2 x 3"),
        (ones(2, 2), ones(1, 2), ones(2, 2), 1, "cov must be positive definite; that of class 0 is not."),
        (ones(2, 1), ones(1, 1), np.nan * ones(1, 1), 1, "cov must be positive definite; that of class 0"),
        (ones(2, 1), np.inf * ones(1, 1), ones(1, 1), 1, "mean must be finite; class 0, column 0 has inf."),
        (ones(2, 1), ones(1, 1), ones(1, 1), 0, "threads must be at least 1; got 0."),
    ],
)
def test_refusals(X, mean, cov, threads, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.multinormal_joint(X, mean, cov, threads)


@pytest.mark.parametrize("position", range(3))
def test_nothing_is_converted(position):
    arguments = [ones(1, 1), ones(1, 1), ones(1, 1)]
    arguments[position] = arguments[position].astype(np.float32)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.multinormal_joint(*arguments, 1)
