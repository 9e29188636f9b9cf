"""What is in a model file, the folder of a study, or a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.running import data_of, done, refused

import hornbook
from hornbook.persist import inspect_file

RESULTS = {
    "schema": 1,
    "sentence": "NaiveBayes has the best log_loss.",
    "settings": {"data": "melons.csv", "target": "ripe", "cv": 10, "repeats": 3, "seed": 0},
    "task": "classification",
    "n_rows": 10,
    "n_columns": 3,
    "done": 60,
    "total": 60,
    "ended": "2024-01-01T00:00:00",
}


def test_a_model_file(model):
    result = done("inspect", model)
    description = hornbook.load(model).describe()
    assert result.stdout == f"{inspect_file(model)}\n\n{description}\n"
    assert "the model loads and reproduces its recorded predictions." in result.stderr
    info = data_of("inspect", model)
    assert (info["learner"], info["target"]) == ("NaiveBayes", "ripe")
    assert info["description"] == description.to_dict()


def test_a_model_file_is_known_by_what_is_in_it(model):
    Path(model).rename("model.bin")
    assert done("inspect", "model.bin").stdout.startswith("NaiveBayes in model.bin\n")


def test_a_table(melons):
    result = done("inspect", melons, "--target", "ripe")
    assert result.stdout.startswith("melons.csv: CSV, encoding utf-8 (guessed), delimiter ','")
    assert "10 rows, 4 columns" in result.stdout
    assert result.stdout.endswith("task: binary\n")
    profile = data_of("inspect", melons)
    assert (profile["n_rows"], profile["task"]) == (10, None)
    assert [column["name"] for column in profile["columns"]] == ["color", "density", "sugar", "ripe"]


def test_dates_of_a_table_are_dates(tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("day,sales\n2024-01-05,1\n2024-01-05,2\n2024-03-01,3\n")
    assert "2024-01-05 to 2024-03-01, median 2024-01-05" in done("inspect", str(path)).stdout


def test_a_data_set():
    assert data_of("inspect", "iris")["task"] == "multiclass"
    assert done("inspect", "iris").stdout.startswith("150 rows, 5 columns\n")


def test_the_folder_of_a_study(folder):
    Path("run").mkdir()
    Path("run", "results.json").write_text(json.dumps(RESULTS))
    Path("run", "report.html").touch()
    shown = done("inspect", "run").stdout
    assert shown.startswith("NaiveBayes has the best log_loss.\n\ndata: melons.csv, 10 rows, 3 columns\n")
    assert shown.endswith("\n\nreport.html: run/report.html\n")
    assert data_of("inspect", "run") == RESULTS


def test_a_study_is_shown_with_its_picture_and_its_evidence(melons):
    options = ("--learners", "NaiveBayes", "--cv", "2", "--repeats", "2", "--out", "run", "-q")
    done("study", melons, "--target", "ripe", *options)
    results = json.loads(Path("run", "results.json").read_text())
    lines = done("inspect", "run").stdout.splitlines()
    standings = results["verdict"]["standings"]
    first = lines.index("log_loss, smaller is better; 95 % intervals over 4 folds") + 1
    picture = lines[first : first + len(standings)]
    for line, standing in zip(picture, standings, strict=True):
        name, mean, drawn = line.split(maxsplit=2)
        assert name == standing["name"]
        assert float(mean) == pytest.approx(standing["mean"]["estimate"], rel=5e-3)
        assert {"best": "●", "tied best": "●", "too noisy to rank": "○", "worse": "·"}[
            standing["status"]
        ] in drawn
    figures = results["evidence"]["headline"]["figures"]
    assert all(f"{one['name']}: {one['value']}, {one['beside']}" in lines for one in figures)
    parts = ("Confusion: truth down, prediction across", "Which columns matter", "Single rows")
    assert all(part in lines for part in parts)
    table = lines.index(parts[0])
    counts = [[int(n) for n in line.split()[1:]] for line in lines[table + 2 : table + 4]]
    assert counts == results["evidence"]["confusion"]["counts"]


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"settings": []}'])
def test_a_damaged_study_is_one_sentence(folder, text):
    Path("run").mkdir()
    Path("run", "results.json").write_text(text)
    message = refused(1, "inspect", "run")
    assert message.startswith("'run/results.json' is damaged")
    assert message.endswith("run the study again.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["empty"], "'empty' is not the folder of a study: it has no results.json."),
        (["iriss"], "there is no file and no data set 'iriss'. Did you mean 'iris'?"),
        (["bad.hornbook"], "'bad.hornbook' cannot be loaded: "),
        (["melons.csv", "--target", "rip"], "There is no column 'rip': did you mean 'ripe'?"),
    ],
)
def test_what_cannot_be_looked_at_is_one_sentence(melons, words, message):
    Path("empty").mkdir()
    Path("bad.hornbook").write_text("not a model")
    assert message in refused(1, "inspect", *words)
