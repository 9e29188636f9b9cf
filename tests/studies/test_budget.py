"""What a budget of time allows, and what is said when it allows nothing."""

from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers
from tests.studies.test_tuning import shared_of

import hornbook
from hornbook.studies import Settings, StudyError, for_shell
from hornbook.studies.run._forecast import LEAST, CostTask, extrapolated, sample_sizes
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._recipe import Recipe
from hornbook.studies.run._records import Record

SECONDS = {"Baseline": 0.0, "quick": 1.0, "slow": 60.0}


def after_one_fold(budget, *, failed=()):
    plan = Plan(list(SECONDS), 10, 3, [], 1, budget)
    for name, seconds in SECONDS.items():
        kind = "error" if name in failed else "done"
        plan.learn(Record(name, 0, 0, kind, {}, fit_seconds=seconds))
    return plan


def economized(budget, spent, **options):
    plan, notes = after_one_fold(budget, **options), []
    return plan, plan.economize(budget - spent, "Baseline", notes.append), notes


def test_repeats_go_first_and_then_the_slowest():
    plan, out, notes = economized(100.0, 61.0)
    assert (plan.repeats, plan.names) == (1, ["Baseline", "quick"])
    # Nine folds of a minute each are left.
    assert out == {"slow": "Its folds would take about 9 min 0 s, which the budget does not allow."}
    assert len(notes) == 2
    # Of three repeats 29 folds are left, in each of which all learners take 61 s.
    assert notes[0].startswith("budget: the remaining folds would take about 29 min 29 s, and 39 s are left;")
    assert notes[0].endswith("; repeats are reduced from 3 to 1")
    assert notes[1] == "budget: slow is left out, because its folds would take about 9 min 0 s"


@pytest.mark.parametrize("budget", [1.0, 62.0, 69.9])
def test_a_budget_for_no_learner_says_what_it_would_need(budget):
    with pytest.raises(StudyError, match="is too small to compare any learner with Baseline") as raised:
        economized(budget, 61.0)
    # 61 s were spent; one repeat needs 9 more folds of each.
    assert "one repeat of 10 folds would need about 1 min 10 s with quick alone" in str(raised.value)
    assert "and 10 min 10 s with all 2 learners; raise budget=" in str(raised.value)
    assert "raise --budget" in for_shell(str(raised.value))  # as the program says it


def test_what_it_would_need_is_enough():
    plan, _, _ = economized(70.1, 61.0)
    assert plan.names == ["Baseline", "quick"]


def test_learners_that_fail_do_not_count_as_fast():
    plan, out, _ = economized(640.0, 61.0, failed=("quick",))
    assert out == {}
    assert plan.repeats == 1
    with pytest.raises(ValueError, match="with slow alone"):
        economized(100.0, 61.0, failed=("quick",))


@pytest.mark.slow
def test_finished_folds_are_there_when_the_budget_is_raised(tmp_path):
    learners, table = {"odd": Odd(seconds=0.3)}, flowers()
    settings = {"learners": learners, "cv": 5, "repeats": 1, "jobs": 1, "out": tmp_path / "study"}
    with pytest.raises(ValueError, match=r"The budget of 100 ms is too small .* with odd alone"):
        hornbook.study(table, budget=0.1, **settings)
    study = hornbook.study(table, budget=300.0, **settings)
    assert any(note.startswith("records: 2 folds were finished earlier") for note in study.notes)
    assert [info.name for info in study.learners] == ["Baseline", "odd"]


def test_forecasts_leave_out_learners_before_they_are_fitted():
    plan = Plan(list(SECONDS), 10, 3, [], 1, 100.0)
    assert plan.seconds_left is None
    assert not plan.expected
    plan.expect(SECONDS)
    assert plan.expected
    assert plan.seconds_left == 30 * 61.0
    assert plan.next() == ("slow", 0, 0)  # the slowest first
    notes = []
    out = plan.economize(100.0, "Baseline", notes.append)
    assert list(out) == ["slow"]
    assert plan.decisions == ("repeats=1", "without=slow")
    plan.learn(Record("quick", 0, 0, "done", {}, fit_seconds=3.0))
    assert plan.seconds("quick") == 3.0  # what was measured counts more than what was expected


def test_a_budget_that_forecasts_exceed_is_refused_at_once():
    plan = Plan(list(SECONDS), 10, 3, [], 1, 5.0)
    plan.expect(SECONDS)
    with pytest.raises(StudyError, match="one repeat of 10 folds would need about 10 s with quick alone"):
        plan.economize(5.0, "Baseline", str)


def test_a_plan_is_followed_whatever_the_time():
    plan = Plan(list(SECONDS), 10, 3, [], 1, None)
    out = plan.follow(["repeats=2", "without=slow", "without=closer look"], "Baseline")
    assert out == {"slow": "The plan leaves it out."}
    assert (plan.names, plan.repeats, plan.total) == (["Baseline", "quick"], 2, 40)
    assert plan.decisions == ("repeats=2", "without=slow", "without=closer look")


