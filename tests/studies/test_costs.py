"""Costs of mistakes: from text to a table, thresholds chosen on training rows only, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.studies.test_files import faults, schema

import hornbook
from hornbook.evaluation import Target, cost_risk
from hornbook.params import ParameterError
from hornbook.studies import Settings, StudyError
from hornbook.studies.decide._threshold import chosen_threshold, least_cost_threshold
from hornbook.studies.prepare._costs import cost_matrix
from hornbook.studies.prepare._training_data import TrainingData
from hornbook.studies.run._recipe import Recipe

QUICK = {"learners": ["NaiveBayes"], "cv": 3, "repeats": 1, "jobs": 1, "tune": "off"}
DEAR = np.array([[0.0, 1.0], [10.0, 0.0]])  # to take the first class for the second


def patients(n=150, seed=0):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, 2))
    ill = x[:, 0] + draw.normal(size=n) > 1.0
    return pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "state": np.where(ill, "ill", "well")})


def test_text_a_mapping_and_a_file_mean_the_same(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("truth,ill,well\nill,0,10\nwell,2,0\n")
    ways = [
        "ill>well=10,well>ill=2",
        {("ill", "well"): 10, ("well", "ill"): 2},
        str(path),
        {"ill": 10, "well": 2},
    ]
    tables = [cost_matrix(Settings(costs=way), ("ill", "well")) for way in ways]
    for table in tables:
        np.testing.assert_array_equal(table, [[0.0, 2.0], [10.0, 0.0]])
    again = Settings(costs=str(path))
    assert Settings.of(json.loads(json.dumps(again.to_dict()))) == again  # the file is not needed any more


def test_unnamed_mistakes_cost_one_and_pairs_come_before_classes():
    table = cost_matrix(Settings(costs="a>b=0.5,a=3"), ("a", "b", "c"))
    np.testing.assert_array_equal(table, [[0, 1, 1], [0.5, 0, 1], [3, 1, 0]])
    named = cost_matrix(Settings(costs=["x > y=2", "p,q=4"]), ("p,q", "x", "y"))
    assert named[2, 1] == 2
    assert named[1, 0] == named[2, 0] == 4


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (
            "il=10",
            r"names the class 'il', which the target 'state' does not have; its classes are 'ill', 'well'",
        ),
        ("ill>wel=10", "costs= names the class 'wel'"),
        ("ill>well=0,well>ill=0", "every mistake as cheap as being right"),
    ],
)
def test_costs_that_do_not_fit_the_classes_are_refused(costs, message):
    with pytest.raises(StudyError, match=message):
        hornbook.study(patients(), "state", costs=costs, **QUICK)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ("ill", "entries like ill=10 or ill>well=10, or a file; got 'ill'"),
        ("ill=-1", "the cost of 'ill' must be a number that is not negative; got '-1'"),
        ({"ill": "x"}, "the cost of 'ill' must be a number"),
        (3, "must be text such as 'ill=10,well=1', a mapping or a file; got 3"),
    ],
)
def test_what_is_no_cost_is_refused(costs, message):
    with pytest.raises(ParameterError, match=message):
        Settings(costs=costs)


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "short.csv").write_text("truth,ill,well\nill,0\n")
    with pytest.raises(
        ParameterError, match="the line of 'ill' in .*short.csv has 1 costs, and the header 2"
    ):
        Settings(costs=str(tmp_path / "short.csv"))


def test_numbers_have_no_costs():
    table = patients().with_columns(pl.col("b").alias("state"))
    with pytest.raises(StudyError, match="costs= is for classes, and the target 'state' holds numbers"):
        hornbook.study(table, "state", costs="ill=10", **{**QUICK, "learners": ["Ridge"]})


def test_the_chosen_threshold_is_within_one_error_of_the_least_cost():
    draw = np.random.default_rng(1)
    for _ in range(20):
        p, y = draw.random(60).round(1), draw.integers(0, 2, 60)
        w = draw.integers(1, 4, 60).astype(float)
        chosen = chosen_threshold(p, y, w, DEAR)
        rows = {t: DEAR[(p > t).astype(int), y] for t in np.arange(-0.05, 1.1, 0.1)}
        least = min(rows, key=lambda t: np.average(rows[t], weights=w))
        mean = np.average(rows[least], weights=w)
        error = np.sqrt((w**2 * (rows[least] - mean) ** 2).sum()) / w.sum()
        got = np.average(DEAR[(p > chosen).astype(int), y], weights=w)
        assert got <= mean + error + 1e-9
    assert least_cost_threshold(DEAR) == pytest.approx(10 / 11)


def test_probabilities_that_are_too_sure_move_the_threshold():
    draw = np.random.default_rng(0)
    honest = draw.random(4000)
    y = (draw.random(4000) < honest).astype(int)
    near_one_half = 0.5 + 0.1 * (honest - 0.5)  # 10 / 11 becomes 0.541
    assert chosen_threshold(near_one_half, y, None, DEAR) == pytest.approx(0.541, abs=0.006)
    assert chosen_threshold(honest, y, None, DEAR) == pytest.approx(0.909)


def shared_of(table, y):
    features = hornbook.Frame(table.select("a", "b"))
    rows = np.arange(len(y))
    return TrainingData(features, Target(y, ("ill", "well")), rows, costs=DEAR)


def test_a_threshold_depends_on_training_rows_only():
    table = patients()
    y = (table["state"] == "well").to_numpy().astype(np.int64)
    rows = np.arange(100)
    other = np.where(np.arange(150) < 100, y, 1 - y)
    recipe = Recipe(hornbook.NaiveBayes(), seed=0)
    one, two = (recipe.fit(shared_of(table, labels), rows) for labels in (y, other))
    assert one.setting["threshold"] == two.setting["threshold"]
    assert one.model.threshold == one.setting["threshold"]
    shared = shared_of(table, y)
    plain = recipe.fit(replace(shared, costs=None), rows).model
    deciding = np.searchsorted(["ill", "well"], one.model.predict(shared.features))
    usual = np.searchsorted(["ill", "well"], plain.predict(shared.features))
    assert cost_risk(y, deciding, costs=DEAR) < cost_risk(y, usual, costs=DEAR)
    np.testing.assert_array_equal(
        one.model.predict_proba(shared.features), plain.predict_proba(shared.features)
    )


def test_a_study_shows_the_cost_beside_the_metric(tmp_path):
    study = hornbook.study(
        patients(), "state", costs="ill=10", out=tmp_path / "s", test=patients(60, 5), **QUICK
    )
    assert next(iter(study.beside)) == "cost_risk"
    assert study.beside["cost_risk"]["NaiveBayes"] < study.beside["cost_risk"]["Baseline"]
    assert {choice["setting"]["threshold"] for choice in study.learners[1].chosen}
    assert "threshold" in study.model_setting
    text = (tmp_path / "s" / "report.html").read_text()
    assert "Cost of a row" in text
    assert "ill is predicted from a probability of" in text
    assert any("costs: classes are predicted by a threshold" in note for note in study.notes)
    results = json.loads((tmp_path / "s" / "results.json").read_text())
    assert faults(results, schema()) == []
    tested = {score.measure: score for score in study.held_out.scores}
    model = hornbook.load(tmp_path / "s" / "model.hornbook")
    new = patients(60, 5)
    expected = cost_risk(new["state"], model.predict(new.select("a", "b")), costs=[[0, 1], [10, 0]])
    assert tested["cost_risk"].value == pytest.approx(expected)
    assert tested["cost_risk"].low <= expected <= tested["cost_risk"].high


def test_three_classes_are_decided_by_expected_cost_and_learners_without_probabilities_are_skipped():
    study = hornbook.study(
        "iris", costs="virginica>versicolor=20", **QUICK | {"learners": ["NaiveBayes", "LinearSVC"]}
    )
    assert [name for name, _ in study.skipped] == ["LinearSVC"]
    probabilities = study.predictions.answers["NaiveBayes"][0]
    costs = np.array([[0, 1, 1], [1, 0, 20], [1, 1, 0]])
    decided = (probabilities @ costs.T).argmin(axis=1)
    np.testing.assert_array_equal(study.predictions.decided["NaiveBayes"][0], decided)
