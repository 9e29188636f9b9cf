"""Cost curves: the lower envelope of the costs of all thresholds."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from hornbook.evaluation import classify, cost_curve, cost_risk, probability_cost, roc_curve


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
def test_is_the_least_of_all_thresholds(rows):
    truth, score, weight = rows
    roc = roc_curve(truth, score, sample_weight=weight)
    curve = cost_curve(truth, score, sample_weight=weight)
    places = np.linspace(0, 1, 41)
    lines = np.outer(1 - roc.true_positive_rate, places) + np.outer(roc.false_positive_rate, 1 - places)
    assert_allclose(curve.at(places), lines.min(axis=0), atol=1e-12)
    assert curve.probability_costs[0] == 0
    assert curve.probability_costs[-1] == 1
    assert (np.diff(curve.probability_costs) > 0).all()
    for place, least in zip(places, lines.min(axis=0), strict=True):
        row = np.flatnonzero(roc.thresholds == curve.best_threshold(place))[0]
        assert lines[row].tolist()[places.tolist().index(place)] == pytest.approx(least, abs=1e-12)
    fine = np.linspace(0, 1, 20_001)
    assert curve.area == pytest.approx(np.trapezoid(curve.at(fine), fine), abs=1e-6)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(rows=ranked(), false_negative=st.sampled_from([1, 3, 10]), false_positive=st.sampled_from([1, 2]))
def test_the_best_threshold_has_the_least_risk(rows, false_negative, false_positive):
    truth, score, weight = rows
    share = float(np.average(truth, weights=weight))
    place = probability_cost(share, cost_false_negative=false_negative, cost_false_positive=false_positive)
    best = cost_curve(truth, score, sample_weight=weight).best_threshold(place)
    costs = [[0, false_negative], [false_positive, 0]]

    def risk(threshold):
        answer = classify(score, threshold)
        return cost_risk(truth, answer, costs=costs, labels=[0, 1], sample_weight=weight)

    assert risk(best) == pytest.approx(min(risk(t) for t in [np.inf, *score]))


def test_by_hand():
    curve = cost_curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    # the hull has (0, 2/3) and (1/3, 1): FNR 1/3 below probability cost 1/2, FPR 1/3 above
    assert curve.probability_costs == pytest.approx([0.0, 0.5, 1.0])
    assert curve.costs == pytest.approx([0, 1 / 6, 0])
    assert curve.thresholds.tolist() == [5, 3]
    assert curve.area == pytest.approx(1 / 12)
    assert curve.best_threshold(0.2) == 5
    assert curve.best_threshold(0.8) == 3


def test_scores_that_say_nothing_cost_as_much_as_none():
    curve = cost_curve([0, 1], [0.5, 0.5])
    assert curve.at([0.0, 0.25, 0.5, 0.75, 1.0]).tolist() == [0.0, 0.25, 0.5, 0.25, 0.0]
    assert curve.best_threshold(0.1) == np.inf
    assert curve.area == 0.25


def test_print_and_data():
    curve = cost_curve(["P", "N"], [0.5, 0.5], positive="P")
    assert str(curve).splitlines()[:3] == [
        "cost curve of 'P', area 0.2500",
        "  from   to  threshold  FPR  FNR  cost at its start",
        "     0  0.5        inf    0    1                  0",
    ]
    data = json.loads(json.dumps(curve.to_dict()))
    assert data["thresholds"] == [None, 0.5]
    assert data["costs"] == [0.0, 0.5, 0.0]


def test_places_of_costs():
    assert probability_cost(0.3, cost_false_negative=1, cost_false_positive=1) == pytest.approx(0.3)
    assert probability_cost(0.5, cost_false_negative=3, cost_false_positive=1) == 0.75
    for share, missed, alarmed, sentence in (
        (1.2, 1, 1, r"'share_positive' must be a number in \[0, 1\]; got 1.2"),
        (0.5, -1, 1, "'cost_false_negative' must be a finite number of at least 0; got -1"),
        (0.5, 1, np.inf, "'cost_false_positive' must be a finite number of at least 0; got inf"),
        (1.0, 0, 1, "at least one mistake that can happen must have a positive cost"),
    ):
        with pytest.raises(ValueError, match=f"probability_cost: {sentence}"):
            probability_cost(share, cost_false_negative=missed, cost_false_positive=alarmed)
    with pytest.raises(ValueError, match=r"a probability cost must be a number in \[0, 1\]"):
        cost_curve([0, 1], [0, 1]).at(1.5)
