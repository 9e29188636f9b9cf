"""Worked examples of cross-validation, intervals and the paired t-test in the notes, to the printed digit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from hornbook import datasets
from hornbook.evaluation import KFold, cross_validation_summary, mean_interval, paired_t

# 0.267, 0.133, 0.233, 0.367 and 0.167 are printed: errors among 30 rows of a fold.
ERRORS = np.array([8, 4, 7, 11, 5]) / 30
NAIVE = np.array([7, 8, 3, 12, 9]) / 30
FULL = np.array([6, 6, 5, 10, 7]) / 30


def test_mean_and_variance_of_five_folds():
    assert np.round(ERRORS, 3).tolist() == [0.267, 0.133, 0.233, 0.367, 0.167]
    summary = cross_validation_summary(ERRORS)
    assert round(summary.mean, 3) == 0.233
    assert round(summary.variance, 5) == 0.00833
    # the formula beside the example divides by K
    assert round(cross_validation_summary(ERRORS, divisor="n").variance, 5) == 0.00667


def full_bayes_errors(rows, labels, folds):
    """Error rates of the classifier with one normal density of two columns per class."""
    errors = []
    for train, test in folds.split(rows):
        joint = np.empty((len(test), 3))
        for c in range(3):
            mine = rows[train][labels[train] == c]
            density = multivariate_normal(mine.mean(axis=0), np.cov(mine.T, ddof=0))
            joint[:, c] = density.logpdf(rows[test]) + math.log(len(mine))
        errors.append(np.mean(joint.argmax(axis=1) != labels[test]))
    return errors


def test_ten_runs_of_five_folds():
    table = datasets.iris()
    rows = np.column_stack([table["sepal_length"], table["sepal_width"]])
    labels = np.unique(table.y, return_inverse=True)[1]
    runs = [full_bayes_errors(rows, labels, KFold(5, shuffle=True, random_state=seed)) for seed in range(10)]
    summary = cross_validation_summary(runs)
    # 0.232 and 0.00521 are printed for folds that are not given; the mean of a run is within 0.207 to 0.260
    # for 95 % of them.
    assert 0.207 < summary.mean < 0.260
    assert 0.003 < summary.variance < 0.010
    assert summary.variance_of_mean < 1e-3
    assert summary.variance_of_variance < 1e-3


@pytest.mark.parametrize(
    ("level", "method", "half", "ends"),
    [
        (0.95, "normal", 0.08, (0.153, 0.313)),
        (0.99, "normal", 0.105, (0.128, 0.338)),
        (0.95, "t", 0.113, (0.12, 0.346)),
        (0.99, "t", 0.188, (0.045, 0.421)),
    ],
)
def test_intervals_of_the_error_rate(level, method, half, ends):
    interval = mean_interval(ERRORS, level=level, method=method)
    assert round(interval.width / 2, 3) == half
    # the printed ends are those of the rounded mean and half width
    assert (round(0.233 - half, 3), round(0.233 + half, 3)) == ends
    assert (interval.low, interval.high) == pytest.approx(ends, abs=1.1e-3)


def test_the_points_of_the_normal_and_the_student_distribution():
    deviation = math.sqrt(cross_validation_summary(ERRORS).variance)
    assert round(deviation, 4) == 0.0913
    for level, method, point in ((0.95, "normal", 1.96), (0.99, "normal", 2.58)):
        interval = mean_interval(ERRORS, level=level, method=method)
        assert round(interval.width / 2 / deviation * math.sqrt(5), 2) == point
    for level, point in ((0.95, 2.776), (0.99, 4.604)):
        interval = mean_interval(ERRORS, level=level)
        assert round(interval.width / 2 / deviation * math.sqrt(5), 3) == point


def test_a_known_deviation_gives_the_same_interval_as_the_sample_one():
    deviation = math.sqrt(cross_validation_summary(ERRORS).variance)
    known = mean_interval(ERRORS, method="known_variance", sigma=deviation)
    sample = mean_interval(ERRORS, method="normal")
    assert (known.low, known.high) == pytest.approx((sample.low, sample.high), rel=1e-14)


def test_naive_against_full_bayes():
    assert np.round(NAIVE, 3).tolist() == [0.233, 0.267, 0.1, 0.4, 0.3]
    assert np.round(FULL, 3).tolist() == [0.2, 0.2, 0.167, 0.333, 0.233]
    assert np.round(NAIVE - FULL, 3).tolist() == [0.033, 0.067, -0.067, 0.067, 0.067]
    result = paired_t(NAIVE, FULL)
    assert round(result.effect, 3) == 0.033
    assert round(result.details["deviation"] ** 2, 5) == 0.00333
    assert round(result.details["deviation"], 4) == 0.0577
    assert result.details["degrees_of_freedom"] == 4
    assert [round(bound, 3) for bound in result.critical] == [-2.776, 2.776]
    assert not result.rejected
    # 1.28 is printed, from the rounded mean; the differences themselves give 1.29
    assert round(result.statistic, 5) == 1.29099
    assert round(math.sqrt(5) * 0.033 / 0.0577, 2) == 1.28
    assert round(result.p, 3) == 0.266
    assert round(paired_t(NAIVE, FULL, divisor="n").statistic, 4) == 1.4434
    assert "cannot be told apart" in result.sentence
