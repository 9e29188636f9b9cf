"""Bootstrap samples, and the estimates made of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from hornbook import NaiveBayes
from hornbook.evaluation import Bootstrap, bootstrap_estimate, inclusion_probability, measure_by_name
from hornbook.evaluation.folds._bootstrap_estimate import relative_overfitting
from hornbook.frame import Frame


def rows(n):
    return np.zeros((n, 1))


class TestSamples:
    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(n=st.integers(2, 60), seed=st.integers(0, 2**64 - 1))
    def test_a_sample_has_as_many_rows_and_the_rest_is_tested(self, n, seed):
        for train, test in Bootstrap(3, random_state=seed).split(rows(n)):
            assert len(train) == n
            assert set(train) <= set(range(n))
            assert test.tolist() == sorted(set(range(n)) - set(train))
            assert len(test) > 0

    def test_the_complete_set_can_be_tested(self):
        for train, test in Bootstrap(3, test="all", random_state=0).split(rows(8)):
            assert len(train) == 8
            assert test.tolist() == list(range(8))

    @pytest.mark.parametrize("test", ["632", "632+"])
    def test_the_weighted_estimates_use_the_out_of_bag_rows(self, test):
        pairs = zip(
            Bootstrap(4, test=test, random_state=1).split(rows(20)),
            Bootstrap(4, random_state=1).split(rows(20)),
            strict=True,
        )
        for (train, left_out), (other_train, other_left_out) in pairs:
            assert train.tolist() == other_train.tolist()
            assert left_out.tolist() == other_left_out.tolist()

    def test_a_sample_does_not_depend_on_how_many_there_are(self):
        few = [train.tolist() for train, _ in Bootstrap(3, random_state=7).split(rows(30))]
        many = [train.tolist() for train, _ in Bootstrap(9, random_state=7).split(rows(30))]
        assert many[:3] == few
        assert len({str(sample) for sample in many}) == 9
        assert few != [train.tolist() for train, _ in Bootstrap(3, random_state=8).split(rows(30))]

    def test_every_row_is_left_out_as_often_as_the_formula_says(self):
        n, samples = 17, 20_000
        left_out = np.zeros(n)
        for _, test in Bootstrap(samples, random_state=0).split(rows(n)):
            left_out[test] += 1
        expected = 1 - inclusion_probability(n)
        assert abs(left_out / samples - expected).max() < 5 * np.sqrt(expected * (1 - expected) / samples)

    def test_two_rows_always_leave_one_out(self):
        held_out = {tuple(test.tolist()) for _, test in Bootstrap(50, random_state=0).split(rows(2))}
        assert held_out == {(0,), (1,)}

    def test_it_counts_the_samples(self):
        assert Bootstrap().get_n_splits() == 50

    def test_refusals(self):
        with pytest.raises(
            ValueError, match=r"^Bootstrap: needs at least 2 rows, to leave one out; got 1\.$"
        ):
            Bootstrap().split(rows(1))
        with pytest.raises(
            ValueError, match="'test' must be one of 'out_of_bag', 'all', '632', '632\\+'; got 'oob'"
        ):
            Bootstrap(test="oob")
        with pytest.raises(ValueError, match=r"'n_samples' must be an integer in \[1, inf\); got 0"):
            Bootstrap(0)


class TestInclusion:
    @pytest.mark.parametrize("n", [1, 2, 17, 150, 10**6])
    def test_the_formula(self, n):
        assert inclusion_probability(n) == pytest.approx(-np.expm1(n * np.log1p(-1 / n)) if n > 1 else 1.0)

    def test_many_rows_come_to_one_less_one_over_e(self):
        assert inclusion_probability(10**7) == pytest.approx(1 - np.exp(-1), abs=1e-6)

    def test_refusal(self):
        with pytest.raises(ValueError, match="n_rows must be at least 1; got 0"):
            inclusion_probability(0)


def two_classes(n=60, seed=0, shift=1.0, d=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, d)) + shift * y[:, None], y


class TestEstimate:
    @pytest.mark.parametrize("test", ["out_of_bag", "all"])
    def test_the_mean_over_the_samples(self, test):
        X, y = two_classes()
        samples = Bootstrap(8, test=test, random_state=3)
        result = bootstrap_estimate(KNeighborsClassifier(1), X, y, measure="error_rate", bootstrap=samples)
        by_hand = [
            np.mean(KNeighborsClassifier(1).fit(X[i], y[i]).predict(X[j]) != y[j])
            for i, j in samples.split(X)
        ]
        np.testing.assert_allclose(result.scores, by_hand)
        assert result.estimate == pytest.approx(np.mean(by_hand))
        assert result.variance == pytest.approx(np.var(by_hand))
        assert result.training == 0
        assert (result.weight, result.no_information, result.overfitting) == (1.0, None, None)

    def test_632(self):
        X, y = two_classes()
        samples = Bootstrap(8, test="632", random_state=3)
        result = bootstrap_estimate(NaiveBayes(), X, y, measure="error_rate", bootstrap=samples)
        assert result.estimate == pytest.approx(0.368 * result.training + 0.632 * result.mean)
        assert 0 < result.training < result.estimate < result.mean

    def test_632_plus_after_its_definition(self):
        X, y = two_classes()
        samples = Bootstrap(20, test="632+", random_state=3)
        result = bootstrap_estimate(NaiveBayes(), X, y, measure="error_rate", bootstrap=samples)
        predicted = NaiveBayes().fit(X, y).predict(X)
        p, q = np.mean(y == 1), np.mean(predicted == 1)
        gamma = p * (1 - q) + (1 - p) * q
        assert result.no_information == pytest.approx(gamma, abs=1e-12)
        rate = (result.mean - result.training) / (gamma - result.training)
        weight = 0.632 / (1 - 0.368 * rate)
        assert result.overfitting == pytest.approx(rate)
        assert result.weight == pytest.approx(weight)
        assert result.estimate == pytest.approx((1 - weight) * result.training + weight * result.mean)
        assert 0.632 < result.weight < 1

    def test_memorizing_noise_earns_nothing(self):
        # Labels have nothing to do with X: the true error is 1/2; .632 believes the training error of 0.
        X, y = two_classes(n=400, shift=0.0)
        learner = KNeighborsClassifier(1)
        plus, plain = (
            bootstrap_estimate(
                learner, X, y, measure="error_rate", bootstrap=Bootstrap(20, test=t, random_state=0)
            )
            for t in ("632+", "632")
        )
        assert plain.estimate == pytest.approx(0.632 * plain.mean)
        assert plus.no_information == 0.5
        assert plus.estimate == pytest.approx(0.5, abs=0.05)
        assert plain.estimate < 0.35
        assert plus.overfitting > 0.9

    @pytest.mark.parametrize("test", ["out_of_bag", "all", "632", "632+"])
    def test_accuracy_is_one_less_the_error_rate(self, test):
        X, y = two_classes()
        samples = Bootstrap(10, test=test, random_state=1)
        error, accuracy = (
            bootstrap_estimate(NaiveBayes(), X, y, measure=name, bootstrap=samples)
            for name in ("error_rate", "accuracy")
        )
        assert accuracy.estimate == pytest.approx(1 - error.estimate)
        assert accuracy.weight == pytest.approx(error.weight)

    def test_no_information_is_the_mean_over_all_pairs(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
        samples = Bootstrap(5, test="632+", random_state=0)
        result = bootstrap_estimate(LinearRegression(), X, y, measure="mse", bootstrap=samples)
        predicted = LinearRegression().fit(X, y).predict(X)
        assert result.no_information == pytest.approx(np.mean((y[:, None] - predicted) ** 2))

    def test_many_rows_are_moved_a_thousand_times(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(3000, 1))
        y = x[:, 0] + rng.normal(size=3000)
        samples = Bootstrap(2, test="632+", random_state=0)
        result = bootstrap_estimate(LinearRegression(), x, y, measure="mse", bootstrap=samples)
        predicted = LinearRegression().fit(x, y).predict(x)
        assert result.no_information == pytest.approx(np.mean((y[:, None] - predicted) ** 2), rel=0.01)

    @pytest.mark.parametrize("name", ["log_loss", "brier_score", "auc", "rmse", "mae"])
    def test_other_measures(self, name):
        X, y = two_classes(n=40)
        regression = measure_by_name(name).needs == "numbers"
        learner = KNeighborsRegressor(3) if regression else NaiveBayes()
        samples = Bootstrap(10, test="632+", random_state=0)
        result = bootstrap_estimate(learner, X, y, measure=name, bootstrap=samples)
        ends = sorted([result.training, result.mean])
        assert ends[0] <= result.estimate <= ends[1]
        assert 0 <= result.overfitting <= 1

    def test_a_frame_with_a_target_and_the_default(self):
        X, y = two_classes()
        frame = Frame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y}, target="y")
        result = bootstrap_estimate(NaiveBayes(), frame, measure="error_rate")
        assert (result.test, len(result.scores)) == ("632+", 50)

    def test_words_and_data(self):
        X, y = two_classes()
        samples = Bootstrap(4, test="all", random_state=0)
        result = bootstrap_estimate(NaiveBayes(), X, y, measure="error_rate", bootstrap=samples)
        assert str(result) == f"error_rate {result.estimate:.4g} (bootstrap tested on all rows, 4 samples)"
        assert result.to_dict()["n_samples"] == 4
        assert "<dt>training</dt>" in result._repr_html_()
        assert "no_information" not in result._repr_html_()

    def test_no_target(self):
        with pytest.raises(ValueError, match="^bootstrap_estimate: the target is needed: give y"):
            bootstrap_estimate(NaiveBayes(), rows(5), measure="error_rate")


class TestRelativeOverfitting:
    @settings(derandomize=True, max_examples=200, deadline=None)
    @given(training=st.floats(0, 1), out_of_bag=st.floats(0, 1), without=st.floats(0, 1))
    def test_the_rate_is_a_share_and_errors_and_accuracies_agree(self, training, out_of_bag, without):
        error, accuracy = measure_by_name("error_rate"), measure_by_name("accuracy")
        capped, rate = relative_overfitting(error, training, out_of_bag, without)
        assert 0 <= rate <= 1
        assert capped == min(out_of_bag, without)
        other, same = relative_overfitting(accuracy, 1 - training, 1 - out_of_bag, 1 - without)
        assert other == pytest.approx(1 - capped)
        if abs(without - training) > 1e-6:
            assert same == pytest.approx(rate, abs=1e-6)


@pytest.mark.slow
def test_632_plus_is_less_biased_than_out_of_bag():
    """Efron and Tibshirani (1997): out-of-bag learns from 63 % of the rows and is too pessimistic."""
    fresh, answers = two_classes(n=4000, seed=10**6, shift=0.7, d=5)
    off = {"out_of_bag": [], "632+": []}
    for seed in range(200):
        X, y = two_classes(n=20, seed=seed, shift=0.7, d=5)
        true = np.mean(clone(NaiveBayes()).fit(X, y).predict(fresh) != answers)
        samples = Bootstrap(50, test="632+", random_state=seed)
        result = bootstrap_estimate(NaiveBayes(), X, y, measure="error_rate", bootstrap=samples)
        off["632+"].append(result.estimate - true)
        off["out_of_bag"].append(result.mean - true)
    bias = {name: np.mean(values) for name, values in off.items()}
    assert bias["out_of_bag"] > 3 * np.std(off["out_of_bag"]) / np.sqrt(200)  # pessimistic beyond chance
    gain = np.abs(bias["out_of_bag"]) - np.abs(bias["632+"])
    assert gain > 5 * np.std(np.subtract(off["out_of_bag"], off["632+"])) / np.sqrt(200)
