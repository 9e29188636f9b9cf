"""Radial basis function networks of the notes: XOR, the double moon, universal approximation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from hornbook import (
    MLPRegressor,
    Perceptron,
    PolynomialClassifier,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
    datasets,
)

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
XOR = ["B", "A", "A", "B"]


def xor_network():
    return RBFNetworkClassifier(centers=[[1, 1], [0, 0]], width=np.sqrt(0.5)).fit(SQUARE, XOR)


def test_gaussian_values_of_the_corners():
    """c1 = (1, 1), c2 = (0, 0), both widths 1/√2: (0.135, 1), (0.368, 0.368), (1, 0.135)."""
    values = xor_network()._basis().apply(SQUARE)
    assert values.round(3).tolist() == [[0.135, 1.0], [0.368, 0.368], [0.368, 0.368], [1.0, 0.135]]


def test_xor_by_rbf():
    """y1 + y2 - 1 separates the classes, and least squares finds a multiple of it."""
    model = xor_network()
    values = model._basis().apply(SQUARE)
    assert (values.sum(axis=1) - 1).round(4).tolist() == [0.1353, -0.2642, -0.2642, 0.1353]
    assert model.coef_[0, 0] == pytest.approx(model.coef_[0, 1])
    assert model.predict(SQUARE).tolist() == XOR


def test_xor_by_polynomial():
    """-1/4 + x1 + x2 - 2 x1 x2: -0.25 for class B and 0.75 for class A."""
    g = -0.25 + SQUARE.sum(axis=1) - 2 * SQUARE.prod(axis=1)
    assert g.tolist() == [-0.25, 0.75, 0.75, -0.25]
    model = PolynomialClassifier(degree=2, estimator=Perceptron()).fit(SQUARE, XOR)
    assert model.predict(SQUARE).tolist() == XOR


def test_inverse_quadratic_basis():
    """w² / (w² + |x - c|²), each center with its own width w."""
    model = RBFNetworkRegressor(centers=[[0.0], [3.0]], width=[1.0, 2.0], basis="inverse_quadratic")
    values = model.fit([[0.0], [1.0], [5.0]], [0.0, 1.0, 2.0])._basis().apply(np.array([[1.0], [5.0]]))
    np.testing.assert_allclose(values, [[1 / 2, 4 / 8], [1 / 26, 4 / 8]])


def test_network_is_a_constant_and_weighted_functions():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    model = RBFNetworkRegressor(4, random_state=0).fit(X, y)
    f = np.exp(-((X[:, None] - model.centers_) ** 2).sum(axis=2) / (2 * model.widths_**2))
    np.testing.assert_allclose(model.predict(X), model.intercept_[0] + f @ model.coef_[0])
    best = np.linalg.lstsq(np.column_stack([np.ones(40), f]), y, rcond=None)[0]
    np.testing.assert_allclose([*model.intercept_, *model.coef_[0]], best, rtol=1e-6)
    # The centers come from the rows alone: each is the mean of the rows that are nearest to it.
    nearest = ((X[:, None] - model.centers_) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_allclose(model.centers_, [X[nearest == j].mean(axis=0) for j in range(4)])


def test_fixed_centers_are_random_rows():
    moons = datasets.double_moon(n=300, random_state=0)
    model = RBFNetworkClassifier(20, centers="random", random_state=0).fit(moons)
    rows = {tuple(row) for row in moons.features.matrix.tolist()}
    assert {tuple(center) for center in model.centers_.tolist()} <= rows
    assert len({tuple(center) for center in model.centers_.tolist()}) == 20


@pytest.mark.parametrize("distance", [-5.0, -6.0])
def test_double_moon_by_clusters_and_recursive_least_squares(distance):
    """Radius 10, width 6: the learning curve falls and the moons are told apart."""
    moons = datasets.double_moon(distance, n=1000, random_state=0)
    test = datasets.double_moon(distance, n=1000, random_state=1)
    settings = {"output": "rls", "random_state": 0, "tol": 1e-6, "max_iter": 10}
    model = RBFNetworkClassifier(20, **settings).fit(moons)
    curve = model.history_["mse"]
    assert len(curve) >= 3
    assert curve[0] > curve[1] >= curve[2]
    # As good as the same construction of scikit-learn's clusters and NumPy's least squares, up to three
    # standard errors of the difference of two accuracies on 1000 rows, and better than any line.
    rows, others = moons.features.matrix, test.features.matrix
    centers = KMeans(20, random_state=0, n_init=1).fit(rows).cluster_centers_
    width = np.sort(np.linalg.norm(centers[:, None] - centers, axis=2), axis=1)[:, 1:3].mean(axis=1)

    def mapped(X):
        f = np.exp(-((X[:, None] - centers) ** 2).sum(axis=2) / (2 * width**2))
        return np.column_stack([np.ones(len(X)), f])

    weights = np.linalg.lstsq(mapped(rows), np.where(moons.y == "upper", 1.0, -1.0))[0]
    peer = np.mean((mapped(others) @ weights > 0) == (test.y == "upper"))
    accuracy = model.score(test.features, test.y)
    errors = 1 - min(peer, accuracy)
    assert accuracy >= peer - 3 * np.sqrt(2 * errors * (1 - errors) / 1000)
    assert accuracy > LogisticRegression().fit(rows, moons.y).score(others, test.y)


def test_recursive_least_squares_ends_at_least_squares():
    moons = datasets.double_moon(n=400, random_state=0)
    both = [
        RBFNetworkClassifier(8, output=output, delta=1e-9, random_state=0).fit(moons)
        for output in ("rls", "least_squares")
    ]
    np.testing.assert_allclose(both[0].coef_, both[1].coef_, rtol=1e-4)


def test_trained_centers_are_better_than_clusters():
    x = np.linspace(0, 3, 120)[:, None]
    y = np.sin(3 * x[:, 0]) * x[:, 0]
    clusters, trained = (
        RBFNetworkRegressor(4, centers=centers, random_state=0, max_iter=500, tol=1e-3).fit(x, y)
        for centers in ("kmeans", "trained")
    )
    # Training begins with these clusters and their least squares, and only goes down.
    cost = trained.history_["cost"]
    assert cost[0] <= 0.5 * (1 - clusters.score(x, y)) * (1 + 1e-9)
    assert all(after <= before for before, after in pairwise(cost))
    assert 0.5 * (1 - trained.score(x, y)) <= cost[-1]  # the last weights are again those of least squares
    assert trained.score(x, y) > clusters.score(x, y)


def test_trained_centers_and_recursive_least_squares_go_together():
    x = np.linspace(0, 3, 60)[:, None]
    y = np.sin(3 * x[:, 0])
    settings = {"centers": "trained", "random_state": 0, "max_iter": 500, "tol": 1e-3}
    both, direct = (
        RBFNetworkRegressor(4, output=output, delta=1e-9, **settings).fit(x, y)
        for output in ("rls", "least_squares")
    )
    np.testing.assert_array_equal(both.centers_, direct.centers_)
    assert both.history_["cost"] == direct.history_["cost"]
    assert both.n_iter_ == len(both.history_["cost"]) + len(both.history_["mse"])
    np.testing.assert_allclose(both.predict(x), direct.predict(x), atol=1e-4)


def test_universal_approximation():
    """The worst error falls toward 0 with the number of functions."""
    x = np.linspace(-2, 2, 401)[:, None]
    y = np.abs(x[:, 0]) + 0.3 * np.sin(7 * x[:, 0])
    worst = []
    for k in (5, 20, 40, 80):
        centers = np.linspace(-2, 2, k)[:, None]
        model = RBFNetworkRegressor(centers=centers, width=6.0 / k).fit(x, y)
        worst.append(float(np.abs(model.predict(x) - y).max()))
        f = np.exp(-((x - centers.T) ** 2) / (2 * (6.0 / k) ** 2))
        A = np.column_stack([np.ones(401), f])
        best = A @ np.linalg.lstsq(A, y)[0]
        assert worst[-1] == pytest.approx(np.abs(best - y).max(), rel=1e-3)
    assert worst == sorted(worst, reverse=True), worst


def test_functions_are_local():
    """Far from all centers only the constant is left: an RBF network does not extrapolate."""
    x = np.linspace(0, 1, 30)[:, None]
    model = RBFNetworkRegressor(5, random_state=0).fit(x, 2 * x[:, 0])
    assert model.predict([[100.0]])[0] == pytest.approx(model.intercept_[0])
    assert model.working([100.0]).scores[0] == pytest.approx(model.intercept_[0])


def test_multilayer_perceptron_and_rbf_network():
    """Global units generalize beyond the rows, local ones fall to the constant but learn at once."""
    x = np.linspace(-2, 2, 60)[:, None]
    y = np.tanh(1.5 * x[:, 0])
    rbf = RBFNetworkRegressor(10, random_state=0).fit(x, y)
    settings = {"activation": "tanh", "solver": "lbfgs", "max_iter": 500, "random_state": 0}
    mlp = MLPRegressor(hidden_layer_sizes=(10,), **settings).fit(x, y)
    # Both beat the best straight line on the rows.
    line = np.corrcoef(x[:, 0], y)[0, 1] ** 2
    assert min(rbf.score(x, y), mlp.score(x, y)) > line
    assert rbf.n_iter_ == 1 < mlp.n_iter_
    far = np.array([[4.0], [6.0], [9.0]])
    truth = np.tanh(1.5 * far[:, 0])
    assert (np.abs(mlp.predict(far) - truth) < np.abs(rbf.predict(far) - truth)).all()
    assert rbf.predict([[1e3]])[0] == rbf.intercept_[0]  # and no longer the function
