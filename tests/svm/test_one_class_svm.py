"""OneClassSVM: against scikit-learn and a general solver, what nu means, and rows on the boundary."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import svm as peer
from sklearn.exceptions import ConvergenceWarning
from tests.oracles.svm import dual_optimum, kernel_matrix

from hornbook import OneClassSVM
from hornbook.kernels import Gaussian

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(300, 4)) * np.where(np.arange(300) < 10, 4.0, 1.0)[:, None]


@pytest.mark.parametrize(
    "settings",
    [{}, {"nu": 0.1}, {"nu": 0.013, "gamma": 0.2}, {"kernel": "poly", "nu": 0.3, "coef0": 1.0}],
)
def test_scores_are_scikit_learns(settings):
    ours, theirs = OneClassSVM(tol=1e-8, **settings).fit(X), peer.OneClassSVM(tol=1e-8, **settings).fit(X)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=2e-5)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=2e-5)
    assert ours.offset_ == pytest.approx(theirs.offset_[0], abs=1e-5)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    sure = np.abs(theirs.decision_function(X)) > 1e-4
    np.testing.assert_array_equal(ours.predict(X)[sure], theirs.predict(X)[sure])


def check_against_general_solver(seed):
    draw = np.random.default_rng(seed)
    rows, w = draw.normal(size=(9, 2)), draw.integers(1, 4, 9).astype(float)
    model = OneClassSVM(nu=0.4, gamma=0.5, tol=1e-9).fit(rows, sample_weight=w)
    K, none = kernel_matrix(rows, rows, "rbf", 0.5), np.zeros(9)
    value, _ = dual_optimum(K, none, w, none, none, 0.4 * w.sum())
    assert model.objective_ == pytest.approx([-value, -value], rel=1e-6)
    assert model.dual_coef_.sum() == pytest.approx(0.4 * w.sum())


@pytest.mark.parametrize("seed", range(3))
def test_the_objective_is_that_of_a_general_solver(seed):
    check_against_general_solver(seed)


@pytest.mark.slow
def test_the_objective_is_that_of_a_general_solver_many_times():
    for seed in range(3, 200):
        check_against_general_solver(seed)


@pytest.mark.parametrize("nu", [0.05, 0.2, 0.5, 1.0])
def test_nu_bounds_outliers_and_support_vectors(nu):
    model = OneClassSVM(nu=nu, tol=1e-10).fit(X)
    outliers = (model.predict(X) == -1).mean()
    assert outliers <= nu + 1e-12
    assert len(model.support_) / len(X) >= nu - 1e-12
    np.testing.assert_array_equal(model.predict(X) == 1, model.decision_function(X) >= 0)
    # Rows on the boundary have score 0, not a rounding error of either sign.
    free = (model.dual_coef_[0] > 1e-9) & (model.dual_coef_[0] < 1 - 1e-9)
    assert (model.decision_function(X)[model.support_[free]] == 0).all()


def test_kernels_weights_and_threads():
    base = OneClassSVM(nu=0.3, gamma=0.5, tol=1e-9, n_jobs=1).fit(X)
    for other in (
        OneClassSVM(nu=0.3, gamma=0.5, tol=1e-9, n_jobs=2, shrinking=False).fit(X),
        OneClassSVM(nu=0.3, kernel=Gaussian(1.0), tol=1e-9).fit(X),
    ):
        np.testing.assert_allclose(other.decision_function(X), base.decision_function(X), atol=1e-7)
    K = kernel_matrix(X, X, "rbf", 0.5)
    by_matrix = OneClassSVM(nu=0.3, kernel="precomputed", tol=1e-9).fit(K)
    np.testing.assert_allclose(by_matrix.decision_function(K), base.decision_function(X), atol=1e-7)
    linear = OneClassSVM(kernel="linear", nu=0.3).fit(X + 5)
    scores = (X + 5) @ linear.coef_[0] + linear.intercept_[0]
    np.testing.assert_allclose(linear.decision_function(X + 5), scores, atol=1e-6)
    with pytest.raises(AttributeError, match="kernel='linear'"):
        _ = base.coef_


def test_what_it_says_when_it_cannot():
    with pytest.raises(ValueError, match="'nu'"):
        OneClassSVM(nu=0.0).fit(X)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        OneClassSVM(max_iter=3).fit(X)
    assert set(OneClassSVM(nu=0.1).fit_predict(X)) == {-1, 1}
