"""Kernel machines of the notes: the dual and the kernel perceptron, and the kernel discriminant."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import PCA, SVC, DualPerceptron, KernelDiscriminant, KernelPerceptron, Perceptron, datasets
from hornbook.kernels import Gaussian, Linear, Polynomial, feature_map, kernel_matrix

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
HOMOGENEOUS = np.column_stack([CORNERS, np.ones(4)])
AND, OR, XOR = [0, 0, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0]


class TestDualPerceptron:
    @pytest.mark.parametrize(
        ("y", "weights", "counts", "passes"),
        [(AND, [3, 2, -4], [2, 5, 4, 7], 9), (OR, [2, 2, -1], [5, 2, 2, 0], 6)],
    )
    def test_counts_weights_and_passes(self, y, weights, counts, passes):
        model = DualPerceptron().fit(CORNERS, y)
        assert model.alpha_.tolist() == [counts]
        assert [*model.coef_[0], *model.intercept_] == weights
        assert model.n_iter_ == passes

    def test_weights_are_the_sum_over_misclassified_rows(self):
        model, primal = DualPerceptron().fit(CORNERS, AND), Perceptron(update="sign").fit(CORNERS, AND)
        w = sum(a * s * x for a, s, x in zip(model.alpha_[0], [-1, -1, -1, 1], HOMOGENEOUS, strict=True))
        np.testing.assert_array_equal(w, [*primal.coef_[0], *primal.intercept_])

    def test_gram_matrix(self):
        expected = [[1, 1, 1, 1], [1, 2, 1, 2], [1, 1, 2, 2], [1, 2, 2, 3]]
        assert kernel_matrix(HOMOGENEOUS, kernel=Linear()).tolist() == expected


def test_perceptron_and_support_vector_machine_are_sums_over_rows():
    perceptron, machine = DualPerceptron().fit(CORNERS, AND), SVC(kernel="linear", C=np.inf).fit(CORNERS, AND)
    misclassified = perceptron.alpha_[0] > 0
    np.testing.assert_allclose(
        perceptron.coef_, perceptron.dual_coef_[misclassified].T @ CORNERS[misclassified]
    )
    w = machine.dual_coef_ @ machine.support_vectors_
    np.testing.assert_allclose(w @ CORNERS.T + machine.intercept_, [machine.decision_function(CORNERS)])
    assert len(machine.support_vectors_) < misclassified.sum()  # the corner (0, 0) is not on the margin


class TestKernelPerceptron:
    @pytest.mark.parametrize(
        ("augment", "counts", "passes"), [(False, [7, 5, 5, 4], 8), (True, [11, 9, 9, 8], 12)]
    )
    def test_xor_with_the_quadratic_kernel(self, augment, counts, passes):
        model = KernelPerceptron(kernel=Polynomial(2, constant=1.0), augment=augment).fit(CORNERS, XOR)
        assert model.alpha_.tolist() == [counts]
        assert model.n_iter_ == passes
        assert model.predict(CORNERS).tolist() == XOR

    def test_xor_with_the_gaussian_kernel(self):
        model = KernelPerceptron(kernel=Gaussian(1.0)).fit(CORNERS, XOR)
        assert model.alpha_.tolist() == [[1, 1, 1, 1]]
        assert model.n_iter_ == 2
        scores = model.decision_function(CORNERS)
        np.testing.assert_allclose(scores, 0.154818 * np.array([-1, 1, 1, -1]), atol=5e-7)

    def test_kernel_matrix_takes_the_place_of_the_gram_matrix(self):
        K = kernel_matrix(CORNERS, kernel=Gaussian(1.0))
        by_matrix = KernelPerceptron(kernel="precomputed").fit(K, XOR)
        by_rows = KernelPerceptron(kernel=Gaussian(1.0)).fit(CORNERS, XOR)
        np.testing.assert_array_equal(by_matrix.alpha_, by_rows.alpha_)

    @pytest.mark.parametrize("distance", [-5.0, -6.0, -6.5])
    def test_moons_at_three_distances(self, distance):
        moons = datasets.double_moon(distance, n=300, random_state=0)
        new = datasets.double_moon(distance, n=300, random_state=1)
        model = KernelPerceptron(kernel=Gaussian(2.0)).fit(moons)
        assert model.mistakes_ == 0
        assert (model.predict(new.features) == new.y).mean() > 0.97
        assert DualPerceptron(n_iter_no_change=5).fit(moons).mistakes_ > 0  # no straight line does it


class TestKernelDiscriminant:
    """Iris on its first two principal components, versicolor against the others, kernel (x·y)²."""

    @staticmethod
    def rows():
        iris = datasets.iris(version="uci")
        return PCA(2).fit_transform(iris.features), np.where(iris.y == "versicolor", "c1", "c2")

    @pytest.mark.parametrize("regularization", [0.0, 1e-6])
    def test_projected_means_scatters_and_ratio(self, regularization):
        X, y = self.rows()
        model = KernelDiscriminant(regularization, kernel=Polynomial(2, constant=0.0)).fit(X, y)
        np.testing.assert_allclose(model.projected_means_[:, 0], [0.338, 4.476], atol=5e-4)
        np.testing.assert_allclose(model.projected_scatters_[:, 0], [13.862, 320.934], atol=5e-4)
        assert model.fisher_ratio_ == pytest.approx(0.0511, abs=5e-5)

    def test_more_regularization_moves_the_means(self):
        X, y = self.rows()
        model = KernelDiscriminant(1.0, kernel=Polynomial(2, constant=0.0)).fit(X, y)
        assert model.projected_means_[1, 0] == pytest.approx(4.478, abs=5e-4)
        assert model.fisher_ratio_ == pytest.approx(0.0511, abs=5e-5)

    def test_formulas_by_the_kernel_matrix(self):
        X, y = self.rows()
        model = KernelDiscriminant(0.0, kernel=Polynomial(2, constant=0.0)).fit(X, y)
        K = kernel_matrix(X, kernel=Polynomial(2, constant=0.0))
        a = model.directions_[:, 0]
        assert a @ K @ a == pytest.approx(1.0)
        means, N = [], np.zeros_like(K)
        for c, n in (("c1", 50), ("c2", 100)):
            Kc = K[:, y == c]
            means.append(Kc @ np.ones(n) / n)
            Nc = Kc @ (np.eye(n) - np.ones((n, n)) / n) @ Kc.T
            np.testing.assert_allclose(Nc, Kc @ Kc.T - n * np.outer(means[-1], means[-1]), atol=1e-6)
            N += Nc
        M = np.outer(means[0] - means[1], means[0] - means[1])
        assert a @ M @ a / (a @ N @ a) == pytest.approx(model.fisher_ratio_)
        np.testing.assert_allclose(M @ a, model.fisher_ratio_ * (N @ a), atol=1e-6)
        np.testing.assert_allclose(model.transform(X)[:, 0], K @ a, atol=1e-9)
        np.testing.assert_allclose([a @ m for m in means], model.projected_means_[:, 0])

    def test_explicit_direction(self):
        X, y = self.rows()
        model = KernelDiscriminant(0.0, kernel=Polynomial(2, constant=0.0)).fit(X, y)
        w = feature_map(X, model.kernel_).T @ model.directions_[:, 0]  # on x1², √2 x1 x2, x2²
        # The sign of a principal component is free, and with it that of the mixed term.
        np.testing.assert_allclose([abs(w[1]), w[0], w[2]], [0.511, 0.761, -0.400], atol=5e-4)
        assert np.linalg.norm(w) == pytest.approx(1.0)

    def test_curves_of_constant_projection_are_drawn(self):
        X, y = self.rows()
        model = KernelDiscriminant(0.0, kernel=Polynomial(2, constant=0.0)).fit(X, y)
        ax = model.plot(X, y)
        values = [float(text.get_text().replace("\N{MINUS SIGN}", "-")) for text in ax.texts]
        assert len(set(values)) >= 3
