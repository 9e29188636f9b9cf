"""Races in studies: who is stopped, what is not fitted, and that nothing else changes."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers, trend

import hornbook
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._records import Record

NAMES = ["LinearRegression", "KNeighborsRegressor", "DecisionTreeRegressor"]
SETTINGS = {"learners": NAMES, "cv": 10, "repeats": 2, "tune": "off"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("race") / "study"


@pytest.fixture(scope="module")
def study(folder):
    return hornbook.study(trend(400), out=folder, jobs=1, **SETTINGS)


@pytest.fixture(scope="module")
def whole():
    return hornbook.study(trend(400), race=False, jobs=1, **SETTINGS)


def test_stopped_learners_are_worse_and_not_fitted_again(study, whole, folder):
    standings = {s.name: s for s in study.verdict.standings}
    stopped = [name for name, s in standings.items() if s.folds is not None]
    assert "DecisionTreeRegressor" in stopped
    assert "LinearRegression" not in stopped
    assert all(standings[name].status == "worse" for name in stopped)
    infos = {info.name: info for info in study.learners}
    assert all(infos[name].done == standings[name].folds in (5, 10) for name in stopped)
    assert infos["LinearRegression"].done == infos["Baseline"].done == 20
    assert study.total == study.done == sum(info.done for info in study.learners) < 80
    notes = [note for note in study.notes if note.startswith("race: ")]
    assert len(notes) == len(stopped)
    folds = standings["DecisionTreeRegressor"].folds
    expected = f"race: DecisionTreeRegressor is stopped after {folds} folds, worse than LinearRegression"
    assert expected in notes
    lines = pl.read_csv(folder / "scores.csv", infer_schema_length=None)
    assert lines.filter(pl.col("learner") == "DecisionTreeRegressor")["score"].drop_nulls().len() == folds
    kept = json.loads((folder / "results.json").read_text())
    assert {s["name"]: s["folds"] for s in kept["verdict"]["standings"]}["DecisionTreeRegressor"] == folds
    assert f"stopped after {folds} folds" in (folder / "report.html").read_text()
    assert study.verdict.corrected is not None
    assert study.verdict.corrected.estimate == pytest.approx(whole.verdict.corrected.estimate, rel=0.05)
    assert whole.total == 80
    assert whole.verdict.recommended == study.verdict.recommended
    place = study.scores.names.index("LinearRegression")
    assert study.scores.values[place].tolist() == whole.scores.values[place].tolist()


def test_the_race_does_not_depend_on_processes_or_interruptions(study, folder):
    two = hornbook.study(trend(400), jobs=2, **SETTINGS)
    again = hornbook.study(trend(400), out=folder, jobs=1, **SETTINGS)
    for other in (two, again):
        assert other.verdict.to_dict()["standings"][0]["name"] == study.verdict.best
        assert [(s.name, s.status, s.folds) for s in other.verdict.standings] == [
            (s.name, s.status, s.folds) for s in study.verdict.standings
        ]
        np.testing.assert_array_equal(other.scores.values, study.scores.values)
    assert any("were finished earlier" in note for note in again.notes)


def test_a_stopped_learner_without_probabilities_takes_no_part_in_the_correction():
    learners = {"ours": hornbook.NaiveBayes(), "odd": Odd()}
    study = hornbook.study(flowers(), learners=learners, cv=4, repeats=3, jobs=1)
    assert [s.name for s in study.verdict.standings if s.folds is not None] == ["odd"]
    assert set(study.verdict.scores.out_of_fold.answers) == {"Baseline", "ours"}
    assert study.verdict.corrected is not None


def test_a_plan_leaves_out_what_is_stopped():
    plan = Plan(["a", "b"], 2, 3, [], 1, None)
    for _ in range(4):
        plan.learn(Record(*plan.next(), "done", {}))
    assert plan.reached(2)
    assert not plan.reached(3)
    plan.stop("b", 2)
    left = []
    while (key := plan.next()) is not None:
        left.append(key)
        plan.learn(Record(*key, "done", {}))
    assert left == [("a", 1, 0), ("a", 1, 1), ("a", 2, 0), ("a", 2, 1)]
    assert (plan.done, plan.total) == (8, 8)
    plan.learn(Record("b", 1, 0, "done", {}))  # was running when the race was decided
    assert ("b", 1, 0) not in plan.counted
    assert (plan.done, plan.total) == (8, 8)
