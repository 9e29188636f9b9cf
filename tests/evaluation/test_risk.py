"""Expected losses, the best rule, and risks over distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import norm
from sklearn.linear_model import LinearRegression

from hornbook.evaluation import expected_loss, expected_risk, optimal_rule, squared_loss, zero_one_loss

weights = arrays(np.float64, (4, 3), elements=st.floats(0.01, 1.0))


def uniform(points):
    return np.ones(len(points))


def first(points):
    return np.asarray(points)[:, 0]


def test_the_two_losses_of_the_notes():
    assert zero_one_loss(["a", "b"], ["a", "a"]).tolist() == [0.0, 1.0]
    assert squared_loss([1, -1, 3.0], [-1, -1, 0.5]).tolist() == [4.0, 0.0, 6.25]


class TestExpectedLoss:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(weights=weights)
    def test_of_zero_one_loss_is_one_minus_the_probability(self, weights):
        chances = weights / weights.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(expected_loss(chances, "abc", "abc"), 1 - chances)

    def test_any_loss_and_any_predictions(self):
        def missed_ripe(y, prediction):
            return np.where((y == "ripe") & (prediction == "raw"), 10.0, (y != prediction) * 1.0)

        risk = expected_loss([[0.2, 0.8]], ["ripe", "raw"], ["ripe", "raw"], loss=missed_ripe)
        np.testing.assert_allclose(risk, [[0.8, 2.0]])
        rule = optimal_rule([[0.2, 0.8]], ["ripe", "raw"], loss=missed_ripe)
        assert rule.predictions.tolist() == ["ripe"]
        squared = expected_loss([[0.5, 0.5]], [-1, 1], [-1, 0, 1], loss="squared")
        assert squared.tolist() == [[2.0, 1.0, 2.0]]

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(weights=weights, other=st.floats(-3, 3))
    def test_nothing_beats_the_optimal_rule(self, weights, other):
        chances = weights / weights.sum(axis=1, keepdims=True)
        values = [-1.0, 0.0, 2.0]
        rule = optimal_rule(chances, values)
        assert rule.predictions.tolist() == np.array(values)[chances.argmax(axis=1)].tolist()
        np.testing.assert_allclose(rule.losses, 1 - chances.max(axis=1))
        assert (expected_loss(chances, values, values) >= rule.losses[:, None] - 1e-12).all()
        mean = optimal_rule(chances, values, loss="squared")
        np.testing.assert_allclose(mean.predictions, chances @ values)
        assert (expected_loss(chances, values, [other], loss="squared")[:, 0] >= mean.losses - 1e-12).all()

    def test_refusals(self):
        with pytest.raises(
            ValueError, match=r"one column for each of the 2 values; got an array of shape \(1, 3\)"
        ):
            optimal_rule([[0.2, 0.3, 0.5]], ["a", "b"])
        with pytest.raises(ValueError, match="must not be negative, and each row must sum to 1"):
            expected_loss([[0.2, 0.3]], "ab", "ab")
        with pytest.raises(
            ValueError, match="'loss' must be 'squared', 'zero_one' or a function; got 'zero-one'"
        ):
            optimal_rule([[0.5, 0.5]], "ab", loss="zero-one")


class TestExpectedRisk:
    def test_squared_loss_over_an_interval(self):
        # the integral of (x - x²)² over [0, 1] is 1/3 - 1/2 + 1/5
        risk = expected_risk(first, lambda points: first(points) ** 2, density=uniform, bounds=[(0, 1)])
        assert risk == pytest.approx(1 / 30, abs=1e-9)

    def test_error_rate_under_a_normal_density(self):
        # classes change at 0, the rule cuts at 0.5: the error is the normal mass between
        risk = expected_risk(
            lambda points: first(points) > 0.5,
            lambda points: first(points) > 0,
            loss="zero_one",
            density=lambda points: norm.pdf(first(points)),
            bounds=[(-np.inf, np.inf)],
        )
        assert risk == pytest.approx(norm.cdf(0.5) - 0.5, abs=1e-6)

    def test_two_dimensions(self):
        risk = expected_risk(
            lambda points: points.sum(axis=1),
            lambda points: 0 * first(points),
            density=uniform,
            bounds=[(0, 1)] * 2,
        )
        assert risk == pytest.approx(7 / 6, abs=1e-5)

    def test_a_fitted_learner_and_a_weighted_sample(self):
        X = np.array([[0.0], [1.0], [2.0]])
        model = LinearRegression().fit(X, [0.0, 1.0, 2.0])
        risk = expected_risk(
            model, lambda points: first(points) + np.array([1, 2, 3]), X=X, weights=[1, 1, 2]
        )
        assert risk == pytest.approx((1 + 4 + 2 * 9) / 4)

    @settings(derandomize=True, max_examples=40, deadline=None)
    @given(
        y=arrays(np.float64, 6, elements=st.floats(-9, 9)), f=arrays(np.float64, 6, elements=st.floats(-9, 9))
    )
    def test_equal_weights_give_the_measures_of_a_data_set(self, y, f):
        X = np.arange(6.0)[:, None]
        mse = expected_risk(lambda _: f, lambda _: y, X=X)
        assert mse == pytest.approx(np.mean((f - y) ** 2), abs=1e-12)
        rate = expected_risk(lambda _: f.round(), lambda _: y.round(), loss="zero_one", X=X)
        assert rate == pytest.approx(np.mean(f.round() != y.round()))

    def test_a_sample_from_the_density_comes_close_to_the_integral(self):
        X = np.random.default_rng(0).normal(size=(200_000, 1))
        options = {"predict": np.sin, "truth": lambda points: points}
        exact = expected_risk(
            lambda points: np.sin(first(points)),
            first,
            density=lambda points: norm.pdf(first(points)),
            bounds=[(-np.inf, np.inf)],
        )
        sampled = expected_risk(lambda points: np.sin(first(points)), first, X=X)
        losses = (options["predict"](X) - X)[:, 0] ** 2
        assert sampled == pytest.approx(exact, abs=4 * losses.std() / np.sqrt(len(X)))

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            ({}, "give either a sample X, or a density with its bounds"),
            ({"X": [[1.0]], "density": uniform}, "give either a sample X, or a density"),
            ({"density": uniform}, "a density needs 'bounds', a pair for each of 1 to 3 dimensions"),
            (
                {"density": uniform, "bounds": [(0, 2)]},
                "the density integrates to 2 over the bounds instead of 1",
            ),
            ({"density": uniform, "bounds": [(0, 1)], "weights": [1]}, "'weights' belong to a sample X"),
            ({"X": [[1.0]], "bounds": [(0, 1)]}, "'bounds' belong to a density"),
            ({"X": [[1.0]], "weights": [1.0, 2.0]}, "'weights' must be 1 numbers, one for each point"),
            ({"X": [[1.0]], "weights": [0.0]}, "none negative and not all zero"),
        ],
    )
    def test_refusals(self, arguments, sentence):
        with pytest.raises(ValueError, match=f"^expected_risk: .*{sentence}"):
            expected_risk(first, first, **arguments)

    def test_an_integral_that_does_not_converge(self):
        with pytest.raises(
            ValueError, match="the integral does not converge .*: average over a sample X instead"
        ):
            expected_risk(
                lambda points: np.sin(1e6 * first(points) ** 2) > 0,
                lambda points: first(points) > 2,
                loss="zero_one",
                density=uniform,
                bounds=[(0, 1)],
            )
