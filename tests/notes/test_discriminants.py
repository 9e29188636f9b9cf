"""Fisher's discriminant, the basic linear classifier and margins of the notes."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import BasicLinearClassifier, LinearDiscriminant, NearestMeanClassifier, datasets
from hornbook.linear import fisher_ratio, project, to_homogeneous


def melons():
    table = datasets.watermelon("3.0a")
    return table.features.numbers, table.y.astype(int)


def iris():
    """Sepal length and width; c1 is setosa, c2 the rest."""
    table = datasets.iris()
    return table.features.numbers[:, :2], np.where(table.y == "setosa", "c1", "c2")


class TestIris:
    def test_scatter_matrices(self):
        X, y = iris()
        model = LinearDiscriminant().fit(X, y)
        np.testing.assert_allclose(model.within_scatter_, [[49.58, 17.01], [17.01, 18.08]], atol=5e-3)
        gap = model.means_[0] - model.means_[1]
        B = np.outer(gap, gap)
        np.testing.assert_allclose(B, [[1.587, -0.693], [-0.693, 0.303]], rtol=0.017)  # from rounded means
        np.testing.assert_allclose(model.between_scatter_, B * 50 * 100 / 150)
        for label, expected in (
            ("c1", [[6.09, 4.91], [4.91, 7.11]]),
            ("c2", [[43.5, 12.09], [12.09, 10.96]]),
        ):
            Z = X[y == label] - X[y == label].mean(axis=0)
            np.testing.assert_allclose(Z.T @ Z, expected, atol=6e-3)

    def test_eigenvector_and_eigenvalue(self):
        X, y = iris()
        model = LinearDiscriminant(solver="eigen").fit(X, y)
        w = model.scalings_[:, 0] / np.linalg.norm(model.scalings_)
        np.testing.assert_allclose(-w if w[0] < 0 else w, [0.551, -0.834], atol=5e-4)
        assert model.fisher_ratio_ == pytest.approx(0.109765, abs=5e-7)

    def test_direct_solution(self):
        X, y = iris()
        model = LinearDiscriminant(solver="direct").fit(X, y)
        np.testing.assert_allclose(model.direction_, [-0.0527, 0.0798], atol=5e-5)
        assert np.linalg.norm(model.direction_) == pytest.approx(0.0956, abs=5e-5)
        unit = model.direction_ / np.linalg.norm(model.direction_)
        np.testing.assert_allclose(unit, [-0.551, 0.834], atol=5e-4)

    def test_projected_means_and_scatters(self):
        X, y = iris()
        model = LinearDiscriminant().fit(X, y)
        w = model.direction_ / np.linalg.norm(model.direction_)
        projected = fisher_ratio(X, y, w)
        along, points = project(X, w)
        for c, label in enumerate(("c1", "c2")):
            own = along[y == label]
            assert (
                projected.means[c]
                == pytest.approx(w @ X[y == label].mean(axis=0))
                == pytest.approx(own.mean())
            )
            assert projected.scatters[c] == pytest.approx(len(own) * own.var())
        assert projected.ratio == pytest.approx(
            (projected.means[0] - projected.means[1]) ** 2 / projected.scatters.sum()
        )
        assert projected.ratio == pytest.approx(model.fisher_ratio_)
        np.testing.assert_allclose(points, [(w @ x) / (w @ w) * w for x in X])


class TestMelons:
    def test_direction_and_ratio(self):
        X, y = melons()
        model = LinearDiscriminant(threshold="midpoint").fit(X, y)
        np.testing.assert_allclose(model.means_, [[0.49611, 0.15422], [0.57375, 0.27875]], atol=5e-6)
        np.testing.assert_allclose(model.within_scatter_, [[0.42019, 0.02176], [0.02176, 0.16426]], atol=5e-6)
        np.testing.assert_allclose(model.direction_, [-0.14651, -0.73872], atol=5e-6)
        assert model.fisher_ratio_ == pytest.approx(0.10337, abs=5e-6)
        along = X @ model.direction_
        centers = [along[y == c].mean() for c in (0, 1)]
        assert centers[0] > centers[1]  # class 0 projects higher
        nearest = (abs(along - centers[1]) < abs(along - centers[0])).astype(int)
        assert (model.predict(X) == nearest).all()
        assert (np.flatnonzero(nearest != y) + 1).tolist() == [6, 7, 8, 14, 15]

    def test_objective_is_a_rayleigh_quotient(self):
        X, y = melons()
        model = LinearDiscriminant().fit(X, y)
        w, S = model.direction_, model.within_scatter_
        gap = model.means_[0] - model.means_[1]
        B = np.outer(gap, gap)
        assert (w @ B @ w) / (w @ S @ w) == pytest.approx(model.fisher_ratio_)
        np.testing.assert_allclose(B @ w, model.fisher_ratio_ * S @ w, rtol=1e-9)

    def test_singular_values_give_the_pseudo_inverse(self):
        X, y = melons()
        twice = np.column_stack([X, X[:, 0]])  # S_w is singular
        model = LinearDiscriminant().fit(twice, y)
        gap = model.means_[0] - model.means_[1]
        np.testing.assert_allclose(model.direction_, np.linalg.pinv(model.within_scatter_) @ gap, atol=1e-9)

    def test_many_classes(self):
        table = datasets.iris()
        X, y = table.features.numbers, table.y
        model = LinearDiscriminant().fit(X, y)
        total = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
        np.testing.assert_allclose(model.within_scatter_ + model.between_scatter_, total, rtol=1e-10)
        W = model.scalings_
        assert W.shape == (4, 2)  # columns x (classes - 1)
        best = np.trace(W.T @ model.between_scatter_ @ W) / np.trace(W.T @ model.within_scatter_ @ W)
        rng = np.random.default_rng(0)
        root = np.linalg.cholesky(np.linalg.inv(model.within_scatter_))
        for _ in range(50):
            V = root @ np.linalg.qr(rng.normal(size=(4, 2)))[0]  # scatter 1 within classes, as for W
            assert np.trace(V.T @ model.between_scatter_ @ V) / 2 <= best + 1e-9

    def test_bayes_optimal_for_equal_clouds(self):
        """Two normal classes of one covariance and prior: the boundary is that of the densities."""
        rng = np.random.default_rng(0)
        root = np.array([[1.0, 0.0], [0.8, 0.5]])
        means = np.array([[0.0, 0.0], [1.5, 0.5]])
        y = np.arange(40_000) % 2
        X = means[y] + rng.normal(size=(len(y), 2)) @ root.T
        precision = np.linalg.inv(root @ root.T)
        w = precision @ (means[1] - means[0])
        model = LinearDiscriminant().fit(X, y)
        np.testing.assert_allclose(model.coef_[0], w, rtol=0.05)
        best = (X @ w > w @ means.sum(axis=0) / 2) == y
        assert model.score(X, y) == pytest.approx(best.mean(), abs=0.002)


class TestBasicLinear:
    X = np.array([[2, 2], [3, 1], [4, 3], [0, 0], [-1, 1], [1, -1]], dtype=float)
    y = np.array([1, 1, 1, 0, 0, 0])

    def test_boundary_halfway_between_the_means(self):
        model = BasicLinearClassifier().fit(self.X, self.y)
        assert model.means_.tolist() == [[0, 0], [3, 2]]
        assert (model.coef_.tolist(), model.threshold_) == ([[3, 2]], 6.5)
        assert model.decision_function([[1.5, 1.0]]).tolist() == [0.0]  # the middle
        assert model.predict([[1.5, 1.0], [1.5, 1.01]]).tolist() == [0, 1]  # 1 only if w·x > t

    def test_nearest_exemplar_is_the_same(self):
        grid = np.stack(np.meshgrid(np.linspace(-3, 6, 37), np.linspace(-3, 6, 41)), axis=-1).reshape(-1, 2)
        one = BasicLinearClassifier().fit(self.X, self.y)
        other = NearestMeanClassifier().fit(self.X, self.y)
        sure = abs(one.decision_function(grid)) > 1e-9
        assert (one.predict(grid) == other.predict(grid))[sure].all()

    def test_homogeneous_form(self):
        model = BasicLinearClassifier().fit(self.X, self.y)
        whole = to_homogeneous(model.coef_[0], model.threshold_)
        assert whole.tolist() == [3, 2, -6.5]
        np.testing.assert_allclose(
            np.column_stack([self.X, np.ones(6)]) @ whole, model.decision_function(self.X)
        )

    def test_scaling_weights_and_threshold_changes_nothing(self):
        model = BasicLinearClassifier().fit(self.X, self.y)
        before = model.predict(self.X), model.margins(self.X, self.y)
        model.coef_, model.intercept_ = 2 * model.coef_, 2 * model.intercept_
        assert (model.predict(self.X) == before[0]).all()
        np.testing.assert_allclose(model.margins(self.X, self.y), before[1])

    def test_margin_is_the_signed_distance(self):
        model = BasicLinearClassifier().fit(self.X, self.y)
        margins = model.margins(self.X, self.y)
        expected = (2 * self.y - 1) * (self.X @ [3, 2] - 6.5) / np.sqrt(13)
        np.testing.assert_allclose(margins, expected)
        assert (model.margins(self.X, 1 - self.y) < 0).all()  # wrong side
