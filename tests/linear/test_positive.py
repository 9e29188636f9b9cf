"""Regressions without negative weights, and the parameters that only name a way to the same minimum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn import linear_model

import hornbook
from hornbook import Blocks, ElasticNet, Frame, Lasso, LinearRegression, Ridge


def table(n=120, d=9, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    return X, X @ rng.normal(size=d) + rng.normal(size=n)


@pytest.mark.parametrize("name", ["ElasticNet", "Lasso"])
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0])
@pytest.mark.parametrize("shape", [(120, 9), (25, 40)], ids=["long", "wide"])
def test_penalized_weights_of_scikit_learn(name, alpha, shape):
    X, y = table(*shape)
    setting = {"alpha": alpha, "positive": True, "tol": 1e-12, "max_iter": 100_000}
    ours = getattr(hornbook, name)(**setting).fit(X, y)
    theirs = getattr(linear_model, name)(**setting).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
    assert ours.coef_.min() == 0.0  # some weight would be negative
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_optimality_conditions_of_positive_weights(alpha):
    X, y = table()
    model = Lasso(alpha, positive=True, tol=0.0, max_iter=100_000).fit(X, y)
    pull = (X - X.mean(axis=0)).T @ (y - model.predict(X)) / len(y)
    used = model.coef_ > 0
    np.testing.assert_allclose(pull[used], alpha, atol=1e-9)
    assert (pull[~used] <= alpha + 1e-9).all()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_least_squares_is_that_of_an_active_set(fit_intercept):
    X, y = table()
    w = 0.5 + np.arange(len(y)) % 3
    model = LinearRegression(positive=True, fit_intercept=fit_intercept).fit(X, y, w)
    center, aim = (np.average(X, 0, w), np.average(y, weights=w)) if fit_intercept else (0.0, 0.0)
    root = np.sqrt(w)
    expected = nnls((X - center) * root[:, None], (y - aim) * root)[0]
    np.testing.assert_allclose(model.coef_, expected, atol=1e-12)
    assert model.standard_errors_.size == 0
    assert "coefficients may not be negative" in str(model.describe())


def test_ridge_shrinks_positive_weights_and_blocks_equal_memory():
    X, y = table(5000)
    whole = Ridge(3.0, positive=True).fit(X, y)
    theirs = linear_model.Ridge(3.0, positive=True, tol=1e-14).fit(X, y)
    np.testing.assert_allclose(whole.coef_, theirs.coef_, atol=1e-6)
    assert whole.solver_ == "nnls"
    frame = Frame(np.column_stack([X, y]), target="x9")
    parts = Ridge(3.0, positive=True).fit(Blocks([frame[:1234], frame[1234:]]))
    np.testing.assert_array_equal(parts.coef_, whole.coef_)


def test_one_penalty_for_each_target():
    X, y = table()
    Y = np.column_stack([y, -y + X[:, 0]])
    model = Ridge([0.5, 20.0]).fit(X, Y)
    for i, alpha in enumerate([0.5, 20.0]):
        single = Ridge(alpha).fit(X, Y[:, i])
        np.testing.assert_allclose(model.coef_[i], single.coef_, rtol=1e-12)
        assert model.intercept_[i] == pytest.approx(single.intercept_)


@pytest.mark.parametrize("alpha", [[1.0, 2.0, 3.0], [-1.0], [np.inf], [[1.0]]])
def test_penalties_that_fit_no_targets_are_refused(alpha):
    with pytest.raises(ValueError, match="Ridge: parameter 'alpha' must be one finite number of 0 or more"):
        Ridge(alpha).fit(*table())


@pytest.mark.parametrize("solver", ["svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"])
def test_solvers_lead_to_the_same_minimum(solver):
    X, y = table()
    model = Ridge(solver=solver, max_iter=5, tol=0.1, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.coef_, Ridge().fit(X, y).coef_)
    assert "normal equations" in str(model.describe())


def test_order_of_work_changes_nothing():
    X, y = table()
    before = X.copy()
    plain = ElasticNet(0.1).fit(X, y)
    for setting in (
        {"precompute": True},
        {"precompute": X.T @ X},
        {"selection": "random", "random_state": 1},
    ):
        np.testing.assert_array_equal(ElasticNet(0.1, copy_X=False, **setting).fit(X, y).coef_, plain.coef_)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("shape", [(120, 9), (25, 40)], ids=["long", "wide"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_path_of_ridge_keeps_weights_positive(shape, fit_intercept):
    X, y = table(*shape, seed=3)
    w = 0.5 + np.arange(len(y)) % 3
    path = Ridge(positive=True, fit_intercept=fit_intercept).path(
        X, y, alphas=[1e-2, 1.0, 100.0], sample_weight=w
    )
    for alpha, coef, intercept in zip(path.alphas, path.coefs, path.intercepts, strict=True):
        model = Ridge(alpha, positive=True, fit_intercept=fit_intercept).fit(X, y, w)
        np.testing.assert_allclose(coef, model.coef_, atol=1e-8)
        assert coef.min() == 0.0
        assert intercept == pytest.approx(model.intercept_, abs=1e-8)
    assert path.coefs[-1].any()