@pytest.mark.parametrize("wrong", ["repeats=0", "repeats=many", "without=", "without=Baseline", "faster"])
def test_a_plan_that_means_nothing_is_refused(wrong):
    with pytest.raises(ValueError, match="it consists of repeats=NUMBER, without=LEARNER"):
        hornbook.study("iris", learners=["NaiveBayes"], plan=[wrong])


def test_samples_grow_up_to_an_eighth_of_the_rows():
    assert sample_sizes(LEAST - 1) == []
    sizes = sample_sizes(900_000)
    assert sizes[-1] == 112_500
    assert all(later // 2 == earlier for earlier, later in pairwise(sizes))
    # Of a fit whose time is quadratic in the number of rows.
    assert extrapolated(sizes, [(size / 1e4) ** 2 for size in sizes], 900_000) == pytest.approx(
        90.0**2, rel=1e-3
    )
    assert extrapolated([10, 20], [1e-9, 1.0], 40) == pytest.approx(2**2.5)  # not faster than any fit grows


@pytest.mark.slow
def test_a_large_table_is_planned_from_samples_and_the_plan_gives_the_same_study(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    X = random.normal(size=(60_000, 12))
    table = tmp_path / "table.csv"
    columns = {f"x{j}": X[:, j] for j in range(12)}
    pl.DataFrame(columns | {"y": np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")}).write_csv(table)
    asked = {"learners": ["NaiveBayes", "RandomForestClassifier"], "tune": "off", "jobs": 1, "repeats": 3}
    forecast = {"Baseline": 0.01, "NaiveBayes": 0.1, "RandomForestClassifier": 500.0}
    expect = Plan.expect
    with monkeypatch.context() as patched:
        # What is measured here differs from run to run.
        patched.setattr(Plan, "expect", lambda plan, seconds: expect(plan, {**seconds, **forecast}))
        first = hornbook.study(table, "y", budget=300.0, out=tmp_path / "first", **asked)
    settings = Settings.from_toml(tmp_path / "first" / "config.toml")
    assert settings.plan[:2] == ("repeats=1", "without=RandomForestClassifier")
    assert [info.name for info in first.learners] == ["Baseline", "NaiveBayes"]
    words = shlex.split(first.command)
    assert [words[i + 1] for i, word in enumerate(words) if word == "--plan"] == list(settings.plan)

    def never(*_: object) -> None:
        raise AssertionError("the time was looked at")

    with monkeypatch.context() as patched:
        patched.setattr(Plan, "economize", never)
        again = hornbook.study(table, "y", budget=300.0, plan=settings.plan, out=tmp_path / "again", **asked)
    assert again.settings.plan == first.settings.plan
    np.testing.assert_array_equal(again.scores.values, first.scores.values)
    assert again.verdict.to_dict()["standings"][0]["name"] == first.verdict.best
    assert Path(tmp_path, "again", "report.html").exists()
    with pytest.raises(ValueError, match=r"budget of 1 ms is too small .* would need about"):
        hornbook.study(table, "y", budget=0.001, **asked)


class Timed(CostTask):
    """Fits that take the square of the rows, in units of ten thousand; the first one imports modules."""

    def _seconds(self, shared, train, test):
        fits = self.recipe.learner.fits
        fits.append((len(train), len(test)))
        return (len(train) / 1e4) ** 2 + 0.2 * (len(fits) == 1)


@pytest.mark.parametrize(("most", "sizes"), [(60.0, 2), (0.1, 1)])
def test_a_forecast_comes_from_the_fastest_fits_to_growing_samples(most, sizes):
    n_rows = LEAST + 8_000
    X = np.random.default_rng(0).normal(size=(n_rows, 2))
    shared = shared_of(hornbook.Frame({"a": X[:, 0], "b": X[:, 1], "y": X[:, 0] > 0}, target="y"))
    shared = replace(shared, folds=np.arange(n_rows)[None] % 10)
    learner = hornbook.NaiveBayes()
    learner.fits = []
    seconds = Timed(Recipe(learner), "log_loss", most, 0).run(shared)
    fitted = list(dict.fromkeys(learner.fits))
    assert [train for train, _ in fitted] == sample_sizes(n_rows * 9 // 10)[:sizes]
    assert all(abs(test - train / 9) <= 1 for train, test in fitted)
    assert all(learner.fits.count(one) == 3 for one in fitted)
    whole = n_rows * 0.9 / 1e4
    # Of one sample, times are taken to grow with the rows.
    assert seconds == pytest.approx(whole**2 if sizes == 2 else fitted[0][0] / 1e4 * whole, rel=1e-3)


def test_a_cost_task_times_a_learner():
    n_rows = LEAST + 8_000
    X = np.random.default_rng(0).normal(size=(n_rows, 2))
    shared = shared_of(hornbook.Frame({"a": X[:, 0], "b": X[:, 1], "y": X[:, 0] > 0}, target="y"))
    shared = replace(shared, folds=np.arange(n_rows)[None] % 10)
    assert 0 < CostTask(Recipe(hornbook.NaiveBayes()), "log_loss", 30.0, 0).run(shared) < 600
