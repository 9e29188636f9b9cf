"""Kernel k-means with average distances, and the distance of a kernel, as in the notes."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest

from hornbook import KernelKMeans, datasets, kernels


def test_the_kernel_distance_replaces_scalar_products():
    x, y = np.array([1.0, 2.0]), np.array([2.0, 0.0])
    assert kernels.kernel_distance(x, y, kernels.Linear()) == pytest.approx(sqrt(5.0))
    by_hand = sqrt(25.0 - 2 * 4.0 + 16.0)  # (x.x)^2 - 2 (x.y)^2 + (y.y)^2
    assert kernels.kernel_distance(x, y, kernels.Polynomial(2, 0.0)) == pytest.approx(by_hand)
    gauss = sqrt(2 - 2 * exp(-5.0 / 2))
    assert kernels.kernel_distance(x, y, kernels.Gaussian(1.0)) == pytest.approx(gauss)


def test_rows_go_to_the_part_with_the_smallest_average_distance():
    X = datasets.watermelon("4.0").features.numbers
    kernel = kernels.Gaussian(0.2)
    model = KernelKMeans(3, kernel=kernel, distance="average", init="random", n_init=1, random_state=2).fit(X)
    D = np.array([[kernels.kernel_distance(a, b, kernel) for b in X] for a in X])
    averages = np.stack([D[:, model.labels_ == j].mean(axis=1) for j in range(3)], axis=1)
    np.testing.assert_array_equal(averages.argmin(axis=1), model.labels_)
    by_mean = KernelKMeans(3, kernel=kernel, init="random", n_init=1, random_state=2).fit(X)
    assert by_mean.inertia_ != pytest.approx(model.inertia_)  # another distance, another sum
