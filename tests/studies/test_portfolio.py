"""Which learners a study tries."""

from __future__ import annotations

from hornbook.registry import LEARNERS
from hornbook.studies._portfolio import _all


def test_learners_that_answer_a_question_of_their_own_are_tried_only_when_asked_for():
    tried = set(_all("classification"))
    assert {"Baseline", "LogisticRegression", "NaiveBayes"} <= tried
    assert not tried & {name for name, entry in LEARNERS.items() if not entry.unasked}
    assert {"Memorizer", "OneVsOne", "UnderSampler"} & tried == set()
