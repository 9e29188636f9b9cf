"""A model file applied to new rows."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.cli.running import MELONS, data_of, done, process, refused, started

import hornbook
from hornbook.cli import _data

NEW = "sugar,shop,density,color\n0.4,north,0.7,green\n0.1,south,0.3,pale\n"


@pytest.fixture
def new(folder):
    Path("new.csv").write_text(NEW)
    return "new.csv"


def test_predictions_are_the_model_s_own(model, melons):
    done("predict", model, melons, "--out", "p.csv", "--proba")
    predictions = pl.read_csv("p.csv")
    table = hornbook.read(melons, target="ripe")
    fitted = hornbook.load(model)
    assert predictions.columns == ["row", "truth", "prediction", "p(no)", "p(yes)"]
    assert predictions["row"].to_list() == list(range(10))
    assert predictions["truth"].to_list() == table.y.tolist()
    assert predictions["prediction"].to_list() == fitted.predict(table).tolist()
    assert predictions["p(yes)"].to_list() == fitted.predict_proba(table)[:, 1].tolist()


def test_columns_are_found_by_name_and_what_was_done_is_said(model, new):
    result = done("predict", model, new)
    assert "ignored, because the model was not fitted on them: 'shop'." in result.stderr
    assert "the columns are reordered to match the model." in result.stderr
    rows = {"color": ["green", "pale"], "density": [0.7, 0.3], "sugar": [0.4, 0.1]}
    answers = hornbook.load(model).predict(rows)
    assert result.stdout == "row,prediction\n" + "".join(f"{i},{label}\n" for i, label in enumerate(answers))
    assert done("predict", model, new, "--quiet").stderr == ""


def test_columns_in_order_are_not_talked_about(model, melons):
    assert done("predict", model, melons).stderr == ""


def test_a_lacking_column_is_named_with_the_nearest(model, new):
    Path("new.csv").write_text(NEW.replace("density", "densty"))
    message = refused(1, "predict", model, new, "--out", "p.csv")
    assert message.startswith(
        "the data have no column 'density', which the model needs; they have 'sugar', 'shop'"
    )
    assert message.endswith("Did you mean 'densty'?")
    assert not Path("p.csv").exists()


def test_unknown_categories_are_warned_of_once(model, new):
    Path("new.csv").write_text(NEW.replace("pale", "blue"))
    stderr = done("predict", model, new).stderr
    assert stderr.count("warning: Categories that were not there at fit count as missing") == 1
    assert "site-packages" not in stderr
    assert ".py" not in stderr


def test_as_data(model, melons):
    predictions = data_of("predict", model, melons)
    assert predictions["rows"] == 10
    assert set(predictions) == {"rows", "row", "truth", "prediction"}
    assert data_of("predict", model, melons, "-o", "p.csv", "-q") == {"rows": 10, "predictions": "p.csv"}


def test_large_files_are_read_and_written_in_pieces(model, melons, monkeypatch):
    whole = done("predict", model, melons, "--proba").stdout
    monkeypatch.setattr(_data, "STREAMED_BYTES", 10)
    scan = hornbook.scan
    monkeypatch.setattr("hornbook.frame.scan", lambda path: scan(path, batch_rows=3))
    result = done("predict", model, melons, "--proba", "--verbose")
    assert "read in pieces melons.csv: CSV" in result.stderr
    assert result.stdout == whole


@pytest.mark.parametrize("fitted", ["file with header", "file without"])
def test_without_header_lines_columns_are_taken_in_their_order(folder, fitted):
    body = "1.5,2.5,7\n2.5,3.5,8\n3.5,4.5,7\n4.5,5.5,8\n"
    Path("train.csv").write_text(body if fitted == "file without" else f"a,b,t\n{body}")
    done("fit", "train.csv", "--learner", "NaiveBayes")
    Path("new.csv").write_text("1.5,2.5\n4.5,5.5\n")
    result = done("predict", "model.hornbook", "new.csv")
    assert result.stdout.splitlines()[0] == "row,prediction"
    assert len(result.stdout.splitlines()) == 3
    Path("wide.csv").write_text("1.5,2.5,3.5,4.5\n4.5,5.5,3.5,4.5\n")
    if fitted == "file with header":
        assert "the columns are matched by position" in result.stderr
        assert "the data have 4 columns and the model was fitted on 2" in refused(
            1, "predict", "model.hornbook", "wide.csv"
        )


def test_the_folder_of_a_study_stands_for_its_model(model, melons):
    Path("study").mkdir()
    assert "a folder without model.hornbook" in refused(1, "predict", "study", melons)
    Path(model).rename("study/model.hornbook")
    assert done("predict", "study", melons).stdout.startswith("row,truth,prediction\n")


def test_a_regression_gives_numbers_and_no_probabilities(melons):
    done("fit", melons, "--learner", "KNeighborsRegressor", "--target", "sugar", "--ignore", "ripe")
    predictions = data_of("predict", "model.hornbook", melons, "--quiet")
    assert all(isinstance(number, float) for number in predictions["prediction"])
    assert "has no probabilities: leave out --proba." in refused(
        1, "predict", "model.hornbook", melons, "--proba", "-q"
    )


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["none.hornbook", "melons.csv"], 1, "'none.hornbook' cannot be read: No such file or directory."),
        (["melons.csv", "melons.csv"], 1, "'melons.csv' cannot be loaded: "),
        (["ripe.hornbook", "none.csv"], 1, "There is no file 'none.csv'"),
        (["ripe.hornbook", "melons.csv", "-o", "p.xls"], 2, "predictions are written as CSV or Parquet;"),
        (["ripe.hornbook", "melons.csv", "-o", "no/p.csv"], 1, "'no/p.csv' cannot be written: No such file"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(model, words, code, message):
    assert message in refused(code, "predict", *words)


def test_a_full_disk_leaves_the_old_file_and_no_half_one(model, melons):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    Path("p.csv").write_text("old")
    Path("p.csv.part").symlink_to("/dev/full")
    assert refused(1, "predict", model, melons, "-o", "p.csv") == (
        "'p.csv' cannot be written: No space left on device; choose another place."
    )
    assert Path("p.csv").read_text() == "old"
    assert not Path("p.csv.part").is_symlink()


def test_a_reader_that_goes_away_ends_it_quietly(model, folder):
    lines = MELONS.splitlines(keepends=True)
    Path("many.csv").write_text(lines[0] + "".join(lines[1:]) * 20_000)
    with started("predict", model, "many.csv") as program:
        assert program.stdout.readline() == "row,truth,prediction\n"
        program.stdout.close()
        assert program.stderr.read() == ""
        assert program.wait() == 141


def test_results_and_words_go_separate_ways(model, new):
    result = process("predict", model, new)
    assert result.returncode == 0
    assert result.stdout.startswith("row,prediction\n")
    assert "ignored" not in result.stdout
    assert "ignored" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr
