"""Sparse matrices: the same answers as from dense ones, a chunk of rows at a time."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from hornbook import Baseline, Encoder, NaiveBayes

N = 9000  # more than two chunks


@pytest.fixture(scope="module")
def table():
    draw = np.random.default_rng(0)
    y = draw.integers(0, 3, N)
    X = np.where(draw.random((N, 6)) < 0.3, draw.normal(y[:, None], 1.0, (N, 6)), 0.0)
    return X, np.array(["a", "b", "c"])[y], draw.integers(0, 3, N).astype(float)


MAKERS = [sp.csr_array, sp.csc_array, sp.coo_array, sp.lil_matrix, sp.csr_matrix]
LEARNERS = [NaiveBayes(), NaiveBayes(density="bins"), NaiveBayes(lazy=True)]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_every_format_gives_the_dense_model_to_the_last_bit(table, make):
    X, y, w = table
    dense, sparse = NaiveBayes().fit(X, y, w), NaiveBayes().fit(make(X), y, w)
    np.testing.assert_array_equal(sparse.mean_, dense.mean_)
    np.testing.assert_array_equal(sparse.var_, dense.var_)
    for method in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        np.testing.assert_array_equal(getattr(sparse, method)(make(X)), getattr(dense, method)(X))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_every_density(table, learner):
    X, y, w = table
    dense = learner.fit(X, y, w).predict_proba(X)
    np.testing.assert_array_equal(learner.fit(sp.csr_array(X), y, w).predict_proba(sp.csr_array(X)), dense)


def test_zeros_that_are_not_stored_count_as_values():
    X, y = sp.csr_array([[0.0], [2.0], [0.0], [0.0]]), [0, 0, 1, 1]
    model = NaiveBayes(var_smoothing=0.1).fit(X, y)
    assert model.mean_.tolist() == [[1.0], [0.0]]


def test_more_rows_later(table):
    X, y, _ = table
    dense, sparse = NaiveBayes(), NaiveBayes()
    for part in (slice(0, 5000), slice(5000, N)):
        dense.partial_fit(X[part], y[part])
        sparse.partial_fit(sp.csr_array(X[part]), y[part])
    np.testing.assert_array_equal(sparse.predict_proba(X), dense.predict_proba(X))


@pytest.mark.parametrize("dtype", [bool, np.int32, np.float32])
def test_cells_are_numbers_of_any_type(dtype):
    X = (np.arange(40).reshape(20, 2) % 3).astype(dtype)
    y = np.arange(20) % 2
    sparse = NaiveBayes().fit(sp.csr_array(X), y)
    np.testing.assert_array_equal(sparse.mean_, NaiveBayes().fit(X.astype(float), y).mean_)


def test_only_a_chunk_is_dense_at_a_time():
    n, d = 60_000, 200
    X = sp.random_array((n, d), density=0.01, rng=np.random.default_rng(0), format="csr")
    y = np.arange(n) % 2
    NaiveBayes(n_jobs=1).fit(X[:100], y[:100])
    tracemalloc.start()
    NaiveBayes(n_jobs=1).fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.5 * n * d * 8


def test_refusals(table):
    X, y, _ = table
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        Baseline().fit(sp.csr_array(X), y)
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        Encoder().fit(sp.csr_array(X))
    bad = sp.lil_array(X)
    bad[5000, 2] = np.inf
    with pytest.raises(ValueError, match=r"infinity .*: column 'x2', row 5000;"):
        NaiveBayes().fit(bad, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples: X has 9000 rows and y has 8999"):
        NaiveBayes().fit(sp.csr_array(X), y[1:])
    with pytest.raises(ValueError, match="Complex data not supported"):
        NaiveBayes().fit(sp.csr_array(X * 1j), y)
    for shape in ((0, 3), (3, 0)):
        with pytest.raises(ValueError, match=r"Found array with 0 (sample|feature)\(s\)"):
            NaiveBayes().fit(sp.csr_array(shape), np.zeros(shape[0]))
    with pytest.raises(ValueError, match="X has 5 features, but NaiveBayes is expecting 6 features"):
        NaiveBayes().fit(sp.csr_array(X), y).predict(sp.csr_array(X[:, :5]))
