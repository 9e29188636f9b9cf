"""KMeans on rows in parts: blocks, files, sparse matrices, mini-batches, partial_fit."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import hornbook
from hornbook import Blocks, Frame, KMeans
from hornbook.clustering import _initialization
from hornbook.clustering._minibatch import shuffled
from hornbook.frame import Block, stacked
from hornbook.frame.rows._block import chunks_of
from hornbook.random import Stream

SETTINGS = [
    {"random_state": 0},
    {"init": "random", "n_init": 2, "random_state": 1},
    {"init": "uniform", "n_init": 2, "random_state": 2},
    {"batch_size": 1000, "max_iter": 3, "random_state": 3},
]


def table(n=20_000, d=5, seed=0, missing=0.05):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, d))[rng.integers(6, size=n)] * 2 + rng.normal(size=(n, d))
    X[rng.random((n, d)) < missing] = np.nan
    return X


def same(one, other):
    np.testing.assert_array_equal(one.cluster_centers_, other.cluster_centers_)
    np.testing.assert_array_equal(one.labels_, other.labels_)
    assert one.inertia_ == other.inertia_
    assert one.history_ == other.history_


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_blocks_and_threads_do_not_change_a_bit(setting, missing):
    X = table(missing=missing)
    frames = [Frame(X[a:b]) for a, b in ((0, 100), (100, 9000), (9000, 20_000))]
    model = KMeans(6, n_jobs=1, **setting).fit(X)
    same(model, KMeans(6, n_jobs=3, **setting).fit(X))
    same(model, KMeans(6, n_jobs=2, **setting).fit(Blocks(frames)))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_file_gives_the_bits_of_memory(setting, tmp_path):
    X = table(12_000)
    pd.DataFrame(X, columns=list("abcde")).to_parquet(tmp_path / "rows.parquet")
    blocks = hornbook.scan(tmp_path / "rows.parquet", batch_rows=3000)
    whole = hornbook.read(tmp_path / "rows.parquet")
    same(KMeans(6, n_jobs=2, **setting).fit(whole), KMeans(6, n_jobs=2, **setting).fit(blocks))


@pytest.mark.slow
def test_memory_is_bounded_by_the_batch(tmp_path):
    pd.DataFrame(table(400_000, 8, missing=0.0)).rename(columns=str).to_parquet(tmp_path / "rows.parquet")
    blocks = hornbook.scan(tmp_path / "rows.parquet", batch_rows=10_000)
    tracemalloc.start()
    KMeans(5, init=np.eye(5, 8), max_iter=2, n_jobs=1).fit(blocks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.5 * 400_000 * 8 * 8


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_sparse_rows_are_the_same_as_dense_ones(setting):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, size=(9000, 12)) * 1.0
    w = rng.integers(0, 3, 9000) * 1.0
    made = sparse.csr_matrix(X)
    dense, thin = (KMeans(4, **setting).fit(rows, sample_weight=w) for rows in (X, made))
    same(dense, thin)
    np.testing.assert_array_equal(dense.predict(X), thin.predict(made))
    np.testing.assert_array_equal(dense.transform(X), thin.transform(made))
    assert dense.score(X, sample_weight=w) == thin.score(made, sample_weight=w)
    once = [KMeans(4, **setting).partial_fit(rows).cluster_centers_ for rows in (X, made)]
    np.testing.assert_array_equal(*once)


def test_starts_are_drawn_from_a_sample_of_many_rows(monkeypatch):
    monkeypatch.setattr(_initialization, "MOST_ROWS", 2000)
    X = table(missing=0.0)
    blocks = Blocks([Frame(X[:5000]), Frame(X[5000:])]).map(lambda block: Block(block.X.matrix))
    sample = _initialization.sample_of(blocks, 6, X.mean(axis=0), seed=4)
    assert 1800 < len(sample.X) < 2200
    rows = {tuple(row) for row in X.tolist()}
    assert all(tuple(row) in rows for row in sample.X.tolist())
    frames = [Frame(X[:7]), Frame(X[7:])]
    for init in ("k-means++", "random"):
        whole = KMeans(6, init=init, n_init=1, random_state=4).fit(X)
        same(whole, KMeans(6, init=init, n_init=1, random_state=4).fit(Blocks(frames)))
        assert whole.inertia_ < 1.3 * KMeans(6, n_init=5, random_state=0).fit(X).inertia_


def test_batches_hold_every_row_once():
    X = np.arange(10_000.0)[:, None]
    blocks = Blocks.of(Block(X, None, X[:, 0]), Frame(X).schema, 1)
    parts, rest, order = [], (), Stream(0)
    for chunk in chunks_of(blocks):
        batches, rest = shuffled(chunk, rest, 3000, order)
        parts += batches
    parts.append(stacked(list(rest)))
    assert [len(part) for part in parts] == [3000, 3000, 3000, 1000]
    drawn = np.concatenate([part.X[:, 0] for part in parts])
    assert sorted(drawn.tolist()) == X[:, 0].tolist()
    np.testing.assert_array_equal(drawn, np.concatenate([part.w for part in parts]))
    assert (np.sort(drawn[:4096]) == X[:4096, 0]).all()
    assert (drawn[:4096] != X[:4096, 0]).mean() > 0.99


def test_one_batch_of_all_rows_is_the_first_pass_of_lloyd():
    X = table(3000)
    setting = {"init": np.nan_to_num(X[:6]), "max_iter": 1}
    whole, batch = KMeans(6, **setting).fit(X), KMeans(6, batch_size=3000, **setting).fit(X)
    np.testing.assert_allclose(batch.cluster_centers_, whole.cluster_centers_, rtol=1e-12)
    np.testing.assert_array_equal(batch.labels_, whole.labels_)


def test_mini_batches_come_close_to_all_rows():
    X = table(missing=0.0)
    whole = KMeans(6, init=X[:6]).fit(X)
    model = KMeans(6, init=X[:6], batch_size=500, random_state=0).fit(X)
    assert model.inertia_ < 1.05 * whole.inertia_
    assert model.inertia_ == pytest.approx(-model.score(X))
    assert model.n_iter_ < 300
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_more_rows_move_centers_to_the_means_of_all_they_were_given():
    first, second = np.array([[0.0], [1.0], [10.0]]), np.array([[2.0], [np.nan], [13.0], [16.0]])
    model = KMeans(2, init=[[0.0], [10.0]]).partial_fit(first)
    assert model.cluster_centers_.tolist() == [[0.5], [10.0]]
    model.partial_fit(second, sample_weight=[4.0, 1.0, 1.0, 1.0])
    assert model.labels_.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(model.cluster_centers_, [[9 / 6], [13.0]])
    assert model.seen_.tolist() == [[6.0], [3.0]]
    assert model.n_iter_ == 2


def test_more_rows_after_a_fit_on_blocks():
    X = table(9000)
    whole = KMeans(4, random_state=0).fit(X[:5000])
    parts = KMeans(4, random_state=0).fit(X[:5000])
    whole.partial_fit(X[5000:])
    parts.partial_fit(Blocks([Frame(X[5000:5500]), Frame(X[5500:])]))
    same(whole, parts)
    with pytest.raises(ValueError, match="X has 2 features, but KMeans is expecting 5 features"):
        whole.partial_fit(X[:, :2])
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=4"):
        KMeans(4).partial_fit(X[:3])


def test_columns_of_transform_have_names():
    X = pd.DataFrame(table(50), columns=list("abcde"))
    model = KMeans(2, random_state=0).set_output(transform="pandas").fit(X)
    assert model.transform(X).columns.tolist() == ["kmeans0", "kmeans1"]
    np.testing.assert_array_equal(model.transform(X).to_numpy().argmin(axis=1), model.labels_)
