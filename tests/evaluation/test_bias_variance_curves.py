"""Bias and variance along a parameter, the sources of an error, and what they say of a fit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from tests.evaluation.polynomials import Descent, Polynomial, noisy_parabola, parabola

from hornbook.evaluation import (
    BiasVarianceCurve,
    bias_variance,
    bias_variance_curve,
    error_sources,
    fit_diagnosis,
)
from hornbook.frame import Frame

POINTS = np.linspace(-1, 1, 21)[:, None]
TRUE = parabola(POINTS[:, 0])

finite = st.floats(-100, 100)


class TestCurve:
    def test_more_neighbors_less_variance_and_more_bias(self):
        curve = bias_variance_curve(
            KNeighborsRegressor,
            [1, 3, 9, 27],
            POINTS,
            TRUE,
            name="neighbors",
            method="simulation",
            sampler=noisy_parabola(30, 0.7),
            noise=0.49,
            n_samples=60,
            random_state=0,
        )
        assert isinstance(curve, BiasVarianceCurve)
        assert (np.diff(curve.variance) < 0).all()
        assert curve.bias[-1] > 10 * curve.bias[0]
        np.testing.assert_allclose(curve.loss, curve.noise + curve.bias + curve.variance)
        assert curve.best in (3, 9)
        assert str(curve).splitlines()[0] == f"least squared loss at neighbors = {curve.best}"
        assert [len(line.split()) for line in str(curve).splitlines()[1:]] == [5] * 5
        assert curve.to_dict()["values"] == [1, 3, 9, 27]
        assert curve._repr_html_().count("<tr>") == 5

    def test_all_values_see_the_same_training_sets(self):
        options = {"n_samples": 4, "random_state": None}
        curve = bias_variance_curve(lambda _: KNeighborsRegressor(1), [1, 2], POINTS, TRUE, **options)
        assert curve.loss[0] == curve.loss[1]

    def test_no_value(self):
        with pytest.raises(ValueError, match="'values' must have at least one value; got none"):
            bias_variance_curve(KNeighborsRegressor, [], POINTS, TRUE)


class TestErrorSources:
    def test_the_sources_add_to_the_loss_of_the_learner(self):
        sampler = noisy_parabola(15, 0.5)
        sources = error_sources(
            Descent(2), sampler, POINTS, TRUE, exact=Polynomial(2), noise=0.25, n_samples=100, random_state=0
        )
        own = bias_variance(
            Descent(2),
            POINTS,
            TRUE,
            noise=0.25,
            method="simulation",
            sampler=sampler,
            n_samples=100,
            random_state=0,
        )
        assert sources.loss == pytest.approx(own.loss)
        assert sources.bayes == 0.25
        assert sources.algorithmic > 0.05
        assert abs(sources.bias) < 0.01  # a parabola is in the class
        assert 0 < sources.sample < 0.2

    def test_a_line_cannot_fit_a_parabola(self):
        # The best line leaves Var over U(-1, 1) of 2 x² = 4 (1/5 - 1/9); POINTS is a grid of that interval.
        sources = error_sources(
            Polynomial(1), noisy_parabola(15, 0.5), POINTS, TRUE, noise=0.25, n_samples=300, random_state=0
        )
        grid = Polynomial(1).fit(POINTS, TRUE)
        lack = np.mean((grid.predict(POINTS) - TRUE) ** 2)
        assert sources.bias == pytest.approx(lack, rel=0.05)
        assert sources.algorithmic == 0
        assert "bias error" in str(sources)

    def test_more_rows_lower_only_the_sample_error(self):
        few, many = (
            error_sources(
                Polynomial(1), noisy_parabola(n, 0.5), POINTS, TRUE, noise=0.25, n_samples=200, random_state=0
            )
            for n in (10, 200)
        )
        assert many.sample < few.sample / 5
        assert many.bias == pytest.approx(few.bias, rel=0.1)
        assert many.bayes == few.bayes

    def test_classes(self):
        def sampler(rng):
            x = rng.uniform(-1, 1, 40)
            return x[:, None], np.where(rng.random(40) < 0.1, x <= 0, x > 0)

        sources = error_sources(
            KNeighborsClassifier(1),
            sampler,
            POINTS + 0.01,
            POINTS[:, 0] + 0.01 > 0,
            loss="zero_one",
            noise=0.1,
            random_state=0,
        )
        assert sources.bayes == pytest.approx(0.1)
        assert sources.loss == pytest.approx(2 * 0.1 * 0.9, abs=0.03)

    def test_words_and_data(self):
        sources = error_sources(
            Polynomial(2),
            noisy_parabola(9, 0.1),
            Frame({"x": POINTS[:, 0]}),
            TRUE,
            n_samples=2,
            random_state=0,
        )
        assert list(sources.to_dict()) == ["bayes", "bias", "sample", "algorithmic", "loss"]
        assert sources.to_dict()["loss"] == sources.loss
        assert sources._repr_html_().count("<tr>") == 6


class TestFitDiagnosis:
    def test_the_four_answers(self):
        assert fit_diagnosis([0.0, 0.01, 0.02], [0.2, 0.25, 0.22]).fit == "overfitting"
        assert fit_diagnosis([0.2, 0.21, 0.19], [0.21, 0.2, 0.22]).fit == "proper fit"
        assert fit_diagnosis([0.2, 0.21, 0.19], [0.21, 0.2, 0.22], acceptable=0.1).fit == "underfitting"
        shaky = fit_diagnosis([0.1, 0.1, 0.1], [0.0, 0.5, 0.1])
        assert shaky.fit == "proper fit"
        assert "the folds vary too much to call it overfitting" in str(shaky)

    def test_accuracies_are_turned_into_errors(self):
        diagnosis = fit_diagnosis([1.0, 0.99], [0.8, 0.78], best=1.0)
        assert diagnosis.fit == "overfitting"
        assert (diagnosis.train_error, diagnosis.test_error) == pytest.approx((0.005, 0.21))
        assert diagnosis.gap == pytest.approx(0.205)
        assert diagnosis.to_dict()["fit"] == "overfitting"

    def test_one_pair_of_numbers_and_a_perfect_learner(self):
        assert fit_diagnosis(0.1, 0.11).fit == "proper fit"
        assert fit_diagnosis(0.1, 0.2).fit == "overfitting"
        assert (
            str(fit_diagnosis(0.0, 0.0))
            == "proper fit: the test error of 0 is no larger than the training error"
        )

    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(train=st.floats(0, 10), test=st.floats(0, 10), largest=st.floats(0, 0.99))
    def test_the_rule_for_one_pair(self, train, test, largest):
        over = test - train > largest * test
        diagnosis = fit_diagnosis(train, test, largest_gap=largest)
        assert diagnosis.fit == ("overfitting" if over else "proper fit")

    def test_refusals(self):
        with pytest.raises(ValueError, match="must come in pairs; got 2 and 1"):
            fit_diagnosis([0.1, 0.2], [0.3])
        with pytest.raises(ValueError, match="'test_scores' must be a finite number or a list of them"):
            fit_diagnosis([0.1], [np.nan])
        with pytest.raises(ValueError, match=r"'largest_gap' must be a fraction in \[0, 1\); got 1"):
            fit_diagnosis([0.1], [0.1], largest_gap=1.0)
