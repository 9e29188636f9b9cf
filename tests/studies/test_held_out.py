"""Studies with a test table: the recommended model is tested on rows that nothing else has seen."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from tests.studies.tables import flowers, prepared, trend

import hornbook
from hornbook.frame import Frame
from hornbook.studies import StudyError
from hornbook.studies.run._held_out_test import HeldOutTask, held_out_scores

COLORS = ["red", "blue", "green"]
FAST = {"cv": 3, "repeats": 1, "jobs": 1, "tune": "off"}


def part(table, rows):
    """Some rows of a table."""
    return {name: [values[k] for k in rows] for name, values in table.items()}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study of 90 rows with 30 test rows in a file, in another order of columns."""
    folder = tmp_path_factory.mktemp("test")
    table = flowers(120, color=[COLORS[k % 3] for k in range(120)])
    pl.DataFrame(part(table, range(90))).write_csv(folder / "data.csv")
    later = pl.DataFrame(part(table, range(90, 120)))
    later.select(later.columns[::-1]).write_csv(folder / "later.csv")
    study = hornbook.study(
        folder / "data.csv",
        "kind",
        learners=["NaiveBayes"],
        test=folder / "later.csv",
        out=folder / "study",
        **FAST,
    )
    return study, folder, table


def test_the_model_is_tested_on_the_held_out_rows(kept):
    study, _, table = kept
    test = Frame(part({name: table[name] for name in ("length", "width", "color")}, range(90, 120)))
    truth = np.array([table["kind"][k] for k in range(90, 120)], dtype=object)
    scores = {score.measure: score for score in study.held_out.scores}
    p = study.model.predict_proba(test)
    at = [list(study.model.classes_).index(label) for label in truth]
    assert scores["log_loss"].value == pytest.approx(-np.log(p[np.arange(30), at]).mean())
    right = (study.model.predict(test) == truth).mean()
    assert scores["accuracy"].value == pytest.approx(right)
    wilson = hornbook.evaluation.proportion_interval(round(30 * right), 30)
    assert (scores["accuracy"].low, scores["accuracy"].high) == pytest.approx((wilson.low, wilson.high))
    assert scores["log_loss"].low < scores["log_loss"].value < scores["log_loss"].high
    assert scores["log_loss"].baseline == pytest.approx(np.log(2))
    assert study.held_out.scores[0].measure == "log_loss"
    assert (study.held_out.data, study.held_out.n_rows, study.held_out.seen) == ("later.csv", 30, 0)


def test_the_folds_do_not_know_of_the_test_table(kept):
    study, folder, _ = kept
    alone = hornbook.study(folder / "data.csv", "kind", learners=["NaiveBayes"], **FAST)
    assert alone.scores.values.tolist() == study.scores.values.tolist()
    assert alone.held_out is None
    assert alone.n_rows == study.n_rows == 90


def test_all_outputs_tell_of_it(kept):
    study, folder, _ = kept
    assert "test: log_loss" in str(study)
    assert "on 30 rows of later.csv" in str(study)
    results = json.loads((folder / "study" / "results.json").read_text())
    assert results["held_out"] == study.held_out.to_dict() | {
        "scores": [vars(score) for score in study.held_out.scores]
    }
    page = (folder / "study" / "report.html").read_text()
    assert 'id="test"' in page
    assert "log_loss on the test table" in page
    assert f"--test {folder / 'later.csv'}" in study.command
    assert 'test = "' in (folder / "study" / "config.toml").read_text()


def test_a_finished_study_can_be_tested_later(kept, tmp_path):
    _, folder, table = kept
    other = {"learners": ["NaiveBayes"], "out": tmp_path / "s", **FAST}
    hornbook.study(folder / "data.csv", "kind", **other)
    study = hornbook.study(folder / "data.csv", "kind", test=Frame(part(table, range(90, 120))), **other)
    assert any(note.startswith("records: 6 folds were finished earlier") for note in study.notes)
    assert study.held_out.data == "a table in memory"
    assert study.command == ""


