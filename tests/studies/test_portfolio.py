"""Which learners a study tries, and in which order."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.studies.tables import flowers, prepared

from hornbook.registry import LEARNERS
from hornbook.studies import Settings
from hornbook.studies.prepare._portfolio import (
    _default,
    _needs_no_arguments,
    candidates,
    count_for,
    learners_for,
)
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._records import Record


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_default_set_has_at_most_a_dozen_learners_and_two_of_a_family(task):
    tried = list(_default(task))
    assert tried[0] == "Baseline"
    assert 8 <= len(tried) <= 12
    boosting = f"HistGradientBoosting{'Classifier' if task == 'classification' else 'Regressor'}"
    assert boosting in tried
    trees = {name for name in tried if LEARNERS[name].module == "hornbook.ensembles"} - {boosting}
    families = Counter(LEARNERS[name].module for name in tried if name not in trees)
    assert max(families.values()) <= 2
    assert len(trees) <= 2
    assert all(_needs_no_arguments(name) for name in tried)


def test_pairs_of_many_columns_are_counted_only_when_asked_for():
    settings = Settings("t.csv", "y", "classification")
    taken, skipped = candidates(None, settings, weighted=False, n_columns=2000)
    assert "AODE" not in [candidate.name for candidate in taken]
    assert skipped == [
        ("AODE", "It would count 1,999,000 pairs of columns and hold up the others; by name it takes part.")
    ]
    assert candidates(None, settings, weighted=False, n_columns=300)[1] == []
    named = candidates(["AODE"], settings, weighted=False, n_columns=2000)
    assert ([candidate.name for candidate in named[0]], named[1]) == (["Baseline", "AODE"], [])


def test_learners_that_take_weights_take_part_where_rows_have_them():
    for task in ("classification", "regression"):
        taken, skipped = candidates(None, Settings("t.csv", "y", task), weighted=True)
        assert len(taken) >= 8
        assert skipped == []


def test_learners_that_answer_a_question_of_their_own_are_tried_only_when_asked_for():
    tried = set(_default("classification"))
    assert {"Baseline", "LogisticRegression", "NaiveBayes"} <= tried
    assert not tried & {name for name, entry in LEARNERS.items() if not entry.unasked}
    assert {"Memorizer", "OneVsOne", "UnderSampler"} & tried == set()


def test_all_others_take_part_by_name():
    every = learners_for("classification")
    assert {"Memorizer", "OneVsOne", "UnderSampler", "TAN", "RadiusNeighborsClassifier"} <= set(every)
    assert "Scaled" not in every  # it cannot be built by its name alone
    assert len(every) <= count_for("classification")
    sentence = f"learners: the default set of 10; learners= names others of the {count_for('classification')}"
    assert any(note.startswith(sentence) for note in prepared(flowers(), learners=None)[1])
    assert not [note for note in prepared(flowers())[1] if note.startswith("learners:")]
    taken = [candidate.name for candidate in prepared(flowers(), learners=["TAN"])[0].candidates]
    assert taken == ["Baseline", "TAN"]


def finished_in(names, seconds, workers, *, cv=4, repeats=1):
    """Time at which the last fold ends, and in which order folds begin, if fits take these seconds."""
    plan = Plan(names, cv, repeats, [], workers, None)
    now, order, running = 0.0, [], []
    while True:
        while len(running) < workers and (key := plan.next()) is not None:
            order.append(key)
            running.append((now + seconds[key[0]], key))
        if not running:
            return now, order
        running.sort()
        now, key = running.pop(0)
        plan.learn(Record(*key, "done", {}, fit_seconds=seconds[key[0]]))


def test_nobody_waits_for_the_last_fit_of_a_slow_learner():
    seconds = {"quick": 1.0, "also": 1.0, "slow": 8.0}
    alone = finished_in(list(seconds), seconds, 1)
    assert alone[0] == 40.0
    assert alone[1] == [(name, 0, fold) for fold in range(4) for name in seconds]
    ended, order = finished_in(list(seconds), seconds, 4, cv=10)
    assert ended <= 26.0  # 25 are needed at least; it was 29 with the slow one last in each fold
    assert len(set(order)) == len(order) == 30
    assert {key[2] for key in order[:3]} == {0}  # all learners do the first fold first
