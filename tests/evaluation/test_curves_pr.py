"""Precision-recall curves: points as scikit-learn, area by integration, break-even point, comparison."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad
from sklearn import metrics

from hornbook.evaluation import (
    average_curves,
    break_even_point,
    pr_area,
    pr_comparison,
    pr_curve,
    roc_comparison,
    roc_curve,
)


@st.composite
def ranked(draw):
    size = draw(st.integers(2, 20))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    truth = np.concatenate([[0, 1], rng.integers(0, 2, size - 2)])
    score = rng.normal(size=size) + truth
    if draw(st.booleans()):
        score = score.round()  # ties
    weight = rng.integers(0, 4, size) / 2 if draw(st.booleans()) else None
    assume(weight is None or all(weight[truth == c].any() for c in (0, 1)))
    return truth, score, weight


@settings(derandomize=True, max_examples=100, deadline=None)
@given(rows=ranked())
def test_points_as_scikit_learn(rows):
    truth, score, weight = rows
    curve = pr_curve(truth, score, sample_weight=weight)
    precision, recall, thresholds = metrics.precision_recall_curve(truth, score, sample_weight=weight)
    assert_allclose(curve.precision[1:], precision[:-1][::-1], atol=1e-12)
    assert_allclose(curve.recall[1:], recall[:-1][::-1], atol=1e-12)
    assert_allclose(curve.thresholds[1:], thresholds[::-1])
    expected = metrics.average_precision_score(truth, score, sample_weight=weight)
    assert curve.step_area == pytest.approx(expected, abs=1e-12)
    assert pr_area(truth, score, interpolation="step", sample_weight=weight) == curve.step_area
    assert pr_area(truth, score, sample_weight=weight) == curve.area


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=ranked())
def test_the_area_is_the_integral_of_the_bent_curve(rows):
    truth, score, weight = rows
    curve = pr_curve(truth, score, sample_weight=weight)
    places = np.unique(curve.recall)
    pieces = [quad(lambda r: float(curve.at(np.array([r]))[0]), a, b)[0] for a, b in pairwise(places)]
    assert curve.area == pytest.approx(sum(pieces), abs=1e-8)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=ranked())
def test_between_points_counts_grow_in_proportion(rows):
    truth, score, weight = rows
    curve = pr_curve(truth, score, sample_weight=weight)
    tp, fp = curve.true_positives, curve.false_positives
    for i in range(1, len(tp)):
        if tp[i] > tp[i - 1]:
            share = np.array([0.25, 0.5, 1.0])
            t, f = tp[i - 1] + share * (tp[i] - tp[i - 1]), fp[i - 1] + share * (fp[i] - fp[i - 1])
            assert_allclose(curve.at(t / tp[-1]), t / (t + f), atol=1e-9)


def test_a_straight_line_would_promise_too_much():
    # Davis and Goadrich's example: 20 of 100 positives found, then all of them along with 2000 negatives
    truth = [1] * 20 + [1] * 80 + [0] * 2000
    curve = pr_curve(truth, [1.0] * 20 + [0.0] * 2080)
    assert curve.precision.tolist() == pytest.approx([1, 1, 100 / 2100])
    slope = 2000 / 80
    exact = 20 + quad(lambda t: t / (t + slope * (t - 20)), 20, 100)[0]
    assert curve.area == pytest.approx(exact / 100, abs=1e-10)
    assert curve.area < 0.5 * metrics.auc(curve.recall, curve.precision)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(rows=ranked())
def test_at_the_break_even_point_precision_is_recall(rows):
    truth, score, weight = rows
    curve = pr_curve(truth, score, sample_weight=weight)
    point = curve.break_even_point
    assert break_even_point(truth, score, sample_weight=weight) == point
    high, low = curve.limits(np.array([point]))
    assert low[0] - 1e-9 <= point <= high[0] + 1e-9
    # as many rows are called positive as are positive
    own = np.ones(len(truth)) if weight is None else weight
    called = own[score >= curve.break_even_threshold].sum()
    assert called >= own[truth == 1].sum() - 1e-9


def test_break_even_point_by_hand():
    truth, score = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
    curve = pr_curve(truth, score)
    assert curve.break_even_point == pytest.approx(2 / 3)  # 3 called positive, 2 of them rightly
    assert curve.break_even_threshold == 4
    assert break_even_point([1, 0], [0.5, 0.5]) == 0.5
    assert break_even_point([0, 1], [2, 1]) == 0.0


def test_the_start_has_the_precision_of_the_first_rows():
    assert pr_curve([1, 0], [2, 1]).precision.tolist() == [1.0, 1.0, 0.5]
    curve = pr_curve([0, 1], [2, 1])
    assert curve.precision.tolist() == [0.0, 0.0, 0.5]
    assert curve.at([0.0, 0.5, 1.0]).tolist() == pytest.approx([0.0, 0.5 / 1.5, 0.5])
    assert pr_curve([0, 1, 1], [1, 1, 0]).at([0.0]).tolist() == [0.5]


def test_constant_scores_have_the_share_of_positives():
    curve = pr_curve([1, 0, 0, 0], [7, 7, 7, 7])
    assert (curve.area, curve.break_even_point) == (0.25, 0.25)


class TestComparison:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(rows=ranked(), seed=st.integers(0, 1000))
    def test_encloses_where_the_roc_curve_does(self, rows, seed):
        # on the same rows, one curve dominates in one space if and only if it does in the other
        truth, score, weight = rows
        other = np.random.default_rng(seed).normal(size=len(truth)).round(1) + truth
        pr = pr_comparison(*(pr_curve(truth, s, sample_weight=weight) for s in (score, other)))
        roc = roc_comparison(*(roc_curve(truth, s, sample_weight=weight) for s in (score, other)))
        assert pr.relation == roc.relation

    @settings(derandomize=True, max_examples=60, deadline=None)
    @given(one=ranked(), other=ranked())
    def test_crossings_are_where_curves_meet(self, one, other):
        first = pr_curve(one[0], one[1], sample_weight=one[2])
        second = pr_curve(other[0], other[1], sample_weight=other[2])
        comparison = pr_comparison(first, second)
        assert (comparison.relation == "crossing") == (len(comparison.crossings) > 0)
        if len(comparison.crossings):
            before, after = (
                a - b
                for a, b in zip(
                    first.limits(comparison.crossings), second.limits(comparison.crossings), strict=True
                )
            )
            assert (before * after <= 1e-9).all()

    def test_sentence(self):
        sharp, blind = pr_curve([0, 1], [1, 2]), pr_curve([0, 1], [1, 1])
        assert str(pr_comparison(sharp, blind)) == (
            "The first curve dominates the second curve, so it is better at every threshold "
            "(areas 1 and 0.5)."
        )


def test_mean_over_folds():
    rng = np.random.default_rng(1)
    truth = np.arange(30) % 2
    curves = [pr_curve(truth, rng.normal(size=30) + truth) for _ in range(4)]
    mean = average_curves(curves, x=11)
    assert mean.kind == "precision_recall"
    assert_allclose(mean.mean, np.mean([curve.at(np.linspace(0, 1, 11)) for curve in curves], axis=0))
    assert str(mean).startswith("mean of 4 precision-recall curves, area ")


def test_print_and_data():
    curve = pr_curve(["b", "a", "b"], [0.9, 0.8, 0.7])
    assert str(curve).splitlines()[:4] == [
        "precision-recall curve of 'b', area 0.7973, break-even point 0.5000",
        "  threshold  TP  FP  recall  precision",
        "        inf   0   0       0          1",
        "        0.9   1   0     0.5          1",
    ]
    data = json.loads(json.dumps(curve.to_dict()))
    assert data["thresholds"] == [None, 0.9, 0.8, 0.7]
    assert data["precision"] == [1.0, 1.0, 0.5, 2 / 3]
    assert data["break_even_point"] == 0.5


def test_refusals():
    with pytest.raises(ValueError, match="pr_area: 'interpolation' must be 'exact' or 'step'; got 'linear'"):
        pr_area([0, 1], [0, 1], interpolation="linear")
    with pytest.raises(ValueError, match=r"a recall must be a number in \[0, 1\]"):
        pr_curve([0, 1], [0, 1]).at([-0.1])
    with pytest.raises(ValueError, match="pr_curve: 'y_score' must hold numbers; got nan in row 1"):
        pr_curve([0, 1], [0, np.nan])
