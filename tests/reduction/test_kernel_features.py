"""Explicit columns for kernels: random Fourier features and Nyström's approximation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.kernel_approximation import Nystroem as Judge

from hornbook import KernelRidge, Nystroem, RBFSampler, Ridge
from hornbook.kernels import Gaussian, Linear, kernel_matrix

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(80, 3))


def test_products_of_waves_approach_the_kernel():
    exact = kernel_matrix(X, kernel="rbf", gamma=0.3)
    for m in (50, 800):
        samplers = (RBFSampler(gamma=0.3, n_components=m, random_state=seed) for seed in range(40))
        values = np.stack([Z @ Z.T for Z in (sampler.fit_transform(X) for sampler in samplers)])
        # Of one wave the variance is 1 + k(2x, 2y) / 2 - k(x, y)², which is at most 1, as `describe` says.
        variance = (1 + exact**4 / 2 - exact**2) / m
        assert np.square(values - exact).mean() == pytest.approx(variance.mean(), rel=0.2)
        assert np.abs(values.mean(axis=0) - exact).max() < 5 / np.sqrt(40 * m)


def test_weights_are_normal_and_offsets_uniform():
    model = RBFSampler(gamma=2.0, n_components=2000, random_state=0).fit(X)
    assert kstest(model.random_weights_.ravel() / 2.0, "norm").pvalue > 0.01  # √(2 gamma) = 2
    assert kstest(model.random_offset_ / (2 * np.pi), "uniform").pvalue > 0.01
    np.testing.assert_array_equal(
        model.transform(X), np.sqrt(2 / 2000) * np.cos(X @ model.random_weights_ + model.random_offset_)
    )


def test_scale_is_that_of_the_kernel_by_name():
    w = 1.0 + np.arange(80) % 3
    model = RBFSampler(gamma="scale", random_state=0).fit(5 * X + 3, sample_weight=w)
    repeated = np.repeat(5 * X + 3, w.astype(int), axis=0)
    assert model.kernel_.gamma == pytest.approx(1 / (3 * repeated.var()))


def test_all_rows_give_the_kernel_itself():
    for kernel in (Gaussian(1.0), "poly", "laplacian"):
        Z = Nystroem(kernel, n_components=80, random_state=0).fit_transform(X)
        np.testing.assert_allclose(Z @ Z.T, kernel_matrix(X, kernel=kernel, **_options(kernel)), atol=1e-7)


def _options(kernel):
    return {} if isinstance(kernel, Gaussian) else {"gamma": "auto", "coef0": 1.0}


def test_same_rows_give_the_columns_of_scikit_learn():
    model = Nystroem(gamma=0.3, n_components=12, random_state=0).fit(X)
    judge = Judge(gamma=0.3, n_components=12).fit(model.components_)
    order = judge.component_indices_
    np.testing.assert_allclose(model.transform(X)[:, order], judge.transform(X), atol=1e-7)
    np.testing.assert_array_equal(model.components_, X[model.component_indices_])


def test_a_few_rows_and_a_linear_model_are_nearly_the_kernel_machine():
    y = np.sin(X[:, 0])
    exact = KernelRidge(0.1, kernel="rbf", gamma=0.2).fit(X, y)
    features = Nystroem(gamma=0.2, n_components=60, random_state=0).fit(X)
    linear = Ridge(0.1, fit_intercept=False).fit(features.transform(X), y)
    np.testing.assert_allclose(linear.predict(features.transform(X)), exact.predict(X), atol=0.02)


def test_draws_are_in_proportion_to_weights_and_without_copies():
    twice = np.repeat(np.arange(4.0)[:, None], 2, axis=0)
    w = np.array([0, 0, 1, 0, 3, 3, 0.5, 0.5])
    counts = np.zeros(4)
    for seed in range(400):
        model = Nystroem("linear", n_components=1, random_state=seed).fit(twice, sample_weight=w)
        counts[int(model.components_[0, 0])] += 1
    assert counts[0] == 0
    np.testing.assert_allclose(counts[1:] / 400, np.array([1, 6, 1]) / 8, atol=0.06)
    model = Nystroem("linear", n_components=8, random_state=0).fit(twice)
    assert sorted(model.components_.ravel().tolist()) == [0, 1, 2, 3]


def test_matrix_of_kernel_values():
    K = kernel_matrix(X, kernel=Linear())
    model = Nystroem("precomputed", n_components=5, random_state=0).fit(K)
    Z = model.transform(K)
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-8)  # 3 dimensions, of which 5 rows tell all


def test_kernel_that_overflows_is_refused():
    with pytest.raises(ValueError, match="not finite"):
        Nystroem("poly", degree=100, random_state=0).fit(1e10 * X)


def test_plots_compare_with_the_kernel():
    for model in (RBFSampler(random_state=0).fit(X), Nystroem(n_components=9, random_state=0).fit(X)):
        assert "kernel value" in model.plot(X).get_xlabel()
        assert str(model.describe())
