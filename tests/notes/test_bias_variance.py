"""Bias and variance in the notes: the sums, the machine over C, the error sources, the three polynomials."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from sklearn.svm import SVC
from tests.evaluation.polynomials import Descent, Polynomial, noisy_parabola, parabola

from hornbook import PolynomialRegression
from hornbook.datasets import iris
from hornbook.evaluation import (
    Bootstrap,
    KFold,
    bias_variance,
    bias_variance_curve,
    error_sources,
    expected_loss,
    expected_risk,
    fit_diagnosis,
    optimal_rule,
    select_by_validation,
)
from hornbook.plots import bias_variance as bias_variance_plot
from hornbook.plots import boundaries, fits

POINTS = np.linspace(-1, 1, 41)[:, None]
TRUE = parabola(POINTS[:, 0])
SD = 0.4


def simulated(learner, n_rows=15, n_samples=200):
    return bias_variance(
        learner,
        POINTS,
        TRUE,
        method="simulation",
        sampler=noisy_parabola(n_rows, SD),
        noise=SD**2,
        n_samples=n_samples,
        random_state=0,
    )


class TestDecomposition:
    def test_the_generalization_error_is_bias_variance_and_noise(self):
        for degree in range(7):
            parts = simulated(Polynomial(degree))
            np.testing.assert_allclose(parts.loss_at, parts.bias_at + parts.variance_at + parts.noise_at)

    def test_the_sum_is_what_fresh_labels_show(self):
        # E(f; D) with labels drawn anew: the loss of 400 training sets against as many fresh labels
        sampler = noisy_parabola(15, SD)
        rng = np.random.default_rng(1)
        losses = []
        for _ in range(400):
            X, y = sampler(rng)
            fresh = TRUE + rng.normal(0, SD, len(TRUE))
            losses.append(np.mean((Polynomial(2).fit(X, y).predict(POINTS) - fresh) ** 2))
        expected = simulated(Polynomial(2), n_samples=400).loss
        assert np.mean(losses) == pytest.approx(expected, abs=4 * np.std(losses) / np.sqrt(400))

    def test_noise_is_the_lower_bound(self):
        assert all(simulated(Polynomial(k)).loss > SD**2 for k in range(7))

    def test_bias_falls_and_variance_grows_with_the_degree(self):
        # the figure of N0: error, bias and variance against the degree of training
        x = np.linspace(-1, 1, 20)

        def sampler(rng):
            return x[:, None], parabola(x) + rng.normal(0, SD, 20)

        curve = bias_variance_curve(
            Polynomial,
            [0, 1, 2, 3, 4, 5],
            POINTS,
            TRUE,
            name="degree",
            method="simulation",
            sampler=sampler,
            noise=SD**2,
            n_samples=300,
            random_state=0,
        )
        assert (np.diff(curve.variance) > 0).all()
        assert (np.diff(curve.bias[:3]) < 0).all()
        assert curve.best == 2
        drawn = bias_variance_plot(curve)
        assert [line.get_label() for line in drawn.lines] == ["loss", "bias²", "variance", "noise"]


def iris_pc():
    """First two principal components of Iris; versicolor +1, the rest -1."""
    frame = iris()
    centered = frame.features.matrix - frame.features.matrix.mean(axis=0)
    directions = np.linalg.svd(centered, full_matrices=False)[2][:2]
    return centered @ directions.T, np.where(frame.y == "versicolor", 1, -1)


def machine(C):
    return SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=C)


class TestMachineOverC:
    # bias², variance and loss for C = 0.01, 0.1, 1, 10, 100: means of 20 repetitions of K = 10 samples
    SIMULATED: ClassVar = {
        "bias": (0.179, 0.145, 0.102, 0.095, 0.091),
        "variance": (0.066, 0.022, 0.034, 0.045, 0.052),
        "loss": (0.245, 0.166, 0.136, 0.140, 0.143),
    }

    def test_twenty_repetitions_of_ten_samples(self):
        X, y = iris_pc()
        values = [0.01, 0.1, 1, 10, 100]
        curves = [
            bias_variance_curve(machine, values, X, y, name="C", n_samples=10, random_state=seed)
            for seed in range(20)
        ]
        for part, printed in self.SIMULATED.items():
            repeated = np.array([getattr(curve, part) for curve in curves])
            # both are means of 20 repetitions
            error = np.sqrt(2) * repeated.std(axis=0, ddof=1) / np.sqrt(20)
            assert (abs(repeated.mean(axis=0) - printed) < 4 * error + 0.0005).all()
        loss = np.mean([curve.loss for curve in curves], axis=0)
        assert values[int(loss.argmin())] in (1, 10)
        variance = np.mean([curve.variance for curve in curves], axis=0)
        assert (np.diff(variance[1:]) > 0).all()  # variance rises with C
        bias = np.mean([curve.bias for curve in curves], axis=0)
        assert (np.diff(bias) < 0).all()  # as bias falls

    def test_the_boundaries_of_ten_samples_are_drawn(self):
        X, y = iris_pc()
        models = [machine(1).fit(X[rows], y[rows]) for rows, _ in Bootstrap(10, random_state=0).split(X)]
        ax = boundaries(models, X, y)
        assert len(ax.collections) == 10 + 2  # lines, and the points of two classes


class TestRisk:
    def test_expected_zero_one_loss_is_one_minus_the_posterior(self):
        posterior = np.array([[0.6, 0.3, 0.1]])
        np.testing.assert_allclose(expected_loss(posterior, "abc", "abc"), [[0.4, 0.7, 0.9]])
        assert optimal_rule(posterior, "abc").predictions.tolist() == ["a"]

    def test_squared_loss_splits_into_variance_and_squared_error(self):
        # E_y[(y - M)²] = var(y|x) + (M - E[y|x])², classes -1 and +1
        for p in (0.1, 0.5, 0.8):
            rule = optimal_rule([[1 - p, p]], [-1, 1], loss="squared")
            mean, variance = 2 * p - 1, 4 * p * (1 - p)
            assert rule.predictions == pytest.approx([mean])
            assert rule.losses == pytest.approx([variance])
            for m in (-1.0, 0.3, 1.0):
                loss = expected_loss([[1 - p, p]], [-1, 1], [m], loss="squared")
                assert loss[0, 0] == pytest.approx(variance + (m - mean) ** 2)

    def test_the_mean_squared_error_of_a_distribution(self):
        # f(x) = 0 for y = x under the density 2x on [0, 1]: the integral of 2 x³ is 1/2
        risk = expected_risk(
            lambda points: 0 * points[:, 0],
            lambda points: points[:, 0],
            density=lambda points: 2 * points[:, 0],
            bounds=[(0, 1)],
        )
        assert risk == pytest.approx(0.5, abs=1e-9)


class TestErrorSources:
    def test_each_source_alone(self):
        sampler = noisy_parabola(15, SD)
        options = {"noise": SD**2, "n_samples": 300, "random_state": 0}
        proper = error_sources(Polynomial(2), sampler, POINTS, TRUE, **options)
        line = error_sources(Polynomial(1), sampler, POINTS, TRUE, **options)
        early = error_sources(Descent(2), sampler, POINTS, TRUE, exact=Polynomial(2), **options)
        assert proper.bayes == line.bayes == early.bayes == pytest.approx(SD**2)  # the same for every model
        assert line.bias > 0.2  # an improper model class
        assert abs(proper.bias) < 0.01
        assert proper.sample > 0.02  # data are only a sample
        assert early.algorithmic > 0.05  # a heuristic optimizer
        assert proper.algorithmic == 0
        for parts in (proper, line, early):
            assert parts.loss == pytest.approx(parts.bayes + parts.bias + parts.sample + parts.algorithmic)


class TestCapacity:
    """Polynomials of degree 1, 2 and 6 on the same noisy data."""

    def data(self):
        X, y = noisy_parabola(12, SD)(np.random.default_rng(4))
        return X, y

    def test_empirical_error_falls_and_generalization_error_is_least_at_two(self):
        X, y = self.data()
        empirical, general = [], []
        for degree in (1, 2, 6):
            model = Polynomial(degree).fit(X, y)
            empirical.append(np.mean((model.predict(X) - y) ** 2))
            general.append(SD**2 + np.mean((model.predict(POINTS) - TRUE) ** 2))
        assert empirical[0] > empirical[1] > empirical[2]
        assert general[1] < general[0]
        assert general[1] < general[2]

    def test_under_proper_and_overfitting_in_words(self):
        degrees = (1, 2, 6)
        errors = np.empty((2, 3, 10))
        for seed in range(10):
            rng = np.random.default_rng(seed)
            X, y = noisy_parabola(30, SD)(rng)
            fresh, truth = noisy_parabola(300, SD)(rng)
            for j, k in enumerate(degrees):
                model = Polynomial(k).fit(X, y)
                errors[0, j, seed] = np.mean((model.predict(X) - y) ** 2)
                errors[1, j, seed] = np.mean((model.predict(fresh) - truth) ** 2)
        words = {
            k: fit_diagnosis(train, test, acceptable=1.5 * SD**2, largest_gap=0.4).fit
            for k, train, test in zip(degrees, *errors, strict=True)
        }
        assert words == {1: "underfitting", 2: "proper fit", 6: "overfitting"}

    def test_bias_makes_the_line_bad_and_variance_the_sixth_degree(self):
        line, proper, wild = (simulated(Polynomial(k)) for k in (1, 2, 6))
        assert line.bias > 20 * proper.bias
        assert wild.variance > 5 * proper.variance
        assert proper.loss < min(line.loss, wild.loss)

    def test_the_picture(self):
        X, y = self.data()
        models = {f"degree {k}": Polynomial(k).fit(X, y) for k in (1, 2, 6)}
        ax = fits(models, X, y, truth=parabola)
        assert [line.get_label() for line in ax.lines] == ["truth", "degree 1", "degree 2", "degree 6"]
        assert len(ax.collections[0].get_offsets()) == 12


class TestInductiveBias:
    """Several curves through the same points: the data cannot choose, the preference of the learner does."""

    def test_two_hypotheses_agree_with_the_data_and_differ_elsewhere(self):
        x = np.linspace(-1, 1, 5)
        X, y = x[:, None], np.cos(2 * x)
        smooth, wild = Polynomial(4).fit(X, y), Polynomial(4).fit(X, y)
        zero_at_the_points = np.poly(x)[::-1]  # vanishes on all of them, so it can be added
        wild.degree, wild.coef_ = 5, np.append(wild.coef_, 0) + 8 * zero_at_the_points
        for model in (smooth, wild):
            np.testing.assert_allclose(model.predict(X), y, atol=1e-12)
        assert abs(smooth.predict(POINTS) - wild.predict(POINTS)).max() > 0.5
        ax = fits({"A": smooth, "B": wild}, X, y)
        assert [line.get_label() for line in ax.lines] == ["A", "B"]


class TestModelSelection:
    """Degrees 0 to 4: fit the training data, choose by the validation data, estimate, retrain on all."""

    def test_the_second_degree_has_the_least_validation_error(self):
        rng = np.random.default_rng(7)
        x = rng.uniform(-1, 1, 300)
        y = parabola(x) + rng.normal(0, SD, 300)
        learners = {f"degree {k}": PolynomialRegression(k) for k in range(5)}
        selection = select_by_validation(
            learners,
            x[:, None],
            y,
            measure="mse",
            test_size=0.4,
            estimate="cross_validation",
            cv=KFold(4),
            random_state=0,
        )
        # the training error says nothing: it falls with every degree
        assert (np.diff(selection.train_scores) < 0).all()
        assert selection.best == "degree 2"
        assert len(selection.test_scores) == 4
        assert selection.estimate == pytest.approx(SD**2, rel=0.25)
        np.testing.assert_allclose(
            selection.best_learner.coef_, PolynomialRegression(2).fit(x[:, None], y).coef_
        )
