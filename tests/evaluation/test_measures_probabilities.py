"""Measures of probabilities, against scikit-learn and by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from hornbook.evaluation import brier_score, calibration_error, log_loss

NAMES = np.array(["ant", "bee", "cat", "dog"])


@st.composite
def shares(draw, n_classes):
    """Truth that has every class, probabilities with zeros and ones among them, and weights."""
    size = draw(st.integers(n_classes, 25))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    codes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, size - n_classes)])
    table = rng.random((size, n_classes)) ** draw(st.sampled_from([0.5, 2, 20]))
    table /= table.sum(axis=1, keepdims=True)
    if draw(st.booleans()):
        table[0] = np.eye(n_classes)[draw(st.integers(0, n_classes - 1))]
    return codes, table, rng.random(size) if draw(st.booleans()) else None


@settings(derandomize=True, max_examples=100, deadline=None)
@given(data=st.data(), n_classes=st.integers(2, 4))
def test_as_scikit_learn_with_a_column_for_each_class(data, n_classes):
    codes, table, weight = data.draw(shares(n_classes))
    for truth in (codes, NAMES[codes]):
        assert log_loss(truth, table, sample_weight=weight) == pytest.approx(
            metrics.log_loss(truth, table, sample_weight=weight), rel=1e-12
        )
        if n_classes > 2:
            expected = metrics.brier_score_loss(truth, table, sample_weight=weight)
            assert brier_score(truth, table, sample_weight=weight) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), ("no", "yes")])
@settings(derandomize=True, max_examples=40, deadline=None)
@given(rows=shares(2))
def test_as_scikit_learn_with_one_column_of_two_classes(labels, rows):
    codes, table, weight = rows
    truth = np.array(labels)[codes]
    for given_shares in (table, table[:, 1]):
        assert log_loss(truth, given_shares, sample_weight=weight) == pytest.approx(
            metrics.log_loss(truth, given_shares, sample_weight=weight), rel=1e-12
        )
        assert brier_score(truth, given_shares, sample_weight=weight) == pytest.approx(
            metrics.brier_score_loss(truth, table[:, 1], sample_weight=weight, pos_label=labels[1]), abs=1e-12
        )


def test_the_other_class_may_be_the_positive_one():
    truth, chance = ["no", "yes", "no"], [0.9, 0.2, 0.6]
    assert log_loss(truth, chance, positive="no") == pytest.approx(-np.log([0.9, 0.8, 0.6]).mean())
    assert brier_score(truth, chance, positive="no") == pytest.approx(np.mean([0.01, 0.04, 0.16]))


def test_columns_in_another_order():
    truth, table = ["b", "a", "c"], np.array([[0.1, 0.7, 0.2], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])
    labels = ["c", "b", "a"]
    assert log_loss(truth, table, labels=labels) == pytest.approx(-np.log([0.7, 0.6, 0.5]).mean())
    assert log_loss(truth, table[:, [2, 1, 0]]) == pytest.approx(-np.log([0.7, 0.6, 0.5]).mean())


def test_one_class_among_the_rows_and_two_among_the_labels():
    table = [[0.25, 0.75], [0.5, 0.5]]
    assert log_loss(["b", "b"], table, labels=["a", "b"]) == pytest.approx(-np.log([0.75, 0.5]).mean())
    assert brier_score([1, 1], [0.75, 0.5]) == pytest.approx(np.mean([0.0625, 0.25]))
    assert brier_score([0, 0], [0.75, 0.5]) == pytest.approx(np.mean([0.5625, 0.25]))
    assert log_loss(["b"], [0.25], positive="b") == pytest.approx(-np.log(0.25))
    with pytest.raises(
        ValueError, match=r"log_loss: 'positive' must say which of the classes \['b'\] is the positive"
    ):
        log_loss(["b"], [0.25])


def test_a_class_ruled_out_costs_36():
    assert log_loss([1, 0], [0.0, 0.0]) == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    assert log_loss([1], [1.0]) == 0.0


def test_single_precision_may_sum_to_a_little_more_or_less():
    table = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.6, 0.2, 0.2]], dtype=np.float32)
    assert log_loss([0, 1, 2], table) == pytest.approx(-np.log([0.1, 0.3, 0.2]).mean(), rel=1e-6)
    table[0] = [0.1, 0.2, 0.6999]
    assert log_loss([0, 1, 2], table) > 0
    with pytest.raises(ValueError, match="must sum to 1; got 0.9999 in row 0"):
        log_loss([0, 1, 2], table.astype(np.float64))


class TestCalibrationError:
    def reference(self, chance, came_true, weight, edges):
        """Sum over bins (edges[i], edges[i + 1]] of their share of rows times |mean chance - mean truth|."""
        total = 0.0
        for low, high in pairwise(edges):
            inside = (chance > low) & (chance <= high)
            if weight[inside].sum() > 0:
                gap = np.average(chance[inside] - came_true[inside], weights=weight[inside])
                total += weight[inside].sum() * abs(gap)
        return total / weight.sum()

    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(rows=shares(2), bins=st.integers(1, 12))
    def test_by_hand(self, rows, bins):
        codes, table, weight = rows
        chance, own = table[:, 1], np.ones(len(codes)) if weight is None else weight
        edges = np.arange(bins + 1) / bins
        edges[0] = -1  # zero belongs to the first bin
        expected = self.reference(chance, codes, own, edges)
        assert calibration_error(codes, chance, bins=bins, sample_weight=weight) == pytest.approx(
            expected, abs=1e-12
        )
        order = np.argsort(chance)
        reached = np.cumsum(own[order]) / own.sum()
        inner = [chance[order][np.argmax(reached >= k / bins - 1e-12)] for k in range(1, bins)]
        expected = self.reference(chance, codes, own, np.unique([-1.0, *inner, 1.0]))
        error = calibration_error(codes, table, bins=bins, strategy="mass", sample_weight=weight)
        assert error == pytest.approx(expected, abs=1e-12)

    @settings(derandomize=True, max_examples=40, deadline=None)
    @given(rows=shares(3))
    def test_of_several_classes_is_about_the_predicted_one(self, rows):
        codes, table, weight = rows
        own = np.ones(len(codes)) if weight is None else weight
        right = (table.argmax(axis=1) == codes).astype(float)
        expected = self.reference(table.max(axis=1), right, own, np.arange(11) / 10)
        assert calibration_error(NAMES[codes], table, sample_weight=weight) == pytest.approx(
            expected, abs=1e-12
        )

    @pytest.mark.parametrize("strategy", ["width", "mass"])
    def test_whole_weights_are_repeated_rows(self, strategy):
        rng = np.random.default_rng(3)
        truth, chance, times = rng.integers(0, 2, 50), rng.random(50).round(1), rng.integers(0, 4, 50)
        one = calibration_error(truth, chance, strategy=strategy, bins=7, sample_weight=times)
        many = calibration_error(np.repeat(truth, times), np.repeat(chance, times), strategy=strategy, bins=7)
        assert one == pytest.approx(many, abs=1e-12)

    def test_probabilities_that_are_true_have_none(self):
        chance = np.repeat([0.25, 0.75], 4)
        assert calibration_error([0, 0, 0, 1, 0, 1, 1, 1], chance) == 0.0

    def test_choices_are_checked(self):
        with pytest.raises(ValueError, match="calibration_error: 'bins' must be a positive integer; got 0"):
            calibration_error([0, 1], [0.1, 0.2], bins=0)
        with pytest.raises(
            ValueError, match="calibration_error: 'strategy' must be 'width' or 'mass'; got 'quantile'"
        ):
            calibration_error([0, 1], [0.1, 0.2], strategy="quantile")
