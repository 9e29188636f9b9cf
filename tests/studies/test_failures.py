"""Learners that raise, hang, crash, print or exit: shown with their sentence, and nobody else suffers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.studies.estimators import Odd
from tests.studies.tables import flowers

import hornbook
from hornbook.studies import StudyError


@pytest.mark.slow
def test_the_others_do_not_suffer(tmp_path):
    marks = tmp_path / "marks"
    learners = {
        "raises": Odd("raise", marks=str(marks)),
        "crashes": Odd("crash"),
        "exits": Odd("exit"),
        "prints": Odd("print"),
        "wants a file": Odd("file"),
        "hangs": Odd("hang"),
    }
    events = []
    study = hornbook.study(
        flowers(), learners=learners, cv=3, repeats=1, jobs=2, time_limit=1.5, progress=events.append
    )
    errors = {info.name: info.error for info in study.learners if info.failed}
    assert errors == {
        "raises": "ValueError: these rows are not to my taste",
        "crashes": "it crashed its process (SIGSEGV): leave it out",
        "exits": "its process ended with code 3: so long",
        "wants a file": "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/at/all'",
        "hangs": "it took longer than the time limit of 1.5 s for one fit: raise it with time_limit=, or "
        "leave the learner out",
    }
    assert {info.name: info.done for info in study.learners if not info.failed} == {
        "Baseline": 3,
        "prints": 3,
    }
    assert "are not ranked" in study.verdict.sentence
    assert (study.done, study.total) == (11, 11)
    failed = [event.text for event in events if event.kind == "failed"]
    assert "raises failed and is not fitted in further folds: ValueError: these rows are" in " ".join(failed)
    assert 1 <= marks.read_text().count("fit") <= 2  # the second fold may have begun before the first failed


def test_a_learner_that_cannot_learn_from_all_rows_has_a_report_and_no_model(tmp_path, monkeypatch):
    monkeypatch.setattr("hornbook.studies.prepare._portfolio._is_baseline", lambda _: True)  # leave it out
    (tmp_path / "s").mkdir()
    options = {"learners": {"shy": Odd("few")}, "cv": 3, "repeats": 1, "jobs": 1, "out": tmp_path / "s"}
    study = hornbook.study(flowers(), **options)
    note = "model: none, because shy could not be fitted to all rows: ValueError: too many rows for me"
    assert note in study.notes
    assert (study.recommended, study.model, study.done) == ("shy", None, 3)
    report = (tmp_path / "s" / "report.html").read_text()
    assert note in report
    assert "none, because no model was fitted to all rows" in report
    assert not (tmp_path / "s" / "model.hornbook").exists()


def test_no_learner_at_all_can_be_fitted(monkeypatch):
    monkeypatch.setattr("hornbook.studies.prepare._portfolio._is_baseline", lambda _: True)  # leave it out
    study = hornbook.study(flowers(), learners={"raises": Odd("raise")}, cv=3, repeats=1, jobs=1)
    assert study.verdict is None
    assert study.sentence == "No learner could be fitted. raises: ValueError: these rows are not to my taste."
    assert study.model is None
    assert study.to_dict()["verdict"] is None
    assert "No learner could be fitted" in str(study)


def test_a_class_of_a_single_row_does_not_stop_anybody():
    table = flowers()
    table["kind"][0] = "odd"
    study = hornbook.study(table, learners=["NaiveBayes"], cv=3, repeats=1, jobs=1)
    assert [info.done for info in study.learners] == [3, 3]
    assert np.isfinite(study.scores.values).all()


def test_a_process_that_does_not_start_is_one_sentence(monkeypatch):
    monkeypatch.setattr("hornbook.studies.run._worker_pool.sys.executable", "/bin/false")
    with pytest.raises(StudyError, match="a worker process could not be started: it ended with"):
        hornbook.study(flowers(), learners=["NaiveBayes"], cv=2, repeats=1, jobs=1)
