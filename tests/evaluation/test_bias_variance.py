"""Bias and variance: the sums are exact, and known answers come out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from tests.evaluation.polynomials import Polynomial, noisy_parabola, parabola

from hornbook import NaiveBayes
from hornbook.evaluation import (
    Bootstrap,
    bias_variance,
)
from hornbook.evaluation.decomposition._parts import squared_parts, zero_one_parts
from hornbook.frame import Frame

POINTS = np.linspace(-1, 1, 21)[:, None]
TRUE = parabola(POINTS[:, 0])

finite = st.floats(-100, 100)


class TestSquaredParts:
    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(
        predictions=arrays(np.float64, (5, 4), elements=finite),
        expected=arrays(np.float64, 4, elements=finite),
        noise=arrays(np.float64, 4, elements=st.floats(0, 50)),
    )
    def test_noise_bias_and_variance_add_to_the_loss_at_every_point(self, predictions, expected, noise):
        parts = squared_parts(predictions, expected, noise)
        together = parts.noise_at + parts.bias_at + parts.variance_at
        np.testing.assert_allclose(parts.loss_at, together, rtol=1e-10, atol=1e-10)
        assert parts.loss == pytest.approx(parts.noise + parts.bias + parts.variance, rel=1e-10, abs=1e-10)

    def test_by_hand(self):
        # predictions 1, 3 around their mean 2, truth 5: (2 - 5)² = 9, variance 1, loss (16 + 4) / 2 + noise
        parts = squared_parts(np.array([[1.0], [3.0]]), np.array([5.0]), np.array([0.5]))
        assert (parts.bias, parts.variance, parts.noise, parts.loss) == (9.0, 1.0, 0.5, 10.5)
        assert parts.main.tolist() == [2.0]


def domingos(predictions, chances, classes):
    """Loss and its three terms c1 N, B and c2 V at one point, after the theorems of Domingos (2000)."""
    best = classes[np.argmax(chances)]
    shares = np.array([np.mean(predictions == c) for c in classes])
    main = classes[np.argmax(shares)]
    noise = 1 - chances.max()
    bias = float(main != best)
    variance = np.mean(predictions != main)
    right = np.mean(predictions == best)
    others = classes != best
    wrong_pairs = (shares[others] * chances[others]).sum()
    agree = wrong_pairs / ((1 - right) * noise) if right < 1 and noise > 0 else 0.0
    c1 = right - (1 - right) * agree
    c2 = 1.0 if main == best else (-right / variance if variance > 0 else 0.0)
    loss = 1 - (shares * chances).sum()
    return loss, c1 * noise, bias, c2 * variance


class TestZeroOneParts:
    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(
        predictions=arrays(np.int64, (7, 3), elements=st.integers(0, 2)),
        weights=arrays(np.int64, (3, 3), elements=st.integers(0, 9)),
    )
    def test_the_parts_are_those_of_domingos_and_add_to_the_loss(self, predictions, weights):
        chances = (weights + 0.1) / (weights + 0.1).sum(axis=1, keepdims=True)
        classes = np.arange(3)
        parts = zero_one_parts(predictions, chances, classes)
        expected = np.array([domingos(predictions[:, i], chances[i], classes) for i in range(3)])
        columns = np.column_stack([parts.loss_at, parts.noise_at, parts.bias_at, parts.variance_at])
        np.testing.assert_allclose(columns, expected, atol=1e-12)
        np.testing.assert_allclose(columns[:, 0], columns[:, 1:].sum(axis=1), atol=1e-12)
        assert parts.variance == pytest.approx(parts.unbiased_variance - parts.biased_variance, abs=1e-12)

    def test_variance_helps_where_the_main_prediction_is_wrong(self):
        # truth a; predicted b, b, a: the main prediction b is wrong, and one in three escapes it
        parts = zero_one_parts(np.array([["b"], ["b"], ["a"]]), np.array([[1.0, 0.0]]), np.array(["a", "b"]))
        assert (parts.bias, parts.noise) == (1.0, 0.0)
        assert parts.variance == pytest.approx(-1 / 3)
        assert parts.biased_variance == pytest.approx(1 / 3)
        assert parts.loss == pytest.approx(2 / 3)
        assert parts.main.tolist() == ["b"]
        assert parts.spread_at.tolist() == pytest.approx([1 / 3])

    def test_two_classes_with_noise(self):
        # c1 = 2 P(right) - 1 with two classes: 3 of 4 right, noise 0.2: loss 0.2 * 0.5 + 0 + 0.25
        parts = zero_one_parts(np.array([[0], [0], [0], [1]]), np.array([[0.8, 0.2]]), np.array([0, 1]))
        assert (parts.noise, parts.bias, parts.variance) == pytest.approx((0.1, 0.0, 0.25))
        assert parts.loss == pytest.approx(0.35)


class TestSimulation:
    def test_least_squares_has_the_variance_of_the_textbook(self):
        # With fixed x and the right model, Var f(x) = sd² x'(X'X)⁻¹x and the bias is 0.
        x = np.linspace(-1, 1, 15)
        powers = x[:, None] ** np.arange(3)
        at = POINTS ** np.arange(3)
        theory = 0.3**2 * np.einsum("ij,jk,ik->i", at, np.linalg.inv(powers.T @ powers), at)

        def sampler(rng):
            return x[:, None], parabola(x) + rng.normal(0, 0.3, 15)

        parts = bias_variance(
            Polynomial(2),
            POINTS,
            TRUE,
            method="simulation",
            sampler=sampler,
            noise=0.09,
            n_samples=2000,
            random_state=0,
        )
        # the relative standard error of a variance from 2000 draws is sqrt(2 / 2000); five of them
        np.testing.assert_allclose(parts.variance_at, theory, rtol=5 * np.sqrt(2 / 2000))
        assert parts.bias < 5 * theory.mean() / 2000 * 2
        assert parts.noise == pytest.approx(0.09)

    def test_a_constant_learner_has_no_variance(self):
        parts = bias_variance(
            DummyRegressor(strategy="constant", constant=1.0),
            POINTS,
            TRUE,
            method="simulation",
            sampler=noisy_parabola(10, 0.5),
            n_samples=3,
            random_state=0,
        )
        assert parts.variance == 0
        assert parts.bias == pytest.approx(np.mean((TRUE - 1) ** 2))
        assert parts.noise == 0

    def test_memorizing_noisy_labels_has_the_error_of_two_noisy_draws(self):
        # One neighbor on a point that is always the same class with label noise q predicts the noisy label:
        # two classes, loss = 2 q (1 - q), Bayes error q.
        def sampler(rng):
            y = np.where(rng.random(200) < 0.2, "b", "a")
            return np.arange(200.0)[:, None], y

        points = np.arange(200.0)[:, None]
        parts = bias_variance(
            KNeighborsClassifier(1),
            points,
            np.full(200, "a"),
            loss="zero_one",
            noise=0.2,
            method="simulation",
            sampler=sampler,
            n_samples=400,
            random_state=1,
        )
        assert parts.bias == 0
        assert parts.loss == pytest.approx(2 * 0.2 * 0.8, abs=0.01)
        assert parts.variance == pytest.approx(0.2, abs=0.01)
        chances = np.tile([0.8, 0.2], (200, 1))
        same = bias_variance(
            KNeighborsClassifier(1),
            points,
            chances,
            loss="zero_one",
            method="simulation",
            sampler=sampler,
            n_samples=400,
            random_state=1,
        )
        assert same.loss == pytest.approx(parts.loss, abs=1e-12)
        assert same.noise == pytest.approx(parts.noise, abs=1e-12)

    def test_the_same_seed_gives_the_same_result(self):
        def run(seed):
            return bias_variance(
                Polynomial(3),
                POINTS,
                TRUE,
                method="simulation",
                sampler=noisy_parabola(10, 0.5),
                n_samples=5,
                random_state=seed,
            ).to_dict()

        assert run(3) == run(3)
        assert run(3) != run(4)


class TestBootstrap:
    def test_it_is_the_loop_of_the_notes(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(40, 2))
        y = np.where(X[:, 0] + rng.normal(0, 0.5, 40) > 0, 1, -1)
        parts = bias_variance(KNeighborsClassifier(3), X, y, n_samples=10, random_state=5)
        samples = Bootstrap(10, test="all", random_state=5).split(X)
        predicted = np.array([KNeighborsClassifier(3).fit(X[i], y[i]).predict(X) for i, _ in samples])
        mean = predicted.mean(axis=0)
        assert parts.bias == pytest.approx(np.mean((mean - y) ** 2))
        assert parts.variance == pytest.approx(np.mean((predicted - mean) ** 2))
        assert parts.loss == pytest.approx(np.mean((predicted - y) ** 2))
        assert parts.noise == 0

    def test_known_noise_is_taken_out_of_the_bias(self):
        rng = np.random.default_rng(1)
        x = rng.uniform(-1, 1, 400)
        y = parabola(x) + rng.normal(0, 0.5, 400)
        plain = bias_variance(Polynomial(2), x[:, None], y, n_samples=20, random_state=0)
        known = bias_variance(Polynomial(2), x[:, None], y, n_samples=20, random_state=0, noise=0.25)
        assert known.loss == plain.loss
        assert known.bias == pytest.approx(plain.bias - 0.25)
        assert known.noise + known.bias + known.variance == pytest.approx(known.loss)
        assert abs(known.bias) < 0.05  # the model class is right: what is left is chance

    def test_points_of_their_own(self):
        rng = np.random.default_rng(2)
        x = rng.uniform(-1, 1, 50)
        parts = bias_variance(
            Polynomial(1), x[:, None], parabola(x), X_test=POINTS, y_test=TRUE, n_samples=10, random_state=0
        )
        assert parts.main.shape == (21,)
        assert parts.bias > 10 * parts.variance

    def test_a_frame_with_a_target(self):
        rng = np.random.default_rng(3)
        table = {"a": rng.normal(size=60), "color": rng.choice(["red", "green"], 60)}
        table["ripe"] = np.where(table["a"] > 0, "yes", "no")
        parts = bias_variance(
            NaiveBayes(), Frame(table, target="ripe"), loss="zero_one", n_samples=10, random_state=0
        )
        frame = pd.DataFrame({"a": table["a"], "color": table["color"]})
        same = bias_variance(
            NaiveBayes(), frame, table["ripe"], loss="zero_one", n_samples=10, random_state=0
        )
        assert parts.to_dict() == same.to_dict()
        assert 0 <= parts.bias < 0.3

    def test_the_learner_is_left_as_it_was(self):
        learner = KNeighborsRegressor(2)
        bias_variance(learner, POINTS, TRUE, n_samples=2, random_state=0)
        assert not hasattr(learner, "n_features_in_")


class TestResult:
    def test_words_and_data(self):
        parts = squared_parts(np.array([[1.0], [3.0]]), np.array([5.0]), np.array([0.5]))
        assert str(parts) == "squared loss 10.5 = noise 0.5 + bias² 9 + variance 1 (2 samples, 1 points)"
        assert parts.to_dict() == {
            "measured": "squared",
            "n_samples": 2,
            "n_points": 1,
            "loss": 10.5,
            "noise": 0.5,
            "bias": 9.0,
            "variance": 1.0,
        }
        assert ">10.5</td>" in parts._repr_html_()


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (
                {"loss": "square"},
                r"'loss' must be one of 'squared', 'zero_one'; got 'square'\. Did you mean 'squared'",
            ),
            ({"method": "jackknife"}, r"'method' must be one of 'bootstrap', 'simulation'; got 'jackknife'"),
            (
                {"method": "simulation"},
                r"a simulation needs 'sampler', a function of a NumPy random generator",
            ),
            ({"sampler": noisy_parabola(5, 1.0)}, r"'sampler' is only for method='simulation'"),
            ({"n_samples": 0}, r"'n_samples' must be at least 1; got 0"),
            ({"X_test": POINTS}, r"X_test and y_test belong together"),
            ({"noise": -1.0}, r"'noise' must not be negative; got -1"),
            (
                {"noise": [1.0, 2.0]},
                r"'noise' must be one number, or one for each of the 21 points; got an array of shape \(2,\)",
            ),
            (
                {"loss": "zero_one", "noise": 0.1},
                r"the bootstrap cannot separate the noise of classes from the bias",
            ),
            (
                {"method": "simulation", "sampler": noisy_parabola(5, 1.0), "X_test": POINTS},
                r"in a simulation the points are X and y",
            ),
        ],
    )
    def test_a_wrong_argument_is_named(self, arguments, sentence):
        with pytest.raises(ValueError, match=f"^bias_variance: {sentence}"):
            bias_variance(Polynomial(1), POINTS, TRUE, **arguments)

    def test_text_has_no_squared_loss(self):
        with pytest.raises(
            ValueError, match=r"the squared loss needs numbers, but y holds 'a': code classes"
        ):
            bias_variance(KNeighborsClassifier(1), POINTS, ["a"] * 21)

    def test_no_target(self):
        with pytest.raises(ValueError, match="the target is needed: give y, or a Frame with a target"):
            bias_variance(Polynomial(1), POINTS)

    @pytest.mark.parametrize(
        ("y", "noise", "sentence"),
        [
            (np.full((21, 2), 0.6), None, "must be P\\(y|x\\): not negative, each row summing to 1"),
            (np.full((21, 4), 0.25), None, "y has P\\(y\\|x\\) for 4 classes, but the training sets have 2"),
            (np.full((21, 2), 0.5), 0.1, "P\\(y\\|x\\) determines the noise"),
            (np.zeros(21), 1.5, "under the zero-one loss 'noise' is a probability in \\[0, 1\\]; got 1.5"),
        ],
    )
    def test_wrong_truths_of_classes(self, y, noise, sentence):
        def sampler(rng):
            return POINTS, rng.permutation(np.arange(21) % 2)

        with pytest.raises(ValueError, match=sentence):
            bias_variance(
                KNeighborsClassifier(1),
                POINTS,
                y,
                loss="zero_one",
                noise=noise,
                method="simulation",
                sampler=sampler,
                n_samples=2,
            )


class Constant(BaseEstimator):
    """Always the mean of the target."""

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def test_one_class_alone_has_no_noise():
    def sampler(rng):
        return POINTS, np.zeros(21)

    options = {"loss": "zero_one", "method": "simulation", "sampler": sampler, "n_samples": 2}
    assert bias_variance(clone(Constant()), POINTS, np.zeros(21), **options).loss == 0
    with pytest.raises(ValueError, match=r"noise needs a second class; there is only 0.0"):
        bias_variance(Constant(), POINTS, np.zeros(21), noise=0.1, **options)
