"""Kernel ridge regression against scikit-learn's, least squares and ridge regression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import LinAlgWarning
from sklearn.kernel_ridge import KernelRidge as Judge

from hornbook import KernelRidge, Ridge
from hornbook.kernels import Gaussian, Linear, Sigmoid, kernel_matrix

DRAW = np.random.default_rng(0)
X, NEW = DRAW.normal(size=(30, 4)), DRAW.normal(size=(7, 4))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])


@settings(max_examples=25)
@given(
    kernel=st.sampled_from(["linear", "poly", "rbf", "laplacian", "sigmoid"]),
    alpha=st.sampled_from([0.01, 1.0, [0.1, 2.0]]),
    gamma=st.sampled_from([None, 0.3]),
    weighted=st.booleans(),
)
def test_agrees_with_scikit_learn(kernel, alpha, gamma, weighted):
    if kernel == "sigmoid":
        alpha = 20.0  # the kernel is not positive semidefinite
    w = np.arange(30) % 4 / 2 if weighted else None
    ours = KernelRidge(alpha, kernel=kernel, gamma=gamma).fit(X, Y, sample_weight=w)
    judge = Judge(alpha, kernel=kernel, gamma=gamma).fit(X, Y, sample_weight=w)
    np.testing.assert_allclose(ours.predict(NEW), judge.predict(NEW), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_, judge.dual_coef_, rtol=1e-7, atol=1e-8)


def test_linear_kernel_is_ridge_regression_without_intercept():
    y = Y[:, 0]
    by_columns = KernelRidge(0.5).fit(X, y)
    by_rows = KernelRidge(0.5, kernel=Linear() + 1e-300 * Linear()).fit(X, y)
    ridge = Ridge(0.5, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(by_columns.predict(NEW), ridge.predict(NEW), rtol=1e-10)
    np.testing.assert_allclose(by_rows.dual_coef_, by_columns.dual_coef_, rtol=1e-9)


def test_coefficients_solve_the_equations():
    model = KernelRidge(0.3, kernel=Gaussian(1.5)).fit(X, Y[:, 0])
    K = kernel_matrix(X, kernel=Gaussian(1.5))
    np.testing.assert_allclose((K + 0.3 * np.eye(30)) @ model.dual_coef_, Y[:, 0], atol=1e-12)


def test_without_penalty_a_singular_matrix_gives_the_shortest_solution():
    model = KernelRidge(0.0).fit(X, Y[:, 0])
    np.testing.assert_allclose(model.dual_coef_, np.linalg.pinv(X @ X.T) @ Y[:, 0], atol=1e-10)
    exact = KernelRidge(0.0, kernel="rbf", gamma=2.0).fit(X, Y[:, 0])
    np.testing.assert_allclose(exact.predict(X), Y[:, 0], atol=1e-9)


def test_matrix_of_kernel_values():
    K, new = kernel_matrix(X, kernel="linear"), kernel_matrix(NEW, X, "linear")
    model = KernelRidge(kernel="precomputed").fit(K, Y[:, 0])
    np.testing.assert_allclose(model.predict(new), KernelRidge().fit(X, Y[:, 0]).predict(NEW), rtol=1e-9)
    with pytest.raises(ValueError, match="symmetric"):
        KernelRidge(kernel="precomputed").fit(K + np.triu(np.ones_like(K)), Y[:, 0])


def test_indefinite_kernel_is_said():
    with pytest.warns(LinAlgWarning, match="negative eigenvalues"):
        model = KernelRidge(1e-6, kernel=Sigmoid(1.0, -1.0)).fit(X, Y[:, 0])
    assert np.isfinite(model.predict(NEW)).all()


def test_lost_digits_are_said():
    wide = X * [1.0, 1.0, 1.0, 1e8]
    with (
        pytest.warns(UserWarning, match="column 'x3' varies"),
        pytest.warns(LinAlgWarning, match=r"rounding errors of up to .* in predictions: scale the columns"),
    ):
        KernelRidge().fit(wide, Y[:, 0])


@pytest.mark.parametrize("alpha", [[1.0, 2.0, 3.0], [1.0, -1.0], float("nan")])
def test_penalties_must_fit_the_targets(alpha):
    with pytest.raises(ValueError, match="alpha"):
        KernelRidge(alpha).fit(X, Y)


def test_kernel_function_that_overflows_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        KernelRidge(kernel="poly", degree=200).fit(1e10 * X, Y)


def test_terms_are_the_largest_first():
    model = KernelRidge(kernel="rbf").fit(X, Y[:, 0])
    sizes = [abs(term.values[0]) for term in model.working(NEW[0]).terms]
    assert sizes[:20] == sorted(sizes[:20], reverse=True)
    assert model.working(NEW[0]).terms[-1].name == "10 further rows"
