"""Which learners a study tries."""

from __future__ import annotations

from tests.studies.tables import flowers, prepared

from hornbook.registry import LEARNERS
from hornbook.studies._portfolio import _all, only_when_asked


def test_learners_that_answer_a_question_of_their_own_are_tried_only_when_asked_for():
    tried = set(_all("classification"))
    assert {"Baseline", "LogisticRegression", "NaiveBayes"} <= tried
    assert not tried & {name for name, entry in LEARNERS.items() if not entry.unasked}
    assert {"Memorizer", "OneVsOne", "UnderSampler"} & tried == set()


def test_those_are_said():
    others = only_when_asked("classification")
    assert {"Memorizer", "OneVsOne", "UnderSampler"} <= set(others)
    assert "Scaled" not in others  # it cannot be built by its name alone
    told = f"learners: all that make sense by themselves; learners= also takes {', '.join(others)}"
    assert told in prepared(flowers(), learners=None)[1]
    assert not [note for note in prepared(flowers())[1] if note.startswith("learners:")]
