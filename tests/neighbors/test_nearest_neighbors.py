"""Neighbors without a target, and means within a radius, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import neighbors as theirs

from hornbook import KNeighborsRegressor, NearestNeighbors, RadiusNeighborsRegressor

RNG = np.random.default_rng(0)
X, QUERIES = RNG.normal(size=(60, 3)), RNG.normal(size=(9, 3))
Y = RNG.normal(size=(60, 2))


@pytest.mark.parametrize(("metric", "p"), [("minkowski", 2.0), ("minkowski", np.inf), ("cosine", 2.0)])
def test_neighbors_are_those_of_scikit_learn(metric, p):
    ours = NearestNeighbors(n_neighbors=4, radius=0.9, metric=metric, p=p).fit(X)
    peer = theirs.NearestNeighbors(n_neighbors=4, radius=0.9, metric=metric, p=p).fit(X)
    for rows in (QUERIES, None):
        for mine, other in zip(ours.kneighbors(rows), peer.kneighbors(rows), strict=True):
            np.testing.assert_allclose(mine, other, atol=1e-12)
        graph, other = ours.radius_neighbors_graph(rows, 0.5), peer.radius_neighbors_graph(rows, 0.5)
        np.testing.assert_array_equal(graph.toarray(), other.toarray())
    np.testing.assert_allclose(ours.transform(QUERIES), ours.kneighbors(QUERIES)[0])


def test_a_weight_is_a_repeated_row():
    w = np.arange(60) % 4
    weighted = NearestNeighbors(n_neighbors=6).fit(X, sample_weight=w)
    repeated = NearestNeighbors(n_neighbors=6).fit(np.repeat(X, w, axis=0))
    np.testing.assert_allclose(weighted.transform(QUERIES), repeated.transform(QUERIES))
    assert weighted.get_feature_names_out().tolist() == [f"nearestneighbors{i}" for i in range(6)]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("y", [Y, Y[:, 0]], ids=["two targets", "one"])
def test_means_within_a_radius_are_those_of_scikit_learn(weights, y):
    ours = RadiusNeighborsRegressor(1.2, weights=weights).fit(X, y)
    peer = theirs.RadiusNeighborsRegressor(1.2, weights=weights).fit(X, y)
    near = [len(part) > 0 for part in peer.radius_neighbors(QUERIES)[1]]
    np.testing.assert_allclose(ours.predict(QUERIES)[near], peer.predict(QUERIES[near]))
    np.testing.assert_allclose(ours.predict(csr_matrix(QUERIES))[near], peer.predict(QUERIES[near]))
    far = ours.predict(QUERIES + 100.0)
    np.testing.assert_allclose(far, np.broadcast_to(y.mean(axis=0), far.shape))


def test_equal_targets_are_their_own_mean():
    for model in (RadiusNeighborsRegressor(3.0), KNeighborsRegressor(7, weights="distance")):
        assert set(model.fit(X, np.full(60, 0.1)).predict(QUERIES).tolist()) == {0.1}
