"""Calibration curves: bins as scikit-learn's, an interval for each."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import calibration

from hornbook.evaluation import calibration_curve, calibration_error, proportion_interval


@settings(derandomize=True, max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 80), bins=st.integers(1, 12))
def test_bins_of_equal_width_as_scikit_learn(seed, size, bins):
    rng = np.random.default_rng(seed)
    truth, chance = np.concatenate([[0, 1], rng.integers(0, 2, size - 2)]), rng.random(size)
    curve = calibration_curve(truth, chance, bins=bins)
    observed, predicted = calibration.calibration_curve(truth, chance, n_bins=bins)
    assert_allclose(curve.predicted, predicted, atol=1e-12)
    assert_allclose(curve.observed, observed, atol=1e-12)
    assert curve.weights.sum() == size
    assert curve.error == pytest.approx(calibration_error(truth, chance, bins=bins), abs=1e-15)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 8), bins=st.integers(1, 10))
def test_bins_of_equal_mass_as_scikit_learn(seed, rows, bins):
    rng = np.random.default_rng(seed)
    truth, chance = rng.integers(0, 2, rows * bins), rng.random(rows * bins)
    truth[:2] = [0, 1][: len(truth)]
    curve = calibration_curve(truth, chance, bins=bins, strategy="mass", labels=[0, 1])
    assert curve.weights.tolist() == [rows] * bins
    if len(truth) > 1:
        observed, predicted = calibration.calibration_curve(truth, chance, n_bins=bins, strategy="quantile")
        assert_allclose(curve.predicted, predicted, atol=1e-12)
        assert_allclose(curve.observed, observed, atol=1e-12)


def test_each_bin_has_its_interval():
    truth, chance = [0, 0, 1, 1, 1, 0], [0.1, 0.15, 0.2, 0.8, 0.9, 0.95]
    curve = calibration_curve(truth, chance, bins=2, level=0.9)
    for i, (k, n) in enumerate([(1, 3), (2, 3)]):
        expected = proportion_interval(k, n, level=0.9)
        assert (curve.low[i], curve.high[i]) == pytest.approx((expected.low, expected.high))
        assert curve.observed[i] == expected.estimate


def test_weights_count_as_the_rows_they_are_worth():
    truth, chance = [0, 1, 1, 0], [0.7, 0.7, 0.7, 0.7]
    plain = calibration_curve(truth, chance)
    same = calibration_curve(truth, chance, sample_weight=[3.0] * 4)
    assert_allclose([same.low, same.high], [plain.low, plain.high])
    one = calibration_curve(truth, chance, sample_weight=[1, 1000, 1, 1])
    assert one.high[0] - one.low[0] > plain.high[0] - plain.low[0]
    gone = calibration_curve([*truth, 1], [*chance, 0.1], sample_weight=[1, 1, 1, 1, 0])
    assert gone.predicted.tolist() == pytest.approx([0.7])


def test_several_classes_are_about_the_predicted_one():
    table = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8], [0.6, 0.2, 0.2]])
    curve = calibration_curve(["a", "b", "c", "b"], table, bins=2)
    assert curve.event == "the predicted class is right"
    assert curve.predicted.tolist() == pytest.approx([0.675])
    assert curve.observed.tolist() == [0.75]


def test_print_data_and_errors():
    curve = calibration_curve(["no", "yes", "yes"], [0.1, 0.3, 0.9], bins=2)
    assert str(curve).splitlines()[0] == "calibration of the probability that it is 'yes', error 0.2333"
    assert curve.error == pytest.approx((2 * 0.3 + 0.1) / 3)
    assert curve.largest_error == pytest.approx(0.3)
    data = json.loads(json.dumps(curve.to_dict()))
    assert data["weights"] == [2.0, 1.0]
    with pytest.raises(
        ValueError, match="calibration_curve: 'level' must be a number between 0 and 1; got 1"
    ):
        calibration_curve([0, 1], [0.1, 0.2], level=1)
    with pytest.raises(ValueError, match="calibration_curve: 'bins' must be a positive integer; got 2.5"):
        calibration_curve([0, 1], [0.1, 0.2], bins=2.5)


def test_the_other_class():
    curve = calibration_curve(["no", "yes", "yes"], [0.9, 0.7, 0.1], positive="no", bins=1)
    assert curve.event == "it is 'no'"
    assert (curve.predicted[0], curve.observed[0]) == pytest.approx((1.7 / 3, 1 / 3))
