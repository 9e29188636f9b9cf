"""What a budget of time allows, and what is said when it allows nothing."""

from __future__ import annotations

import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers

import hornbook
from hornbook.studies import StudyError, for_shell
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._records import Record

SECONDS = {"Baseline": 0.0, "quick": 1.0, "slow": 60.0}


def after_one_fold(budget, *, failed=()):
    plan = Plan(list(SECONDS), 10, 3, [], 1, budget)
    for name, seconds in SECONDS.items():
        kind = "error" if name in failed else "done"
        plan.learn(Record(name, 0, 0, kind, {}, fit_seconds=seconds))
    return plan


def economized(budget, spent, **options):
    plan, said = after_one_fold(budget, **options), []
    return plan, plan.economize(budget - spent, "Baseline", said.append), said


def test_repeats_go_first_and_then_the_slowest():
    plan, out, said = economized(100.0, 61.0)
    assert (plan.repeats, plan.names) == (1, ["Baseline", "quick"])
    # Nine folds of a minute each are left.
    assert out == {"slow": "Its folds would take about 9 min 0 s, which the budget does not allow."}
    assert len(said) == 2
    # Of three repeats 29 folds are left, in each of which all learners take 61 s.
    assert said[0].startswith("budget: the remaining folds would take about 29 min 29 s, and 39 s are left;")
    assert said[0].endswith("; repeats are reduced from 3 to 1")
    assert said[1] == "budget: slow is left out, because its folds would take about 9 min 0 s"


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
