"""``hornbook explain``, ``predict --explain`` and ``report``."""

from __future__ import annotations

import json

import pytest
from tests.cli.running import MELONS, data_of, done, refused

import hornbook


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    (folder / "melons.csv").write_text(MELONS)
    done("fit", folder / "melons.csv", "--learner", "NaiveBayes", "--out", folder / "m.hornbook")
    return folder


def test_a_row_is_explained_by_the_working_of_the_model(place):
    model, rows = hornbook.load(place / "m.hornbook"), hornbook.read(place / "melons.csv", target="ripe")
    result = done("explain", place / "m.hornbook", place / "melons.csv", "--row", 7)
    assert result.stdout == f"row 7\n{model.working(rows.features[7:8])}\n"
    first = done("explain", place / "m.hornbook", place / "melons.csv")
    assert first.stdout.startswith("row 0\n")
    both = data_of("explain", place / "m.hornbook", place / "melons.csv", "--row", 2, "--row", 1)
    assert [row["row"] for row in both["rows"]] == [2, 1]


def test_a_row_that_does_not_exist_is_refused(place):
    words = refused(1, "explain", place / "m.hornbook", place / "melons.csv", "--row", 10)
    assert words == f"there is no row 10: '{place / 'melons.csv'}' has 10 rows, counted from 0."


def test_predictions_come_with_workings_on_the_other_stream(place):
    plain = done("predict", place / "m.hornbook", place / "melons.csv")
    result = done("predict", place / "m.hornbook", place / "melons.csv", "--explain")
    assert result.stdout == plain.stdout
    assert [f"row {i}:" in result.stderr for i in range(4)] == [True, True, True, False]
    one = done("predict", place / "m.hornbook", place / "melons.csv", "--explain", 1)
    assert ["row 0:" in one.stderr, "row 1:" in one.stderr] == [True, False]


def test_a_report_is_made_again_from_the_folder(place):
    folder = place / "study"
    settings = ("--cv", 2, "--repeats", 1, "--jobs", 1, "--tune", "off", "--learners", "NaiveBayes")
    done("study", place / "melons.csv", "--target", "ripe", *settings, "--out", folder)
    before = json.loads((folder / "results.json").read_text())
    lines = (folder / "records.jsonl").read_text()
    (folder / "report.html").unlink()
    result = done("report", folder)
    assert before["sentence"] in result.stdout
    assert (folder / "report.html").exists()
    assert (folder / "records.jsonl").read_text() == lines  # nothing was fitted in the folds again
    after = json.loads((folder / "results.json").read_text())
    assert after["verdict"] == before["verdict"]
    (place / "melons.csv").rename(place / "gone.csv")
    try:
        assert "melons.csv" in refused(1, "report", folder)
    finally:
        (place / "gone.csv").rename(place / "melons.csv")


def test_a_folder_without_a_study_is_refused(place):
    assert "is not the folder of a study" in refused(1, "report", place)
