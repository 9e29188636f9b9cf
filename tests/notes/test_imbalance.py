"""Class imbalance as the notes tell it: which odds decide, and the factor that agrees with the rule."""

from __future__ import annotations

import numpy as np

from hornbook import CostSensitive, NaiveBayes, OverSampler, ThresholdMoving, UnderSampler

draw = np.random.default_rng(0)
Y = np.r_[np.ones(30, dtype=int), np.zeros(570, dtype=int)]
X = draw.normal(Y * 1.5, 1.0)[:, None]
SHARE = NaiveBayes().fit(X, Y).predict_proba(X)[:, 1]  # y of the notes
ODDS = SHARE / (1 - SHARE)


def test_without_rescaling_odds_above_one_are_positive():
    np.testing.assert_array_equal(NaiveBayes().fit(X, Y).predict(X) == 1, ODDS > 1)
    np.testing.assert_array_equal(ODDS > 1, SHARE > 0.5)


def test_rescaling_asks_for_odds_above_the_observed_ones():
    model = ThresholdMoving(NaiveBayes()).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X) == 1, ODDS > 30 / 570)
    shares = model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(shares / (1 - shares), ODDS * 570 / 30, rtol=1e-9)  # m- / m+, not the inverse
    np.testing.assert_allclose(model.factor_[1] / model.factor_[0], 570 / 30)


def test_undersampling_drops_negatives_until_the_classes_are_equal():
    assert UnderSampler(NaiveBayes(), random_state=0).fit(X, Y).after_.tolist() == [30, 30]


def test_oversampling_repeats_positives_until_the_classes_are_equal():
    model = OverSampler(NaiveBayes(), random_state=0).fit(X, Y)
    assert model.after_.tolist() == [570, 570]
    # 570 is 19 times 30: all positives are repeated alike, and the answer is that of rescaling.
    np.testing.assert_array_equal(model.predict(X), ThresholdMoving(NaiveBayes()).fit(X, Y).predict(X))


def test_costs_take_the_place_of_the_ratio():
    costs = {1: 8.0, 0: 2.0}  # of calling a positive negative, and a negative positive
    weighed = CostSensitive(NaiveBayes(), costs=costs).fit(X, Y)
    np.testing.assert_array_equal(weighed.predict(X) == 1, ODDS > 2.0 / 8.0)
    moved = ThresholdMoving(NaiveBayes(), factor=costs).fit(X, Y)
    np.testing.assert_array_equal(moved.predict(X), weighed.predict(X))
