"""Names and labels from files that would command a terminal or a spreadsheet."""

from __future__ import annotations

import json
import os
import pty
from pathlib import Path

import polars as pl
import pytest
from tests.cli.running import data_of, done, process, refused, run

ESCAPE = "\x1b]0;title\x07\x1b[31m\x9b1m"


@pytest.fixture
def hostile(folder):
    """A table with commands for a terminal in names of columns, cells and labels."""
    rows = [f"{'ab'[i % 2]}{ESCAPE},{i % 7},{i % 5},{['yes', 'no'][i % 2]}{ESCAPE}" for i in range(40)]
    Path("hostile.csv").write_text(
        "\n".join([f"color{ESCAPE},size,{ESCAPE}weight,ripe{ESCAPE}", *rows]) + "\n"
    )
    done("fit", "hostile.csv", "--learner", "NaiveBayes", "-o", "hostile.hornbook", "-q")
    return "hostile.csv"


@pytest.mark.parametrize(
    "words",
    [
        ("inspect", "hostile.csv"),
        ("inspect", "hostile.csv", "--json"),
        ("inspect", "hostile.hornbook"),
        ("fit", "hostile.csv", "--learner", "NaiveBayes"),
        ("fit", "hostile.csv", "--learner", "DecisionTreeClassifier"),
        ("fit", "hostile.csv", "--learner", "LogisticRegression", "--json"),
        ("evaluate", "hostile.hornbook", "hostile.csv"),
        ("evaluate", "hostile.hornbook", "hostile.csv", "--json"),
        ("evaluate", "hostile.hornbook", "hostile.csv", "--target", "nothing"),
        ("predict", "hostile.hornbook", "iris"),
        ("study", "hostile.csv", "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1"),
        ("inspect", f"{ESCAPE}.csv"),
        ("fit", f"{ESCAPE}", "--learner", "NaiveBayes"),
        ("learners", "--can", ESCAPE),
    ],
)
def test_no_command_for_a_terminal_is_printed(hostile, words):
    result = run(*words)
    for text in (result.stdout, result.stderr):
        assert not set(text) & {"\x1b", "\x07", "\x9b"}
    assert "\\x1b]0;title\\x07" in result.output or "\\u001b]0;title\\u0007" in result.output


def test_json_still_says_what_the_file_says(hostile):
    results = data_of("evaluate", "hostile.hornbook", hostile)
    assert results["target"] == f"ripe{ESCAPE}"


def test_predictions_are_exact_in_files_and_pipes_and_escaped_on_a_terminal(hostile):
    done("predict", "hostile.hornbook", hostile, "-o", "p.csv")
    assert f"yes{ESCAPE}" in Path("p.csv").read_text()
    assert process("predict", "hostile.hornbook", hostile).stdout == Path("p.csv").read_text()
    ours, theirs = pty.openpty()
    try:
        assert process("predict", "hostile.hornbook", hostile, stdout=theirs).returncode == 0
        shown = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "yes\\x1b]0;title\\x07" in shown
    assert "\x1b" not in shown


@pytest.fixture
def formulas(folder):
    """A table whose labels are formulas."""
    labels = ["=HYPERLINK(1)", "-3", "@sum"]
    rows = [f"{i % 7},{labels[i % 3]}" for i in range(60)]
    Path("formulas.csv").write_text("\n".join(["size,ripe", *rows]) + "\n")
    return "formulas.csv"


def test_labels_are_no_formulas_when_asked(formulas):
    done("fit", formulas, "--learner", "NaiveBayes", "-q")
    plain = done("predict", "model.hornbook", formulas).stdout
    assert ",=HYPERLINK(1)," in plain
    safe = done("predict", "model.hornbook", formulas, "--csv-safe").stdout
    assert safe == plain.replace(",=", ",'=").replace(",@", ",'@")
    message = refused(2, "predict", "model.hornbook", formulas, "--csv-safe", "-o", "p.parquet")
    assert message.startswith("--csv-safe is for CSV")


@pytest.mark.slow
def test_a_study_writes_no_formulas_when_asked(formulas):
    words = ("study", formulas, "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1", "-q")
    done(*words, "--out", "plain")
    done(*words, "--out", "safe", "--csv-safe")
    plain, safe = (pl.read_csv(f"{name}/predictions.csv") for name in ("plain", "safe"))
    assert set(plain["truth"]) == {"=HYPERLINK(1)", "-3", "@sum"}
    assert set(safe["truth"]) == {"'=HYPERLINK(1)", "-3", "'@sum"}
    assert "csv_safe = true" in Path("safe/config.toml").read_text()
    assert json.loads(Path("safe/results.json").read_text())["settings"]["csv_safe"] is True


@pytest.mark.slow
def test_the_positive_class_is_no_formula_either_and_compares_as_itself(folder):
    rows = [f"{i % 7},{'=1+1' if i % 3 else 'no'}" for i in range(60)]
    Path("two.csv").write_text("\n".join(["size,ripe", *rows]) + "\n")
    words = ("study", "two.csv", "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1", "-q")
    words += ("--metric", "recall", "--positive", "=1+1")
    done(*words, "--out", "plain")
    done(*words, "--out", "safe", "--csv-safe")
    written = [set(pl.read_csv(f"{name}/scores.csv")["positive"]) for name in ("plain", "safe")]
    assert written == [{"=1+1"}, {"'=1+1"}]
    assert data_of("compare", "plain", "safe")["positive"] == "=1+1"
