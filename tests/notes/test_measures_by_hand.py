"""Measures, curves and tests of the notes from a few rows, counted by hand; their pictures show the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hornbook.evaluation import (
    accuracy,
    auc,
    classify,
    confusion_table,
    error_rate,
    f_measure,
    mae,
    mse,
    permutation_test,
    pr_area,
    pr_curve,
    precision,
    recall,
    roc_curve,
    z_test,
)
from hornbook.plots import null_density, permutation_histogram, roc


@pytest.mark.parametrize(
    ("beta", "high_precision", "high_recall"),
    [(0.5, 5 / 8, 0.3125 / (0.25 * 0.25 + 1)), (1.0, 0.4, 0.4), (2.0, 1.25 / 4.25, 1.25 / 2.0)],
)
def test_beta_says_how_much_more_recall_counts(beta, high_precision, high_recall):
    """(1 + b²) P R / (b² P + R) with P = 1 and R = 1/4, and the other way round."""
    truth, answer = [1] * 8 + [0] * 3, [1] * 2 + [0] * 9
    assert (precision(truth, answer), recall(truth, answer)) == (1.0, 0.25)
    assert f_measure(truth, answer, beta=beta) == pytest.approx(high_precision)
    assert (precision(answer, truth), recall(answer, truth)) == (0.25, 1.0)
    assert f_measure(answer, truth, beta=beta) == pytest.approx(high_recall)


def test_f_goes_from_precision_to_recall_as_beta_grows():
    truth, answer = [1] * 8 + [0] * 3, [1] * 2 + [0] * 9
    values = [f_measure(truth, answer, beta=beta) for beta in (1e-6, 0.5, 1.0, 2.0, 1e6)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(1.0)
    assert values[2] == pytest.approx(f_measure(truth, answer))
    assert values[-1] == pytest.approx(0.25)


def test_losses_and_scores_of_three_rows():
    data, model = [1.0, 2.0, 4.0], [1.5, 2.0, 3.0]
    assert mse(data, model) == pytest.approx(1.25 / 3)
    assert mae(data, model) == pytest.approx(1.5 / 3)
    assert accuracy(["a", "b", "b"], ["a", "b", "a"]) == pytest.approx(2 / 3)
    assert error_rate(["a", "b", "b"], ["a", "b", "a"]) == pytest.approx(1 / 3)
    assert [measure.greater_is_better for measure in (mse, mae, accuracy)] == [False, False, True]


def test_contingency_table_with_the_answers_as_rows():
    """Rows are what was answered, columns what is true; with P, N, the answered P and N, and the total."""
    truth = ["c1"] * 10 + ["c2"] * 20
    answer = ["c1"] * 7 + ["c2"] * 3 + ["c1"] * 7 + ["c2"] * 13
    table = confusion_table(truth, answer, rows="prediction", positive="c1")
    assert table.labels == ("c1", "c2")
    assert table.array.tolist() == [[7, 7], [3, 13]]
    assert (table.tp, table.fp, table.fn, table.tn) == (7, 7, 3, 13)
    assert table.true_totals.tolist() == [10, 20]  # P and N
    assert table.predicted_totals.tolist() == [14, 16]
    assert table.total == 30
    flowers = confusion_table(list("sscvv"), list("scvvv"), labels=list("scv"), rows="prediction")
    assert flowers.array.tolist() == [[1, 0, 0], [1, 0, 0], [0, 1, 2]]
    assert (flowers.predicted_totals.tolist(), flowers.true_totals.tolist()) == ([1, 1, 3], [2, 1, 2])


def test_curve_from_all_negative_to_all_positive_and_its_picture():
    """Scores .9 .8 .8 .7 .3 of + + - - +: steps by 1/3 up and 1/2 right, the tie at .8 aslant."""
    truth, score = [1, 1, 0, 0, 1], [0.9, 0.8, 0.8, 0.7, 0.3]
    curve = roc_curve(truth, score)
    marks = [(0, 0), (0, 1 / 3), (1 / 2, 2 / 3), (1, 2 / 3), (1, 1)]
    points = np.column_stack([curve.false_positive_rate, curve.true_positive_rate])
    np.testing.assert_allclose(points, marks)
    assert curve.thresholds.tolist() == [np.inf, 0.9, 0.8, 0.7, 0.3]
    # 1/2 (1/2) (1/3 + 2/3) + 1/2 (1/2) (2/3 + 2/3), which is also the share of pairs in order, ties half.
    area = 1 / 4 + 1 / 3
    pairs = [(p > n) + (p == n) / 2 for p in (0.9, 0.8, 0.3) for n in (0.8, 0.7)]
    assert curve.area == pytest.approx(area) == pytest.approx(np.mean(pairs))
    assert auc(truth, score) == pytest.approx(area)
    for threshold, (x, y) in zip(curve.thresholds, marks, strict=True):
        table = confusion_table(truth, classify(score, threshold))
        assert (table.fp / 2, table.tp / 3) == pytest.approx((x, y))
    diagonal, line = roc(curve).lines
    np.testing.assert_allclose(line.get_xydata(), marks)
    np.testing.assert_allclose(diagonal.get_xydata(), [(0, 0), (1, 1)])


def test_scores_that_know_nothing_lie_on_the_diagonal():
    """Positive with probability r gives (r, r): random scores, their area, the line drawn for them."""
    rng = np.random.default_rng(0)
    truth = np.arange(20_000) % 3 == 0
    score = rng.random(20_000)
    curve = roc_curve(truth, score)
    assert np.abs(curve.true_positive_rate - curve.false_positive_rate).max() < 0.03
    assert curve.area == pytest.approx(0.5, abs=0.015)
    for r in (0.2, 0.7):
        table = confusion_table(truth, classify(score, 1 - r, labels=[False, True]))
        assert table.fp / (table.fp + table.tn) == pytest.approx(r, abs=0.02)
        assert table.tp / (table.tp + table.fn) == pytest.approx(r, abs=0.02)
    same = roc_curve([0, 1, 0, 1, 1], [0.2] * 5)
    assert (same.false_positive_rate.tolist(), same.true_positive_rate.tolist()) == ([0, 1], [0, 1])
    assert same.area == 0.5
    np.testing.assert_allclose(roc(same).lines[0].get_xydata(), [(0, 0), (1, 1)])


def test_area_under_precision_and_recall():
    """+ - + -: precision 1 at recall 1/2; then a step in which precision goes from 1/2 at 1/2 to 2/3 at 1."""
    truth, score = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    curve = pr_curve(truth, score)
    np.testing.assert_allclose(curve.recall[1:], [1 / 2, 1 / 2, 1, 1])
    np.testing.assert_allclose(curve.precision[1:], [1, 1 / 2, 2 / 3, 1 / 2])
    assert pr_area(truth, score, interpolation="step") == pytest.approx(1 / 2 * 1 + 1 / 2 * 2 / 3)
    # Between: with t in [1, 2] true positives and 1 false one, precision is t / (t + 1) at recall t / 2.
    assert curve.area == pytest.approx(1 / 2 + (1 - np.log(3 / 2)) / 2)
    assert pr_area(truth, score) == curve.area


def test_statistic_region_of_rejection_and_both_errors():
    """mean <= c = 130 - 1.645 * 5.4 / 5 rejects; P(reject) is alpha at 130, and the power grows below it."""
    result = z_test(mean=128, n=25, sigma=5.4, null=130, alternative="less")
    assert round(result.statistic, 3) == round(-2 / 1.08, 3) == -1.852
    assert round(result.critical[0], 3) == -1.645
    assert round(result.p, 5) == 0.03202
    assert result.rejected
    c = result.details["c"][0]
    assert norm.cdf((c - 130) / 1.08) == pytest.approx(0.05)  # an error of the first kind
    assert norm.cdf((c - 127) / 1.08) > 0.8  # the second kind is rare three below
    ax = null_density(result)
    curve = max(ax.lines, key=lambda line: len(line.get_xdata()))
    x, height = np.asarray(curve.get_xydata()).T
    np.testing.assert_allclose(height, norm.pdf(x), atol=1e-12)
    filled = np.concatenate([path.vertices for area in ax.collections for path in area.get_paths()])
    assert filled[:, 0].max() == pytest.approx(result.critical[0], abs=1e-6)  # only the left tail
    marked = [line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1]
    assert any(place == pytest.approx(result.statistic) for place in marked)


def test_permuted_statistics_are_drawn_with_the_observed_one():
    rng = np.random.default_rng(3)
    x, y = rng.normal(0, 1, 20), rng.normal(0.8, 1, 20)
    result = permutation_test(y, x, alternative="greater", plus_one=False, random_state=0)
    values = result.distribution.values
    assert result.statistic == pytest.approx(y.mean() - x.mean())
    assert result.p == np.mean(values >= result.statistic - 1e-12)
    ax = permutation_histogram(result)
    assert sum(bar.get_height() for bar in ax.patches) == len(values) == 10_000
    for bar in ax.patches:
        low, high = bar.get_x(), bar.get_x() + bar.get_width()
        assert abs(((values >= low) & (values < high)).sum() - bar.get_height()) <= 2  # up to the edges
    places = {round(float(line.get_xdata()[0]), 6) for line in ax.lines}
    assert round(result.statistic, 6) in places
