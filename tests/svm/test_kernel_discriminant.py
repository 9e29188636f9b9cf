"""The kernel discriminant against Fisher's in an explicit feature space."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import KernelDiscriminant, LinearDiscriminant, datasets
from hornbook.kernels import Gaussian, Linear, Sigmoid, kernel_matrix
from hornbook.linear import fisher_ratio

IRIS = datasets.iris()
ROWS, CLASSES = IRIS.features.numbers, IRIS.y


def test_linear_kernel_is_the_linear_discriminant():
    own = np.where(CLASSES == "versicolor", 1, 0)
    model = KernelDiscriminant(0.0, kernel=Linear()).fit(ROWS, own)
    linear = LinearDiscriminant().fit(ROWS, own)
    w = ROWS.T @ model.directions_[:, 0]
    assert np.linalg.norm(w) == pytest.approx(1.0)
    unit = -linear.direction_ / np.linalg.norm(linear.direction_)  # ours points to the second class
    np.testing.assert_allclose(w, unit, atol=1e-8)
    assert model.fisher_ratio_ == pytest.approx(linear.fisher_ratio_)
    assert model.fisher_ratio_ == pytest.approx(fisher_ratio(ROWS, own, unit).ratio)
    np.testing.assert_allclose(model.transform(ROWS)[:, 0], ROWS @ w)


def test_three_classes_have_the_plane_of_the_linear_discriminant():
    model = KernelDiscriminant(0.0, kernel=Linear()).fit(ROWS, CLASSES)
    linear = LinearDiscriminant(threshold="midpoint").fit(ROWS, CLASSES)
    w = ROWS.T @ model.directions_
    for j in range(2):
        cosine = w[:, j] @ linear.scalings_[:, j] / np.linalg.norm(linear.scalings_[:, j])
        assert abs(cosine) == pytest.approx(1.0)
    np.testing.assert_array_equal(model.predict(ROWS), linear.predict(ROWS))


def test_direction_maximizes_the_regularized_ratio():
    own = np.where(CLASSES == "versicolor", 1, 0)
    kernel, ridge = Gaussian(1.0), 0.1
    model = KernelDiscriminant(ridge, kernel=kernel).fit(ROWS, own)
    K = kernel_matrix(ROWS, kernel=kernel)
    means = [K[:, own == c].mean(axis=1) for c in (0, 1)]
    N = sum(
        K[:, own == c] @ (np.eye(n) - np.full((n, n), 1 / n)) @ K[:, own == c].T
        for c, n in enumerate(np.bincount(own))
    )
    a = np.linalg.solve(N + ridge * np.eye(150), means[1] - means[0])
    np.testing.assert_allclose(model.directions_[:, 0], a / np.sqrt(a @ K @ a), rtol=1e-6, atol=1e-8)


def test_boundary_is_halfway_between_the_projected_means():
    own = np.where(CLASSES == "versicolor", 1, 0)
    model = KernelDiscriminant(kernel=Gaussian(1.0)).fit(ROWS, own)
    z = model.transform(ROWS)[:, 0]
    low, high = model.projected_means_[:, 0]
    assert low < high
    expected = (z - (low + high) / 2) * (high - low) / model.spread_[0]
    np.testing.assert_allclose(model.decision_function(ROWS), expected, rtol=1e-9, atol=1e-9)


def test_names_number_and_plot_of_directions():
    model = KernelDiscriminant(n_components=1).fit(ROWS, CLASSES)
    assert model.get_feature_names_out().tolist() == ["kerneldiscriminant0"]
    assert model.transform(ROWS).shape == (150, 1)
    with pytest.raises(ValueError, match=r"n_classes - 1 = 2"):
        KernelDiscriminant(n_components=3).fit(ROWS, CLASSES)
    flat = KernelDiscriminant().fit(ROWS[:, :2], CLASSES == "setosa")
    ax = flat.plot(ROWS[:, :2], CLASSES == "setosa")
    assert any(text.get_text() for text in ax.texts)  # the values of the level curves


def test_kernel_that_is_no_scalar_product_is_refused():
    with pytest.raises(ValueError, match="positive semidefinite"):
        KernelDiscriminant(0.0, kernel=Sigmoid(1.0, -1.0)).fit([[0.0], [0.1], [0.2], [0.3]], [0, 1, 0, 1])


def test_kernel_that_is_no_scalar_product_is_said():
    A = np.random.default_rng(0).normal(size=(60, 60))
    with pytest.warns(UserWarning, match="not positive semidefinite, so the scatter"):
        KernelDiscriminant(kernel="precomputed").fit(A + A.T + 4 * np.eye(60), np.arange(60) % 2)


def test_classes_without_any_difference_are_answered_all_the_same():
    model = KernelDiscriminant().fit([[1.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert np.isfinite(model.decision_function([[1.0], [2.0]])).all()
