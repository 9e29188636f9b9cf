"""ROC curves: against scikit-learn, hulls, comparison, means over folds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from sklearn import metrics

from hornbook.evaluation import average_curves, classify, confusion_table, roc_comparison, roc_curve


@st.composite
def ranked(draw):
    size = draw(st.integers(2, 25))
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
    curve = roc_curve(truth, score, sample_weight=weight)
    fpr, tpr, thresholds = metrics.roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    assert_allclose(curve.false_positive_rate, fpr, atol=1e-12)
    assert_allclose(curve.true_positive_rate, tpr, atol=1e-12)
    assert_allclose(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(metrics.auc(fpr, tpr), abs=1e-12)
    assert_allclose(
        curve.areas, [metrics.auc(fpr[: i + 1], tpr[: i + 1]) if i else 0 for i in range(len(fpr))]
    )


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=ranked())
def test_a_point_is_what_its_threshold_gives(rows):
    truth, score, weight = rows
    curve = roc_curve(truth, score, sample_weight=weight)
    for i, threshold in enumerate(curve.thresholds):
        table = confusion_table(truth, classify(score, threshold), labels=[1, 0], sample_weight=weight)
        assert (table.tp, table.fp) == pytest.approx((curve.true_positives[i], curve.false_positives[i]))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(rows=ranked())
def test_whole_weights_are_repeated_rows(rows):
    truth, score, weight = rows
    assume(weight is not None)
    times = (2 * weight).astype(int)
    one = roc_curve(truth, score, sample_weight=2 * weight)
    many = roc_curve(np.repeat(truth, times), np.repeat(score, times))
    assert_allclose(one.true_positives, many.true_positives)
    assert_allclose(one.false_positives, many.false_positives)
    assert_allclose(one.thresholds, many.thresholds)


class TestHull:
    @settings(derandomize=True, max_examples=100, deadline=None)
    @given(rows=ranked())
    def test_is_the_smallest_concave_curve_above(self, rows):
        truth, score, weight = rows
        curve = roc_curve(truth, score, sample_weight=weight)
        hull = curve.hull()
        assert set(hull.thresholds) <= set(curve.thresholds)
        places = np.union1d(curve.false_positive_rate, np.linspace(0, 1, 11))
        assert (hull.at(places) >= curve.at(places) - 1e-12).all()
        with np.errstate(divide="ignore"):
            slopes = np.diff(hull.true_positive_rate) / np.diff(hull.false_positive_rate)
        assert (np.diff(slopes) < 1e-12).all()
        # every corner is a point of the curve, so nothing smaller contains it
        points = set(zip(curve.false_positives, curve.true_positives, strict=True))
        assert set(zip(hull.false_positives, hull.true_positives, strict=True)) <= points

    def test_of_a_curve_below_the_diagonal_is_the_diagonal(self):
        hull = roc_curve([1, 1, 0, 0], [1, 2, 3, 4]).hull()
        assert (hull.area, len(hull.thresholds)) == (0.5, 2)

    def test_by_hand(self):
        # P N P P N N: (0,0) (0,1/3) (1/3,1/3) (1/3,2/3) (1/3,1) (2/3,1) (1,1)
        hull = roc_curve([1, 0, 1, 1, 0, 0], [6, 5, 4, 3, 2, 1]).hull()
        assert_allclose(hull.false_positive_rate, [0, 0, 1 / 3, 1])
        assert_allclose(hull.true_positive_rate, [0, 1 / 3, 1, 1])
        assert hull.thresholds.tolist() == [np.inf, 6, 3, 1]
        assert hull.area == pytest.approx((1 / 3 + 1) / 2 / 3 + 2 / 3)


class TestAt:
    curve = roc_curve([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])  # (0,0) (0,.5) (.5,.5) (.5,1) (1,1)

    def test_steps_have_an_upper_and_a_lower_end(self):
        places = np.array([0.0, 0.25, 0.5, 1.0])
        low, high = self.curve.limits(places)
        assert low.tolist() == [0.0, 0.5, 0.5, 1.0]
        assert high.tolist() == [0.5, 0.5, 1.0, 1.0]
        assert self.curve.at(places).tolist() == high.tolist()

    def test_ties_are_sloped(self):
        assert roc_curve([1, 0], [0.5, 0.5]).at([0.25]).tolist() == [0.25]

    def test_only_rates_have_heights(self):
        with pytest.raises(ValueError, match=r"a false positive rate must be a number in \[0, 1\]"):
            self.curve.at([1.5])


class TestComparison:
    @settings(derandomize=True, max_examples=150, deadline=None)
    @given(one=ranked(), other=ranked())
    def test_agrees_with_a_look_at_many_places(self, one, other):
        first = roc_curve(one[0], one[1], sample_weight=one[2])
        second = roc_curve(other[0], other[1], sample_weight=other[2])
        comparison = roc_comparison(first, second)
        places = np.concatenate(
            [first.false_positive_rate, second.false_positive_rate, np.linspace(0, 1, 501)]
        )
        gaps = np.concatenate(
            [a - b for a, b in zip(first.limits(places), second.limits(places), strict=True)]
        )
        above, below = (gaps > 1e-9).any(), (gaps < -1e-9).any()
        expected = {(0, 0): "equal", (1, 0): "first", (0, 1): "second", (1, 1): "crossing"}[above, below]
        assert comparison.relation == expected
        assert comparison.areas == (first.area, second.area)
        if expected == "crossing":
            assert len(comparison.crossings) > 0
            for low, high in zip(
                *(
                    np.subtract(a, b)
                    for a, b in zip(
                        first.limits(comparison.crossings), second.limits(comparison.crossings), strict=True
                    )
                ),
                strict=True,
            ):
                assert low * high <= 1e-9  # equal there, or one jumps over the other
        else:
            assert len(comparison.crossings) == 0
        back = roc_comparison(second, first)
        assert back.relation == {"first": "second", "second": "first"}.get(expected, expected)
        assert_allclose(back.crossings, comparison.crossings, atol=1e-12)

    def test_crossing_by_hand(self):
        # one rises early and late, the other in the middle: they meet on the slope of the second
        first = roc_curve([1, 0, 0, 1], [4, 3, 2, 1])
        second = roc_curve([1, 1, 0, 0], [1, 1, 1, 1])
        comparison = roc_comparison(first, second, names=("steps", "chance"))
        assert comparison.crossings == pytest.approx([0.5])
        assert str(comparison) == (
            "The curves cross at 0.5, so neither is better everywhere; "
            "their areas are equal (areas 0.5 and 0.5)."
        )

    def test_sentences(self):
        sharp, blind = roc_curve([0, 1], [1, 2]), roc_curve([0, 1], [1, 1])
        assert str(roc_comparison(blind, sharp, names=("noise", "tree"))) == (
            "Tree dominates noise, so it is better at every threshold (areas 0.5 and 1)."
        )
        assert str(roc_comparison(sharp, sharp)) == "The curves are the same (areas 1 and 1)."
        data = json.loads(json.dumps(roc_comparison(blind, sharp).to_dict()))
        assert (data["relation"], data["areas"], data["crossings"]) == ("second", [0.5, 1.0], [])


def five_folds():
    rng, truth = np.random.default_rng(0), np.arange(40) % 2
    return tuple(roc_curve(truth, rng.normal(size=40) + truth) for _ in range(5))


class TestMeanOverFolds:
    curves = five_folds()

    def test_is_vertical(self):
        mean = average_curves(self.curves)
        assert (mean.kind, mean.x.shape, mean.heights.shape) == ("roc", (101,), (5, 101))
        assert_allclose(mean.mean, np.mean([curve.at(mean.x) for curve in self.curves], axis=0))
        assert mean.area == pytest.approx(np.mean([curve.area for curve in self.curves]))
        assert average_curves(self.curves, x=[0.1, 0.5]).x.tolist() == [0.1, 0.5]

    def test_bands(self):
        mean = average_curves(self.curves, x=[0.2, 0.5])
        low, high = mean.band()
        deviation = mean.heights.std(axis=0, ddof=1)
        assert_allclose(low, mean.mean - deviation)
        assert_allclose(high, np.minimum(mean.mean + deviation, 1))
        low, high = mean.band(0.9)
        expected = stats.t.interval(0.9, 4, loc=mean.mean, scale=deviation / np.sqrt(5))
        assert_allclose([low, high], expected, rtol=1e-12)

    def test_print_and_data(self):
        mean = average_curves(self.curves, x=3)
        assert str(mean).startswith(
            f"mean of 5 ROC curves, area {mean.area:.4f} (deviation {mean.areas.std(ddof=1):.4f})"
        )
        assert json.loads(json.dumps(mean.to_dict()))["mean"] == mean.mean.tolist()

    def test_refusals(self):
        with pytest.raises(ValueError, match=r"must be at least two ROC curves, .*; got 1 of \['RocCurve'\]"):
            average_curves(self.curves[:1])
        with pytest.raises(ValueError, match=r"got 2 of \['RocCurve', 'str'\]"):
            average_curves([self.curves[0], "curve"])
        with pytest.raises(ValueError, match="'level' must be a number between 0 and 1, or None"):
            average_curves(self.curves).band(2)


def test_print_of_a_long_curve_shows_some_points():
    truth = np.arange(200) % 2
    lines = str(roc_curve(truth, np.arange(200.0))).splitlines()
    assert lines[0] == "ROC curve of 1, area 0.5050 (12 of 201 points)"
    assert len(lines) == 14
    assert lines[2].split()[0] == "inf"
    assert lines[-1].split() == ["0", "100", "100", "1", "1", "0.505"]


def test_plain_data():
    data = roc_curve(["P", "N", "P"], [0.9, 0.8, 0.7], positive="P").to_dict()
    assert json.loads(json.dumps(data)) == {
        "positive": "P",
        "area": 0.5,
        "thresholds": [None, 0.9, 0.8, 0.7],
        "true_positives": [0.0, 1.0, 1.0, 2.0],
        "false_positives": [0.0, 0.0, 1.0, 1.0],
        "true_positive_rate": [0.0, 0.5, 0.5, 1.0],
        "false_positive_rate": [0.0, 0.0, 1.0, 1.0],
    }


def test_a_random_classifier_lies_on_the_diagonal():
    curve = roc_curve([0, 1, 0, 1, 1], [0.2] * 5)
    assert curve.false_positive_rate.tolist() == curve.true_positive_rate.tolist() == [0.0, 1.0]
    assert curve.area == 0.5


class TestCut:
    def test_scores_become_classes(self):
        assert classify([0.2, 0.5, 0.7]).tolist() == [0, 1, 1]
        assert classify([0.2, 0.5, 0.7], 0.6, labels=["no", "yes"]).tolist() == ["no", "no", "yes"]
        assert classify([0.2], np.inf).tolist() == [0]

    def test_refusals(self):
        with pytest.raises(
            ValueError, match=r"classify: 'labels' must name the negative and the positive class; got \["
        ):
            classify([0.1], labels=["a", "b", "c"])
        with pytest.raises(ValueError, match="classify: 'cut' must be a number; got nan"):
            classify([0.1], np.nan)
        with pytest.raises(
            ValueError, match="classify: 'y_score' must hold finite numbers; got nan in row 0"
        ):
            classify([np.nan])
