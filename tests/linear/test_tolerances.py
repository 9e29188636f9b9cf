"""At the same tolerance no solver ends further from the optimum than scikit-learn's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet as TheirNet
from sklearn.linear_model import LogisticRegression as TheirLogistic
from tests.oracles.linear_optimum import softmax_optimum

from hornbook import ElasticNet, LogisticRegression

CONDITIONS = [1.0, 100.0, 1e4]
ill = pytest.mark.parametrize("condition", CONDITIONS)
tolerances = pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
classes = pytest.mark.parametrize("k", [2, 5])


def table(condition, n=200, d=6, seed=0):
    """Columns of different scale whose standardized products have about the square of this condition."""
    rng = np.random.default_rng(seed)
    left, size, right = np.linalg.svd(rng.normal(size=(n, d)), full_matrices=False)
    X = left * np.geomspace(1, 1 / condition, len(size)) * np.sqrt(n) @ right
    return X * rng.uniform(0.5, 20, d) + rng.normal(size=d)


def labels(X, k, seed=1):
    rng = np.random.default_rng(seed)
    scores = (X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(X.shape[1], k))
    return (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def log_cost(X, y, C, center, coef, intercept):
    """The objective over C, in extended precision."""
    Z = (X - center) @ np.asarray(coef, np.longdouble).T + intercept
    Z = np.column_stack([np.zeros(len(Z)), Z]) if Z.shape[1] == 1 else Z
    top = Z.max(axis=1)
    losses = np.log(np.exp(Z - top[:, None]).sum(axis=1)) + top - Z[np.arange(len(y)), y]
    return losses.sum() + (np.asarray(coef) ** 2).sum() / 2 / C


def excess(model, X, y, C):
    best = softmax_optimum(X, y, C)
    constant = model.intercept_ + (best[0] * np.asarray(model.coef_, np.longdouble)).sum(axis=1)
    return float(log_cost(X, y, C, best[0], model.coef_, constant) / log_cost(X, y, C, *best) - 1)


@ill
@classes
@tolerances
@pytest.mark.parametrize(("ours", "theirs"), [("newton", "newton-cholesky"), ("lbfgs", "lbfgs")])
def test_logistic_solvers_are_not_looser(ours, theirs, tol, k, condition):
    X = table(condition, d=4)
    y = labels(X, k)
    mine = LogisticRegression(solver=ours, C=10.0, tol=tol, max_iter=5000).fit(X, y)
    other = TheirLogistic(solver=theirs, C=10.0, tol=tol, max_iter=5000).fit(X, y)
    assert excess(mine, X, y, 10.0) <= excess(other, X, y, 10.0) + 1e-13


@ill
@classes
def test_the_default_solver_agrees_with_the_optimum(k, condition):
    X = table(condition, d=4)
    y = labels(X, k)
    _, coef, _ = softmax_optimum(X, y, 1.0)
    model = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, coef.astype(float), atol=1e-6 * float(np.abs(coef).max()))


def test_the_default_agrees_where_it_has_too_many_coefficients_for_newton():
    X = np.random.default_rng(0).normal(size=(600, 60))
    y = labels(X, 5)
    exact = LogisticRegression(solver="newton", tol=1e-10).fit(X, y)
    model = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, exact.coef_, atol=1e-6)


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
def test_absolute_values_are_not_looser_than_those_of_saga(solver):
    X = np.random.default_rng(2).normal(size=(300, 8))
    y = labels(X, 2)

    def cost(model):
        z = X @ model.coef_[0] + model.intercept_[0]
        return np.logaddexp(0, np.where(y == 1, -z, z)).sum() + 10 * np.abs(model.coef_).sum()

    for tol in (1e-2, 1e-4):
        mine = LogisticRegression(solver=solver, C=0.1, l1_ratio=1.0, tol=tol).fit(X, y)
        other = TheirLogistic(solver="saga", C=0.1, l1_ratio=1.0, tol=tol, random_state=0, max_iter=10_000)
        assert cost(mine) <= cost(other.fit(X, y)) * (1 + 1e-12)


def net_cost(model, X, y, alpha, share):
    left = y - X @ model.coef_ - model.intercept_
    squares = 0.5 * (left @ left) / len(y) + 0.5 * alpha * (1 - share) * model.coef_ @ model.coef_
    return squares + alpha * share * np.abs(model.coef_).sum()


@ill
@tolerances
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("shape", [(150, 10), (30, 60)])
def test_the_elastic_net_is_not_looser(shape, share, tol, condition):
    X = table(condition, *shape)
    y = X @ np.random.default_rng(3).normal(size=shape[1]) + np.random.default_rng(4).normal(size=shape[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mine = ElasticNet(0.01, l1_ratio=share, tol=tol, max_iter=5000).fit(X, y)
        other = TheirNet(alpha=0.01, l1_ratio=share, tol=tol, max_iter=5000).fit(X, y)
    theirs = net_cost(other, X, y, 0.01, share)
    assert net_cost(mine, X, y, 0.01, share) <= theirs * (1 + 1e-12)


def test_a_gradient_within_the_tolerance_is_not_complained_about():
    X = table(100.0, d=6)
    y = labels(X, 2)
    model = LogisticRegression(solver="lbfgs", C=100.0, tol=1e-2, max_iter=6)
    assert model.fit(X, y).n_iter_[0] == 6
