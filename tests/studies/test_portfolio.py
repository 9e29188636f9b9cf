"""Which learners a study tries, and in which order."""

from __future__ import annotations

from tests.studies.tables import flowers, prepared

from hornbook.registry import LEARNERS
from hornbook.studies.prepare._portfolio import _all, only_when_asked
from hornbook.studies.run._plan import Plan
from hornbook.studies.run._records import Record


def test_learners_that_answer_a_question_of_their_own_are_tried_only_when_asked_for():
    tried = set(_all("classification"))
    assert {"Baseline", "LogisticRegression", "NaiveBayes"} <= tried
    assert not tried & {name for name, entry in LEARNERS.items() if not entry.unasked}
    assert {"Memorizer", "OneVsOne", "UnderSampler"} & tried == set()


def test_those_are_said():
    others = only_when_asked("classification")
    assert {"Memorizer", "OneVsOne", "UnderSampler"} <= set(others)
    assert "Scaled" not in others  # it cannot be built by its name alone
    sentence = f"learners: the default set; learners= also accepts {', '.join(others)}"
    assert sentence in prepared(flowers(), learners=None)[1]
    assert not [note for note in prepared(flowers())[1] if note.startswith("learners:")]


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
