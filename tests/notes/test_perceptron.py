"""The perceptron and the generalized linear classifiers of the notes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import (
    GeneralizedLinearClassifier,
    LogisticRegression,
    Perceptron,
    PolynomialClassifier,
    PolynomialRegression,
    datasets,
)
from hornbook.evaluation import mse

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
GATES = {"and": [0, 0, 0, 1], "or": [0, 1, 1, 1], "xor": [0, 1, 1, 0]}


class TestTargets:
    """w changes by eta (y - answer) x, the threshold is a weight of the input -1."""

    @pytest.mark.parametrize("eta", [1.0, 0.5, 0.1])
    @pytest.mark.parametrize(("gate", "w", "theta", "passes"), [("and", [2, 1], 3, 6), ("or", [1, 1], 1, 4)])
    def test_and_and_or(self, eta, gate, w, theta, passes):
        model = Perceptron(eta0=eta).fit(SQUARE, GATES[gate])
        np.testing.assert_allclose(model.coef_[0], eta * np.array(w))
        assert model.threshold_ == pytest.approx(eta * theta)
        assert model.n_iter_ == passes
        assert model.predict(SQUARE).tolist() == GATES[gate]

    def test_not(self):
        model = Perceptron().fit([[0.0], [1.0]], [1, 0])
        assert model.predict([[0.0], [1.0]]).tolist() == [1, 0]

    def test_xor_never_ends(self):
        with pytest.warns(ConvergenceWarning, match="'max_iter' = 100"):
            model = Perceptron(max_iter=100, n_iter_no_change=None).fit(SQUARE, GATES["xor"])
        assert min(model.history_["mistakes"]) > 0

    def test_unchanged_when_correct_and_one_at_zero(self):
        """The first answer, from weights 0, is 1: class 1 is right at once, class 0 is corrected."""
        right = Perceptron().fit([[3.0], [-2.0]], [1, 0])
        assert right.coef_.tolist() == [[2.0]]  # only the second row changed it
        assert right.threshold_ == 1.0


class TestSigns:
    """Homogeneous coordinates; when y w·x <= 0, w changes by eta y x."""

    @pytest.mark.parametrize("eta", [1.0, 0.5])
    @pytest.mark.parametrize(("gate", "w", "epochs"), [("and", [3, 2, -4], 9), ("or", [2, 2, -1], 6)])
    def test_weights_and_epochs(self, eta, gate, w, epochs):
        model = Perceptron(update="sign", eta0=eta).fit(SQUARE, GATES[gate])
        assert [*model.coef_[0], *model.intercept_] == [eta * weight for weight in w]
        assert model.n_iter_ == epochs  # the last one changes nothing
        assert model.predict(SQUARE).tolist() == GATES[gate]

    @pytest.mark.parametrize(("gate", "alpha"), [("and", [2, 5, 4, 7]), ("or", [5, 2, 2, 0])])
    def test_weights_are_a_sum_of_misclassified_points(self, gate, alpha):
        model = Perceptron(update="sign").fit(SQUARE, GATES[gate])
        y = 2 * np.array(GATES[gate]) - 1
        whole = np.column_stack([SQUARE, np.ones(4)])
        np.testing.assert_array_equal([*model.coef_[0], *model.intercept_], (alpha * y) @ whole)
        assert sum(model.history_["mistakes"]) == sum(alpha)

    def test_answer_is_the_sign(self):
        model = Perceptron(update="sign").fit(SQUARE, GATES["and"])
        grid = np.random.default_rng(0).normal(size=(50, 2)) * 3
        assert (model.predict(grid) == (model.decision_function(grid) > 0)).all()


class TestPolynomials:
    def test_exclusive_or_by_products(self):
        """y = (x1, x2, x1 x2), plane y1 + y2 - 2 y3 - 1/4 = 0."""
        table = datasets.boolean("xor")
        labels = np.array(["B", "A", "A", "B"])
        model = GeneralizedLinearClassifier(functions=["identity", "products"], estimator=Perceptron())
        model.fit(SQUARE, labels)
        assert model.predict(SQUARE).tolist() == labels.tolist()
        assert model.map_names_.tolist() == ["x0", "x1", "x0 x1"]
        scores = model._map(SQUARE) @ [1, 1, -2] - 0.25
        assert scores.tolist() == [-0.25, 0.75, 0.75, -0.25]
        assert len(table) == 4

    def test_order_and_number_of_products(self):
        rng = np.random.default_rng(0)
        for columns, count in ((2, 5), (3, 9), (5, 20), (10, 65)):
            X = rng.normal(size=(30, columns))
            model = PolynomialClassifier(degree=2).fit(X, X[:, 0] > 0)
            assert len(model.map_names_) == count
        model = PolynomialClassifier(degree=2).fit(rng.normal(size=(9, 2)), np.arange(9) % 2)
        assert model.map_names_.tolist() == ["x0", "x1", "x0 x1", "x0^2", "x1^2"]

    def test_function_is_the_weighted_sum_of_the_products(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 2))
        y = X[:, 0] ** 2 + X[:, 1] ** 2 > 1.2
        model = PolynomialClassifier(degree=2, estimator=LogisticRegression(C=100.0)).fit(X, y)
        (w,), (w0,) = model.estimator_.coef_, model.estimator_.intercept_
        x1, x2 = X.T
        g = w0 + w[0] * x1 + w[1] * x2 + w[2] * x1 * x2 + w[3] * x1**2 + w[4] * x2**2
        np.testing.assert_allclose(model.decision_function(X), g, rtol=1e-9)
        assert model.score(X, y) > 0.97

    def test_generalized_linear_classifier_is_a_layer_of_functions_and_a_sum(self):
        """The radial functions of the notes around (1, 1) and (0, 0) make exclusive or separable."""
        centers = [np.array([1.0, 1.0]), np.array([0.0, 0.0])]
        functions = [lambda X, c=c: np.exp(-((X - c) ** 2).sum(axis=1)) for c in centers]
        model = GeneralizedLinearClassifier(functions=functions, estimator=LogisticRegression(C=1e3))
        model.fit(SQUARE, ["B", "A", "A", "B"])
        np.testing.assert_allclose(model._map(SQUARE)[[0, 1]], [[0.135, 1], [0.368, 0.368]], atol=5e-4)
        hidden = np.column_stack([f(SQUARE) for f in functions])
        g = hidden @ model.estimator_.coef_[0] + model.estimator_.intercept_
        np.testing.assert_allclose(model.decision_function(SQUARE), g)
        assert model.predict(SQUARE).tolist() == ["B", "A", "A", "B"]

    def test_degree_has_so_many_coefficients_and_fits_ever_closer(self):
        rng = np.random.default_rng(0)
        x = np.sort(rng.uniform(0, 3, 12))[:, None]
        y = 1 + x[:, 0] - 0.5 * x[:, 0] ** 2 + 0.1 * rng.normal(size=12)
        errors = []
        for degree in range(1, 12):
            model = PolynomialRegression(degree).fit(x, y)
            assert len(model.coef_) + 1 == degree + 1
            errors.append(mse(y, model.predict(x)))
        assert errors == sorted(errors, reverse=True)
        assert errors[-1] < 1e-8  # twelve points, twelve coefficients: learned by heart
