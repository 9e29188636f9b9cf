"""How DATA is read: pipes, kinds of columns, delimiters, words for missing cells."""

from __future__ import annotations

import gzip
import io
import subprocess
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from tests.cli.running import MELONS, data_of, done, process, refused, run

import hornbook
from hornbook.cli import main


def piped(data, *words):
    """Call the program with a table on standard input."""
    return CliRunner().invoke(main, list(words), input=data)


def forms():
    table = pl.read_csv(io.StringIO(MELONS))
    parquet = io.BytesIO()
    table.write_parquet(parquet)
    return {
        "csv": MELONS.encode(),
        "gzip": gzip.compress(MELONS.encode()),
        "jsonl": table.write_ndjson().encode(),
        "parquet": parquet.getvalue(),
    }


@pytest.mark.parametrize("form", ["csv", "gzip", "jsonl", "parquet"])
def test_a_table_on_standard_input_is_known_by_its_first_bytes(model, melons, form):
    whole = done("predict", model, melons, "--proba").stdout
    result = piped(forms()[form], "predict", model, "-", "--proba")
    assert (result.exit_code, result.stdout) == (0, whole), result.output


@pytest.mark.parametrize(
    "words",
    [
        ("inspect", "DATA", "--target", "ripe"),
        ("fit", "DATA", "--learner", "NaiveBayes", "--target", "ripe"),
        ("fit", "DATA", "--learner", "NaiveBayes", "--target", "ripe", "--stream"),
        ("evaluate", "ripe.hornbook", "DATA"),
    ],
)
def test_every_command_reads_standard_input(model, melons, words):
    whole = done(*(melons if word == "DATA" else word for word in words)).stdout
    result = piped(MELONS, *("-" if word == "DATA" else word for word in words))
    assert result.exit_code == 0, result.output
    assert result.stdout == whole.replace("melons.csv: ", "standard input: ").replace("of melons.csv", "of -")


def test_a_study_reads_standard_input(folder):
    words = ("study", "-", "--target", "ripe", "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1")
    result = piped(MELONS, *words)
    assert result.exit_code == 0, result.output
    assert "data: standard input: CSV" in result.stderr
    assert Path("stdin-study/report.html").exists()


def test_pipes_of_the_shell(model, melons):
    whole = done("predict", model, melons).stdout
    with subprocess.Popen(["/bin/cat", melons], stdout=subprocess.PIPE) as cat:
        result = process("predict", model, "-", "--out", "-", stdin=cat.stdout)
    assert (result.returncode, result.stdout) == (0, whole)
    with subprocess.Popen(["/bin/cat", melons], stdout=subprocess.PIPE) as cat:
        place = f"/dev/fd/{cat.stdout.fileno()}"
        result = process("predict", model, place, pass_fds=[cat.stdout.fileno()])
    assert (result.returncode, result.stdout) == (0, whole)


def test_what_is_wrong_with_standard_input_is_one_sentence(model):
    result = piped("", "predict", model, "-")
    assert result.stderr == "Error: standard input is empty: a table with a header line and rows is needed.\n"
    result = piped("a,b\n1,2\n3\n", "inspect", "-")
    assert result.stderr.startswith("Error: standard input: line 3 has 1 cell, but the first line has 2:")


def test_copies_of_pipes_do_not_stay(model, tmp_path, monkeypatch):
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    assert piped(MELONS, "predict", model, "-").exit_code == 0
    assert piped("a,b\n1,2\n3\n", "inspect", "-").exit_code == 1
    assert list((tmp_path / "temp").iterdir()) == []


def test_predictions_as_parquet(model, melons):
    done("predict", model, melons, "--proba", "--out", "p.parquet")
    done("predict", model, melons, "--proba", "--out", "p.csv")
    assert pl.read_parquet("p.parquet").equals(pl.read_csv("p.csv"))


@pytest.fixture
def shops(folder):
    """Numbers that are names, another word for missing cells, and semicolons."""
    rows = [f"{10000 + i % 3};{'none' if i % 5 == 0 else i};{'SML'[i % 3]};{'ab'[i % 2]}" for i in range(30)]
    Path("shops.csv").write_text("\n".join(["zip;sales;size;open", *rows]) + "\n")
    return "shops.csv"


OPTIONS = ("--kinds", "zip=nominal", "--kinds", "size=S<M<L", "--missing", "none", "--delimiter", ";")


def test_kinds_missing_cells_and_delimiter_of_a_table(shops):
    profile = data_of("inspect", shops, *OPTIONS)
    kinds = {column["name"]: column["kind"] for column in profile["columns"]}
    assert kinds == {"zip": "nominal", "sales": "numeric", "size": "ordinal", "open": "nominal"}
    assert {column["name"]: column["n_missing"] for column in profile["columns"]}["sales"] == 6


@pytest.mark.slow
def test_every_command_takes_them(shops):
    done("fit", shops, "--learner", "NaiveBayes", *OPTIONS, "-q")
    schema = hornbook.load("model.hornbook").schema_
    assert [column.kind for column in schema.columns] == ["nominal", "numeric", "ordinal"]
    assert schema.columns[2].levels == ("S", "M", "L")
    assert data_of("evaluate", "model.hornbook", shops, *OPTIONS)["rows"] == 30
    assert data_of("predict", "model.hornbook", shops, *OPTIONS)["rows"] == 30
    words = ("study", shops, "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1", "--out", "run", "-q")
    results = data_of(*words, *OPTIONS)
    assert {column["name"]: column["kind"] for column in results["profile"]["columns"]}["zip"] == "nominal"
    again = data_of("study", "--config", "run/config.toml", "--out", "again", "-q")
    assert again["scores"] == results["scores"]


def test_kinds_of_a_study_in_python(shops):
    table = hornbook.read(shops, target="open")
    study = hornbook.study(table, learners=["NaiveBayes"], cv=2, repeats=1, kinds={"zip": "nominal"})
    assert study.settings.kinds == ("zip=nominal",)
    assert study.profile.columns[0].kind == "nominal"


def test_kinds_of_a_data_set():
    profile = data_of("inspect", "glass", "--kinds", "RI=nominal")
    assert {column["name"]: column["kind"] for column in profile["columns"]}["RI"] == "nominal"


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--kinds", "zip"), 2, "'zip' is no column with its kind: write column=nominal."),
        (("--kinds", "zip=nominl"), 2, "Did you mean 'nominal'?"),
        (("--kinds", "zipp=nominal"), 1, "There is no column 'zipp'"),
        (("--kinds", "size=S<M"), 1, "'L'"),
        (("--delimiter", "::"), 2, "'::' is not a single character: write one, or tab, or space."),
    ],
)
def test_wrong_options_are_one_sentence(shops, words, code, sentence):
    assert sentence in refused(code, "inspect", shops, *words)


def test_files_only(folder):
    assert "--missing is for files, and 'iris' is a data set: leave it out." in refused(
        2, "inspect", "iris", "--missing", "-"
    )
    result = run("study", "iris", "--delimiter", ";", "--cv", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(
        "Error: --delimiter is for files, and this table is not one: leave it out.\n"
    )
