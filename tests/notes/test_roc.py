"""Worked examples of ROC curves in the notes, to the printed digit."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import NaiveBayes, datasets
from hornbook.evaluation import auc, classify, confusion_table, ranking_loss, roc_curve

# scores of 30 irises for versicolor (c1, positive) against the rest, as printed
SCORES = [
    0.93,
    0.82,
    0.80,
    0.77,
    0.74,
    0.71,
    0.69,
    0.67,
    0.66,
    0.61,
    0.59,
    0.55,
    0.55,
    0.53,
    0.47,
    0.30,
    0.26,
    0.11,
]
SCORES += [
    0.04,
    2.97e-3,
    1.28e-3,
    2.55e-7,
    6.99e-8,
    3.11e-8,
    3.109e-8,
    1.53e-8,
    9.76e-9,
    2.08e-9,
    1.95e-9,
    7.83e-10,
]
CLASSES = list("NPNPPPNPNNNNPPPPPNNNNNNNNNNNNN")


def test_irises():
    assert (CLASSES.count("P"), CLASSES.count("N")) == (10, 20)
    curve = roc_curve(CLASSES, SCORES, positive="P")
    # 0.775 is printed: the two scores of 0.55 are a tie in print and were none before they were rounded
    assert curve.area == pytest.approx(0.7775)
    assert auc(CLASSES, SCORES, positive="P") == pytest.approx(0.7775)
    assert ranking_loss(CLASSES, SCORES, positive="P") == pytest.approx(1 - 0.7775)


@pytest.mark.parametrize(("first", "area"), [("N", 0.775), ("P", 0.78)])
def test_irises_with_the_tie_broken(first, area):
    scores = list(SCORES)
    scores[11 if first == "N" else 12] += 1e-6
    assert auc(CLASSES, scores, positive="P") == pytest.approx(area)


def test_irises_at_one_half():
    table = confusion_table(
        CLASSES, classify(SCORES, 0.5, labels=["N", "P"]), rows="prediction", positive="P"
    )
    assert (table.tp, table.fp, table.fn, table.tn) == (7, 7, 3, 13)


def test_ties_move_together():
    curve = roc_curve(["c1", "c2", "c1", "c1", "c2"], [0.9, 0.8, 0.8, 0.8, 0.1], positive="c1")
    assert curve.thresholds.tolist() == [np.inf, 0.9, 0.8, 0.1]
    assert curve.false_positives.tolist() == [0, 0, 1, 2]
    assert curve.true_positives.tolist() == [0, 1, 3, 3]
    assert curve.false_positive_rate.tolist() == [0, 0, 0.5, 1]
    assert curve.true_positive_rate == pytest.approx([0, 1 / 3, 1, 1])
    assert np.round(curve.areas, 3).tolist() == [0, 0, 0.333, 0.833]


def test_corners_of_the_square():
    start_and_end = roc_curve([1, 0], [2, 1])
    points = list(zip(start_and_end.false_positive_rate, start_and_end.true_positive_rate, strict=True))
    assert points == [(0, 0), (0, 1), (1, 1)]  # all negative, ideal, all positive


def test_predicting_positive_with_probability_r_gives_r_r():
    rng = np.random.default_rng(0)
    truth = np.arange(20_000) % 3 == 0
    for r in (0.2, 0.7):
        table = confusion_table(truth, rng.random(20_000) < r)
        assert table.fp / (table.fp + table.tn) == pytest.approx(r, abs=0.02)
        assert table.tp / (table.tp + table.fn) == pytest.approx(r, abs=0.02)


def test_the_area_is_the_probability_of_the_right_order():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 500)
    score = rng.normal(size=500) + truth
    positive, negative = (rng.choice(score[truth == c], 40_000) for c in (1, 0))
    assert auc(truth, score) == pytest.approx((positive > negative).mean(), abs=0.01)


def test_posteriors_of_naive_bayes_are_scores():
    table = datasets.iris(view="components", positive="versicolor")
    model = NaiveBayes(var_smoothing=0.0).fit(table)
    column = model.classes_.tolist().index("versicolor")
    posterior = model.predict_proba(table)[:, column]
    joint = np.exp(model.predict_joint_log_proba(table))
    assert posterior == pytest.approx(joint[:, column] / joint.sum(axis=1))
    curve = roc_curve(table.y, posterior, positive="versicolor")
    assert curve.area == pytest.approx(auc(table.y, posterior, positive="versicolor"))
    assert curve.area == pytest.approx(
        auc(table.y, np.log(posterior) - np.log1p(-posterior), positive="versicolor")
    )
    assert curve.area > 0.9
