"""Kernels: their formulas, sums and products, Mercer's condition, distances, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import pairwise

from hornbook import kernels

DRAW = np.random.default_rng(0)
X, Y = DRAW.normal(size=(12, 3)), DRAW.normal(size=(5, 3))

PAIRS = [
    (kernels.Linear(), pairwise.linear_kernel(X, Y)),
    (kernels.Polynomial(3, 2.0, 0.5), pairwise.polynomial_kernel(X, Y, degree=3, coef0=2.0, gamma=0.5)),
    (kernels.Gaussian(2.0), pairwise.rbf_kernel(X, Y, gamma=1 / 8)),
    (kernels.Gaussian(2.0, form="sigma2"), pairwise.rbf_kernel(X, Y, gamma=1 / 4)),
    (kernels.Laplacian(2.0, norm="l1"), pairwise.laplacian_kernel(X, Y, gamma=0.5)),
    (kernels.Laplacian(2.0), np.exp(-np.linalg.norm(X[:, None] - Y, axis=2) / 2)),
    (kernels.Sigmoid(0.5, -1.0), pairwise.sigmoid_kernel(X, Y, gamma=0.5, coef0=-1.0)),
]


@pytest.mark.parametrize(("kernel", "expected"), PAIRS, ids=lambda value: str(value)[:20])
def test_values_are_those_of_the_formula(kernel, expected):
    np.testing.assert_allclose(kernel.matrix(X, Y), expected, rtol=1e-12)
    assert kernel(X[0], Y[1]) == pytest.approx(expected[0, 1])
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(kernel.matrix(X, X)), rtol=1e-12)


@pytest.mark.parametrize("name", ["linear", "poly", "rbf", "laplacian", "sigmoid"])
@pytest.mark.parametrize("gamma", ["scale", "auto", 0.3])
def test_names_and_gamma_are_those_of_scikit_learn(name, gamma):
    rate = {"scale": 1 / (3 * X.var()), "auto": 1 / 3}.get(gamma, gamma)
    options = {} if name == "linear" else {"gamma": rate}
    if name in ("poly", "sigmoid"):
        options["coef0"] = 0.7
    expected = pairwise.pairwise_kernels(X, Y, metric=name, **options)
    ours = kernels.kernel_matrix(X, Y, name, gamma=gamma, coef0=0.7)
    np.testing.assert_allclose(ours, expected, rtol=1e-10)


def test_a_width_left_out_is_that_of_scale():
    expected = pairwise.rbf_kernel(X, X, gamma=1 / (3 * X.var()))
    for form in ("2sigma2", "sigma2"):
        np.testing.assert_allclose(kernels.kernel_matrix(X, kernel=kernels.Gaussian(form=form)), expected)
    with pytest.raises(ValueError, match="'sigma' was left out"):
        kernels.Gaussian()([0.0], [1.0])


def test_sums_products_and_multiples_are_kernels():
    one, other = kernels.Gaussian(1.0), kernels.Polynomial(2, 1.0)
    a, b = one.matrix(X, X), other.matrix(X, X)
    for kernel, expected in ((one + other, a + b), (one * other, a * b), (3 * one, 3 * a)):
        np.testing.assert_allclose(kernel.matrix(X, X), expected)
        np.testing.assert_allclose(kernel.diagonal(X), np.diag(expected))
        assert kernels.is_mercer(kernel.matrix(X, X))
    mixed = kernels.Gaussian() + kernels.Linear()
    scaled = pairwise.rbf_kernel(X, X, gamma=1 / (3 * X.var())) + X @ X.T
    np.testing.assert_allclose(kernels.kernel_matrix(X, kernel=mixed), scaled)
    with pytest.raises(ValueError, match="'factor' must be a number above 0"):
        -1.0 * one


def test_mercers_condition():
    assert kernels.is_mercer(kernels.kernel_matrix(X, kernel="rbf"))
    assert not kernels.is_mercer([[0.0, 1.0], [1.0, 0.0]])
    assert not kernels.is_mercer([[1.0, 0.5], [0.0, 1.0]])
    with pytest.raises(ValueError, match="must be a square matrix"):
        kernels.is_mercer(np.ones((2, 3)))
    with pytest.raises(ValueError, match="finite"):
        kernels.is_mercer([[np.nan]])


def test_distances_in_feature_space():
    assert kernels.kernel_distance(X[0], X[1], "linear") == pytest.approx(np.linalg.norm(X[0] - X[1]))
    near = kernels.Gaussian(1.5)
    expected = np.sqrt(2 - 2 * near(X[0], X[1]))
    assert kernels.kernel_distance(X[0], X[1], near) == pytest.approx(expected)
    with pytest.raises(ValueError, match=r"two rows of equal length; got shapes \(2, 2\) and \(2, 2\)"):
        kernels.kernel_distance(np.eye(2), np.eye(2))
    with pytest.raises(ValueError, match="not positive semidefinite"):
        kernels.kernel_distance([0.0], [1.0], lambda x, y: float(-x @ y))


def test_functions_are_kernels():
    ours = kernels.kernel_matrix(X, Y, lambda x, y: float(x @ y))
    np.testing.assert_allclose(ours, X @ Y.T)
    with pytest.raises(ValueError, match="returned NaN or infinity"):
        kernels.kernel_matrix(X, kernel=lambda x, y: float(x @ y) * np.nan)
    with pytest.raises(ValueError, match="must return one number"):
        kernels.kernel_matrix(X, kernel=lambda x, y: x + y)
    for function in (lambda x, y: complex(x[0], y[0]), lambda S, T: 1j * (S @ T.T)):
        with pytest.raises(ValueError, match="returned complex numbers: make it return a real number"):
            kernels.kernel_matrix(X, kernel=function)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: kernels.Gaussian(0.0), "'sigma' must be a number above 0"),
        (lambda: kernels.Gaussian(1.0, form="sigma"), "'form' must be"),
        (lambda: kernels.Laplacian(-1.0), "'sigma' must be a number above 0"),
        (lambda: kernels.Laplacian(1.0, norm="l3"), "'norm' must be"),
        (lambda: kernels.Polynomial(0), "'degree' must be an integer from 1 on"),
        (lambda: kernels.Polynomial(2, -1.0), "'constant' must be a number >= 0"),
        (lambda: kernels.Sigmoid(1.0, np.inf), "'offset' must be a finite number"),
        (lambda: kernels.kernel_matrix(X, kernel="rfb"), "'kernel' must be one of .* Did you mean 'rbf'"),
        (
            lambda: kernels.kernel_matrix(X, gamma="large"),
            "'gamma' must be a number above 0, 'scale' or 'auto'",
        ),
        (lambda: kernels.kernel_matrix([[np.nan]]), "fill missing values"),
        (lambda: kernels.Linear()([0.0], [1.0, 2.0]), "rows of equal length"),
        (lambda: kernels.Precomputed().matrix(X, Y), "one column for each of the 5 rows"),
    ],
)
def test_what_is_wrong_is_said(make, words):
    with pytest.raises(ValueError, match=words):
        make()
