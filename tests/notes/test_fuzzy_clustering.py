"""Fuzzy clustering of the notes: objective, updates, the butterfly, and iris with and without shapes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import FuzzyCMeans, GustafsonKessel, KMeans, datasets
from hornbook.clustering import PowerTransform
from hornbook.distances import Mahalanobis

BUTTERFLY = datasets.butterfly()
IRIS = datasets.iris()
X = IRIS.numbers


def wrong(labels):
    """Rows that are not of the most frequent species of their cluster."""
    species = np.unique(IRIS.y, return_inverse=True)[1]
    return sum((rows := np.bincount(species[labels == c])).sum() - rows.max() for c in np.unique(labels))


def in_order(model):
    return model.cluster_centers_[np.argsort(model.cluster_centers_[:, -1])]


def test_butterfly():
    """Centers (0.8548, 2) and (5.1452, 2), the middle point shared; w = 2."""
    model = FuzzyCMeans(2, init=[[0.0, 2.0], [6.0, 2.0]], tol=1e-9).fit(BUTTERFLY)
    assert model.cluster_centers_.round(4).tolist() == [[0.8548, 2.0], [5.1452, 2.0]]
    expected = [0.8656, 0.9731, 0.8656, 0.9468, 0.9988, 0.9468, 0.8829, 0.5]
    expected += [0.1171, 0.0532, 0.0012, 0.0532, 0.1344, 0.0269, 0.1344]
    assert model.memberships_[:, 0].round(4).tolist() == expected


def test_classical_c_means_gives_the_middle_point_to_one_side():
    counts = np.bincount(KMeans(2, init=[[0.0, 2.0], [6.0, 2.0]]).fit(BUTTERFLY).labels_)
    assert sorted(counts) == [7, 8]


def test_objective_and_constraints():
    """J = sum of u^w d², columns of U have sum 1, every cluster has members; J falls to its end."""
    model = FuzzyCMeans(3, 1.7, random_state=0).fit(X)
    u = model.memberships_
    np.testing.assert_allclose(u.sum(axis=1), 1.0)
    assert (u.sum(axis=0) > 0).all()
    assert model.objective_ == pytest.approx((u**1.7 * model.transform(X) ** 2).sum())
    assert (np.diff(model.history_["objective"]) <= 0).all()


def test_a_convex_transform_is_needed():
    """Merely relaxing u to [0, 1] leaves a hard optimum: the limit w = 1; any w > 1 makes degrees."""
    hard = KMeans(3, init=X[[0, 60, 120]]).fit(X)
    model = FuzzyCMeans(3, 1.0 + 1e-7, init=X[[0, 60, 120]]).fit(X)
    np.testing.assert_array_equal(model.memberships_.round(6), np.eye(3)[hard.labels_])
    h = PowerTransform()
    assert h.value(np.array([0.0, 0.5, 1.0])).tolist() == [0.0, 0.25, 1.0]
    np.testing.assert_allclose(FuzzyCMeans(3, h, init=X[:3]).fit(X).memberships_.sum(axis=1), 1.0)


@pytest.mark.parametrize("w", [1.5, 2.0, 3.0])
def test_membership_update_and_its_multiplier(w):
    """u = d^(2/(1-w)) / sum; w u^(w-1) d² = lambda = (sum (w d²)^(1/(1-w)))^(1-w) for all clusters."""
    squares = np.random.default_rng(0).exponential(size=(40, 3))
    u = PowerTransform(w).shared(squares)
    powers = np.sqrt(squares) ** (2 / (1 - w))
    np.testing.assert_allclose(u, powers / powers.sum(axis=1, keepdims=True))
    multiplier = ((w * squares) ** (1 / (1 - w))).sum(axis=1) ** (1 - w)
    np.testing.assert_allclose(w * u ** (w - 1) * squares, np.repeat(multiplier[:, None], 3, axis=1))


def test_alternating_optimization_ends_where_both_steps_rest():
    model = FuzzyCMeans(3, random_state=0, tol=1e-10, max_iter=1000).fit(X)
    v = model.memberships_**2
    np.testing.assert_allclose(v.T @ X / v.sum(axis=0)[:, None], model.cluster_centers_, rtol=1e-8)


def test_cluster_specific_distance():
    """Mahalanobis with a covariance matrix of the cluster; the unit matrix gives the Euclidean distance."""
    shapes = [np.diag([4.0, 1.0]), np.eye(2)]
    model = FuzzyCMeans(2, init=[[0.0, 2.0], [6.0, 2.0]], covariances=shapes).fit(BUTTERFLY)
    for i, shape in enumerate(shapes):
        distance = Mahalanobis(covariance=shape)
        expected = [distance(row, model.cluster_centers_[i]) for row in BUTTERFLY.matrix]
        np.testing.assert_allclose(model.transform(BUTTERFLY)[:, i], expected, rtol=1e-12)


def test_prototypes_have_a_place_a_size_a_shape_and_a_weight():
    model = GustafsonKessel(3, random_state=0, volumes=[1.0, 4.0, 1.0]).fit(X)
    assert model.cluster_centers_.shape == (3, 4)
    np.testing.assert_allclose(np.linalg.det(model.covariances_), [1.0, 4.0, 1.0], rtol=1e-9)
    assert model.weights_.sum() == pytest.approx(1.0)
    # A row belongs to clusters by its distances alone: equal distances, equal memberships.
    np.testing.assert_allclose(model.memberships(X), PowerTransform().shared(model.transform(X) ** 2))


def test_iris_fuzzy_c_means():
    model = FuzzyCMeans(3, random_state=0, tol=1e-8, max_iter=1000).fit(X)
    assert in_order(model).round(4).tolist() == [
        [5.0036, 3.4030, 1.4850, 0.2515],
        [5.8892, 2.7612, 4.3643, 1.3974],
        [6.7751, 3.0524, 5.6469, 2.0536],
    ]
    assert round(model.objective_, 4) == 60.5760
    assert wrong(model.labels_) == 16


def test_iris_gustafson_kessel():
    """Covariance matrices with determinant 1, in proportion to sum of u^w (x - mu)(x - mu)ᵀ."""
    model = GustafsonKessel(3, random_state=0, tol=1e-8, max_iter=1000).fit(X)
    assert in_order(model).round(4).tolist() == [
        [5.0145, 3.4280, 1.4673, 0.2419],
        [6.1281, 2.8015, 4.5102, 1.4020],
        [6.3970, 2.9751, 5.3036, 2.0142],
    ]
    assert round(model.objective_, 4) == 31.5920
    assert wrong(model.labels_) == 15
    for i in range(3):
        gaps = X - model.cluster_centers_[i]
        scatter = (model.memberships_[:, i] ** 2 * gaps.T) @ gaps
        expected = scatter / np.linalg.det(scatter) ** 0.25
        np.testing.assert_allclose(model.covariances_[i], expected, rtol=1e-5, atol=1e-6)


def test_iris_petals_in_three_and_four_shapes():
    petals = X[:, 2:]
    three, four = (GustafsonKessel(k, random_state=1, n_init=10, max_iter=1000).fit(petals) for k in (3, 4))
    assert np.sort(np.bincount(three.labels_)).tolist() == [37, 50, 63]
    assert np.sort(np.bincount(four.labels_)).tolist() == [16, 35, 49, 50]
    assert wrong(four.labels_) == 3
