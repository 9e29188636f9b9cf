"""Neighbors of sparse rows equal those of dense ones, and only a part of the rows is ever dense."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, load, save
from hornbook.distances import Gower, Minkowski, _sparse
from hornbook.frame import SparseRows

draw = np.random.default_rng(0)
X = np.where(draw.random((400, 30)) < 0.2, draw.normal(size=(400, 30)), 0.0)
Q = np.where(draw.random((90, 30)) < 0.2, draw.normal(size=(90, 30)), 0.0)
Y = draw.integers(0, 3, 400)
W = draw.integers(0, 3, 400).astype(float)


def city_blocks(a, b):
    return np.abs(a - b).sum()


METRICS = [
    "euclidean",
    "manhattan",
    "chebyshev",
    "hamming",
    "gower",
    "vdm",
    Minkowski(3),
    Minkowski(2, weights=[0, 2, *[1] * 28]),
    city_blocks,
]


@pytest.fixture(params=["whole", "parts"])
def cells(request, monkeypatch):
    """Several batches of queries and of rows, as with tables too large for one."""
    if request.param == "parts":
        monkeypatch.setattr(_sparse, "CELLS", 4000)


@pytest.mark.usefixtures("cells")
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: getattr(metric, "__name__", str(metric)))
def test_the_dense_neighbors_to_the_last_bit(metric):
    dense = KNeighborsClassifier(metric=metric).fit(X, Y, sample_weight=W)
    sparse = KNeighborsClassifier(metric=metric).fit(sp.csr_array(X), Y, sample_weight=W)
    assert isinstance(sparse.memory_.rows, SparseRows)
    for one, two in zip(sparse.kneighbors(sp.coo_array(Q)), dense.kneighbors(Q), strict=True):
        np.testing.assert_array_equal(one, two)
    for one, two in zip(sparse.kneighbors(), dense.kneighbors(), strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(sparse.predict_proba(Q), dense.predict_proba(Q))
    np.testing.assert_array_equal(sparse.predict(sp.csc_array(Q)), dense.predict(Q))


@pytest.mark.usefixtures("cells")
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: getattr(metric, "__name__", str(metric)))
def test_the_dense_votes_within_a_radius(metric):
    radius = {"hamming": 8.0, "gower": 0.08}.get(metric, 1.9) if isinstance(metric, str) else 2.3
    dense = RadiusNeighborsClassifier(metric=metric, radius=radius, weights="distance").fit(X, Y)
    sparse = RadiusNeighborsClassifier(metric=metric, radius=radius, weights="distance").fit(
        sp.csr_array(X), Y
    )
    for rows, votes in ((Q, sparse.predict_proba(Q)), (Q, sparse.predict_proba(sp.csr_array(Q)))):
        np.testing.assert_array_equal(votes, dense.predict_proba(rows))


@settings(derandomize=True, max_examples=80, deadline=None)
@given(seed=st.integers(0, 10_000), k=st.integers(1, 9), scale=st.sampled_from([1.0, 1e-160, 1e150, 0.1]))
def test_ties_small_and_large_numbers(seed, k, scale):
    rng = np.random.default_rng(seed)
    table = rng.integers(-1, 2, size=(25, 4)) * scale * rng.choice([1, 1, 3], size=(25, 1))
    asked = rng.integers(-1, 2, size=(6, 4)) * scale
    learner = KNeighborsRegressor(n_neighbors=k, radius=2.5 * scale)
    dense, sparse = (
        learner.fit(rows, rng.random(25)).kneighbors(asked) for rows in (table, sp.csr_array(table))
    )
    np.testing.assert_array_equal(dense[1], sparse[1])
    np.testing.assert_array_equal(dense[0], sparse[0])


def test_ties_by_lot_are_those_of_dense_rows():
    table, y = np.repeat([[0.0], [1.0]], 50, axis=0), ["a", "b"] * 50
    learner = KNeighborsClassifier(n_neighbors=100, ties="random", random_state=3)
    rows = np.linspace(0, 1, 200)[:, None]
    dense = learner.fit(table, y).predict(rows)
    assert learner.fit(sp.csr_array(table), y).predict(sp.csr_array(rows)).tolist() == dense.tolist()


def test_stored_missing_cells_are_left_out_as_in_dense_rows():
    table = X.copy()
    table[::7, 2] = np.nan
    for metric in ("euclidean", Gower()):
        dense = KNeighborsRegressor(metric=metric).fit(table, Y)
        sparse = KNeighborsRegressor(metric=metric).fit(sp.csr_array(table), Y)
        np.testing.assert_array_equal(sparse.predict(Q), dense.predict(Q))


@pytest.mark.parametrize("weighted", [False, True])
def test_model_files_keep_the_rows_sparse(weighted, tmp_path):
    model = KNeighborsClassifier().fit(sp.csr_array(X), Y, sample_weight=W if weighted else None)
    save(model, tmp_path / "m.hornbook")
    again = load(tmp_path / "m.hornbook")
    assert isinstance(again.memory_.rows, SparseRows)
    np.testing.assert_array_equal(again.predict_proba(Q), model.predict_proba(Q))


def test_models_of_sparse_rows_tell_and_draw_themselves():
    model = KNeighborsClassifier(n_neighbors=3).fit(sp.csr_array(X[:, :2]), Y)
    assert "400 rows of 2 columns" in str(model.describe())
    working = model.working(Q[0, :2]).to_dict()
    assert working["prediction"] == model.predict(Q[:1, :2])[0]
    assert model.plot().get_title() == "Mean distance to the first, second, ... neighbor"


def test_the_model_does_not_change_when_the_matrix_does():
    table = sp.csr_array(X)
    model = KNeighborsRegressor().fit(table, Y)
    before = model.predict(Q)
    table.data[:] = 0.0
    np.testing.assert_array_equal(model.predict(Q), before)


@pytest.mark.slow
def test_only_parts_are_dense():
    n, d = 2000, 20_000
    table = sp.random_array((n, d), density=0.002, rng=np.random.default_rng(0), format="csr")
    for metric in ("euclidean", "manhattan"):
        tracemalloc.start()
        KNeighborsRegressor(metric=metric, n_jobs=1).fit(table, np.arange(n)).predict(table[:50])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 0.6 * n * d * 8


def test_refusals():
    with pytest.raises(ValueError, match="algorithm='kd_tree' needs dense numbers, and X is a sparse matrix"):
        KNeighborsRegressor(algorithm="kd_tree").fit(sp.csr_array(X), Y)
    with pytest.raises(TypeError, match=r"Mahalanobis' distance mixes the columns.*X.toarray\(\)"):
        KNeighborsRegressor(metric="mahalanobis").fit(sp.csr_array(X), Y)
    bad = sp.lil_array(X)
    bad[7, 2] = -np.inf
    with pytest.raises(ValueError, match=r"infinity .*: column 'x2', row 7;"):
        KNeighborsRegressor().fit(bad, Y)
    with pytest.raises(ValueError, match="X has 29 features, but KNeighborsRegressor is expecting 30"):
        KNeighborsRegressor().fit(sp.csr_array(X), Y).kneighbors(sp.csr_array(X[:, :29]))
    with pytest.raises(ValueError, match="column that is not from 0 to 2"):
        SparseRows(np.ones(1), np.array([5], dtype=np.int32), np.array([0, 1]), 3)