def test_numbers_and_weights():
    table = trend(80, w=np.arange(80) % 3 + 1.0)
    study = hornbook.study(
        part(table, range(60)),
        "y",
        weight="w",
        test=part(table, range(60, 80)),
        learners=["LinearRegression"],
        **FAST,
    )
    X = Frame(part({name: table[name] for name in ("x", "z")}, range(60, 80)))
    y, w = (np.array(table[name])[60:] for name in ("y", "w"))
    error = np.sqrt(np.average((study.model.predict(X) - y) ** 2, weights=w))
    assert study.held_out.scores[0].measure == "rmse"
    assert study.held_out.scores[0].value == pytest.approx(error)
    assert study.held_out.scores[0].baseline > error


def test_what_is_odd_in_the_test_table_is_said():
    table = flowers(60, color=[COLORS[k // 2 % 2] for k in range(60)], day=list(range(60)))
    test = part(table, range(50, 60)) | {"color": ["green"] * 4 + ["red"] * 6}
    test["kind"] = ["wild"] * 9 + ["lost"]
    ready, notes = prepared(table, target="kind", time="day", test=Frame(test))
    assert "test: 'kind' has the classes 'lost' only here, and no learner can predict them" in notes
    assert sum("green" in note for note in notes) == 1
    assert "test: 10 rows, held out until the model is chosen" in notes
    assert "test: 10 of these rows are not later than the last one of the study" in notes
    levels = ready.training.features.schema.columns[2].levels
    assert ready.held_out.features.column("color").tolist() == [-1] * 4 + [levels.index("red")] * 6
    fitted = hornbook.NaiveBayes().fit(ready.training.features, ready.training.target.labels)
    predicted = HeldOutTask(fitted, ready.held_out).run(ready.training)
    assert predicted.classes == ("tame", "wild", "lost")
    assert predicted.probabilities[:, 2].tolist() == [0.0] * 10
    scores = held_out_scores(ready, predicted, predicted, notes.append)
    right = (predicted.labels[:9] == "wild").sum() / 10
    assert next(s.value for s in scores.scores if s.measure == "accuracy") == pytest.approx(right)


def test_rows_that_were_seen_are_counted():
    table = flowers(60, color=[COLORS[k % 3] for k in range(60)])
    ready, notes = prepared(table, target="kind", test=Frame(part(table, range(7))))
    assert ready.held_out.seen == 7
    assert any("7 of these rows are in the table of the study, too" in note for note in notes)
    other = part(table, range(7)) | {"kind": ["wild", "tame"] * 3 + ["wild"]}
    same = sum(a == b for a, b in zip(other["kind"], table["kind"], strict=False))
    assert prepared(table, target="kind", test=Frame(other))[0].held_out.seen == same


def test_rows_without_a_target_are_left_out_as_requested():
    test = part(flowers(), range(6)) | {"kind": [None, *["wild"] * 5]}
    ready, _ = prepared(flowers(), target="kind", drop_missing_target=True, test=Frame(test))
    assert len(ready.held_out.truth) == len(ready.held_out.features) == 5


@pytest.mark.parametrize(
    ("change", "settings", "message"),
    [
        ({"width": None}, {}, "the test table has no column 'width', which this study uses: add it."),
        ({"kind": None}, {}, "the test table has no column 'kind', which this study uses: add it."),
        ({"width": ["wide"] * 6}, {}, "the test table does not match: "),
        ({"kind": [None, *["wild"] * 5]}, {}, "is missing in 1 of 6 rows of the test table"),
        ({}, {"test": "nowhere.csv"}, "there is no file and no data set 'nowhere.csv'"),
        ({}, {"test": ""}, "the test table of this study was in memory: pass it with test=."),
    ],
)
def test_tables_that_cannot_be_tested_on(change, settings, message):
    table = flowers()
    test = {name: values for name, values in (part(table, range(6)) | change).items() if values is not None}
    with pytest.raises(StudyError) as error:
        prepared(table, **{"target": "kind", "test": Frame(test), **settings})
    assert message in str(error.value)


def test_clusterings_have_no_test_table():
    with pytest.raises(StudyError, match="test= has no meaning for task='clustering': leave it out"):
        hornbook.study(flowers(), task="clustering", test=flowers())
