"""Lasso, elastic net and paths against scikit-learn, the conditions of the minimum, and bad input."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ElasticNet as Reference
from sklearn.linear_model import enet_path

from hornbook import Blocks, ElasticNet, Frame, Lasso, LinearRegression, Ridge
from hornbook.linear.solvers._scatter import refuse_wide

ratios = pytest.mark.parametrize("l1_ratio", [0.2, 0.7, 1.0])


def table(n=200, d=12, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1)) * spread + 3.0
    return X, X[:, :4] @ [1.0, -2.0, 0.5, 0.1] + rng.normal(size=n)


def tight(cls, **setting):
    return cls(tol=0.0, max_iter=100_000, **setting)


@ratios
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_coefficients_of_scikit_learn(l1_ratio, alpha, fit_intercept, weighted):
    X, y = table()
    w = 0.5 + np.arange(len(y)) % 3 if weighted else None
    ours = tight(ElasticNet, alpha=alpha, l1_ratio=l1_ratio, fit_intercept=fit_intercept).fit(X, y, w)
    theirs = Reference(
        alpha=alpha, l1_ratio=l1_ratio, fit_intercept=fit_intercept, tol=1e-14, max_iter=100_000
    ).fit(X, y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-8)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-8)
    assert ((ours.coef_ == 0) == (theirs.coef_ == 0)).all()


def test_lasso_is_the_elastic_net_without_squares():
    X, y = table()
    one, other = Lasso(alpha=0.1).fit(X, y), ElasticNet(alpha=0.1, l1_ratio=1.0).fit(X, y)
    np.testing.assert_array_equal(one.coef_, other.coef_)
    assert 0 < (one.coef_ == 0).sum() < 12


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    shape=st.sampled_from([(30, 5), (8, 20), (50, 1)]),
    alpha=st.sampled_from([0.01, 0.3, 2.0]),
    share=st.sampled_from([0.3, 1.0]),
)
def test_conditions_of_the_minimum(seed, shape, alpha, share):
    X, y = table(max(shape[0], 8), max(shape[1], 4), seed)
    model = tight(ElasticNet, alpha=alpha, l1_ratio=share).fit(X, y)
    residual = y - model.predict(X)
    pull = (X - X.mean(axis=0)).T @ residual / len(y) - alpha * (1 - share) * model.coef_
    zero = model.coef_ == 0
    near = 1e-7 * (1 + np.abs(y).max() * np.abs(X).max())
    assert (np.abs(pull[zero]) <= alpha * share + near).all()
    np.testing.assert_allclose(pull[~zero], alpha * share * np.sign(model.coef_[~zero]), atol=near)


def test_the_gap_bounds_the_distance_from_the_minimum():
    X, y = table(spread=5.0)

    def objective(model):
        return 0.5 * np.mean((y - model.predict(X)) ** 2) + 0.05 * np.abs(model.coef_).sum()

    best = objective(tight(Lasso, alpha=0.05).fit(X, y))
    for tol in (1e-1, 1e-3, 1e-5):
        model = Lasso(alpha=0.05, tol=tol).fit(X, y)
        assert best - 1e-12 <= objective(model) <= best + model.dual_gap_ + 1e-12
        assert model.dual_gap_ <= tol * y.var()
        assert model.history_["gap"][-1] == model.dual_gap_


def test_only_squares_is_ridge():
    X, y = table()
    one = tight(ElasticNet, alpha=0.3, l1_ratio=0.0).fit(X, y)
    np.testing.assert_allclose(one.coef_, Ridge(alpha=0.3 * len(y)).fit(X, y).coef_, atol=1e-7)
    none = tight(Lasso, alpha=0.0).fit(X, y)
    np.testing.assert_allclose(none.coef_, LinearRegression().fit(X, y).coef_, atol=1e-6)


def test_warm_start_goes_on():
    X, y = table(spread=2.0)
    model = Lasso(alpha=0.05, warm_start=True, tol=1e-8).fit(X, y)
    assert model.set_params(alpha=0.0499).fit(X, y).n_iter_ < Lasso(alpha=0.0499, tol=1e-8).fit(X, y).n_iter_


@ratios
def test_path_of_scikit_learn(l1_ratio):
    X, y = table()
    centered, level = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, _ = enet_path(centered, level, l1_ratio=l1_ratio, tol=1e-14, max_iter=100_000)
    path = tight(ElasticNet, l1_ratio=l1_ratio).path(X, y)
    np.testing.assert_allclose(path.alphas, alphas, rtol=1e-10)
    np.testing.assert_allclose(path.coefs, coefs.T, atol=1e-8)
    assert (path.coefs[0] == 0).all()
    assert path.coefs[1].any()
    middle = tight(ElasticNet, alpha=path.alphas[50], l1_ratio=l1_ratio).fit(X, y)
    assert path.intercepts[50] == pytest.approx(middle.intercept_, abs=1e-8)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_path_of_ridge(fit_intercept):
    X, y = table()
    X = np.column_stack([X, X[:, 0]])  # redundant columns do no harm
    w = 0.5 + np.arange(len(y)) % 3
    path = Ridge(fit_intercept=fit_intercept).path(X, y, alphas=[1e-3, 1.0, 100.0], sample_weight=w)
    assert path.alphas.tolist() == [100.0, 1.0, 1e-3]
    for alpha, coef, intercept in zip(path.alphas, path.coefs, path.intercepts, strict=True):
        model = Ridge(alpha=alpha, fit_intercept=fit_intercept).fit(X, y, w)
        np.testing.assert_allclose(coef, model.coef_, atol=1e-8)
        assert intercept == pytest.approx(model.intercept_, abs=1e-7)
    sizes = np.linalg.norm(Ridge().path(X, y).coefs, axis=1)
    assert (np.diff(sizes) > 0).all()  # weaker penalty, longer coefficients


def test_path_prints_and_draws_and_leaves_the_learner():
    X, y = table(d=4)
    learner = Lasso()
    path = learner.path(Frame(np.column_stack([X, y]), target=4), alphas=5)
    assert not hasattr(learner, "coef_")
    assert len(str(path).splitlines()) == 7
    assert [line.get_label() for line in path.plot().lines[1:]] == ["x0", "x1", "x2", "x3"]


def test_blocks_threads_and_sparse_matrices_give_the_same_bits():
    X, y = table(9000)
    frame = Frame(np.column_stack([X, y]), target=12)
    whole = Lasso(alpha=0.1, n_jobs=1).fit(frame)
    pieces = Blocks([frame[:7], frame[7:5000], frame[5000:]], n_jobs=3)
    np.testing.assert_array_equal(Lasso(alpha=0.1, n_jobs=3).fit(pieces).coef_, whole.coef_)
    np.testing.assert_array_equal(Lasso(alpha=0.1).fit(sp.csr_matrix(X), y).coef_, whole.coef_)


def test_bad_input():
    X, y = table(spread=50.0)
    with pytest.warns(ConvergenceWarning, match="Lasso: parameter 'max_iter' = 3 was too small"):
        Lasso(alpha=1e-4, max_iter=3, tol=1e-12).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="for 2 of 2 penalties"):
        Lasso(max_iter=1, tol=1e-12).path(X, y, alphas=[1e-3, 1e-4])
    with pytest.raises(ValueError, match="Lasso: a column .* squares overflow"):
        Lasso().fit([[1e200], [-1e200]], [0.0, 1.0])
    for alphas in (0, [], [-1.0], [[1.0]]):
        with pytest.raises(ValueError, match="'alphas' must be"):
            Lasso().path(X, y, alphas=alphas)
    with pytest.raises(ValueError, match="'eps' must be between 0 and 1"):
        Lasso().path(X, y, eps=2.0)
    with pytest.raises(ValueError, match="Ridge.path takes one target"):
        Ridge().path(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="products of 20000 encoded columns do not fit"):
        refuse_wide(20_000, "Lasso")
