"""Values on the command line, and what a shell completes."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import click
import polars as pl
import pytest
from click.shell_completion import ShellComplete
from tests.cli.running import MELONS, SOURCE, process, refused

from hornbook.cli import main
from hornbook.cli._types import DURATION


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("10m", 600), ("1h30m", 5400), ("1.5h", 5400), ("2d", 172800), (7, 7)],
)
def test_lengths_of_time(text, seconds):
    assert DURATION.convert(text, None, None) == seconds


@pytest.mark.parametrize("text", ["", "m", "ten", "10x", "-5", "1h 30", "5m3"])
def test_what_is_no_length_of_time(text):
    with pytest.raises(click.BadParameter, match="is not a duration: write 90s, 10m or 1h30m"):
        DURATION.convert(text, None, None)


def completed(*words):
    *before, last = words
    shell = ShellComplete(main, {}, "hornbook", "_HORNBOOK_COMPLETE")
    return [item.value for item in shell.get_completions(list(before), last)]


def test_commands_and_options_complete():
    assert completed("pre") == ["predict"]
    assert completed("fit", "--lea") == ["--learner"]


def test_names_of_data_sets_complete_beside_files():
    assert completed("fit", "play")[:2] == ["play-tennis", "play-tennis-mitchell"]


def test_names_of_learners_and_measures_complete():
    assert completed("fit", "iris", "--learner", "naive") == ["NaiveBayes"]
    assert completed("evaluate", "m", "iris", "--metric", "log") == ["log_loss"]
    assert completed("compare", "a", "b", "--learners", "Baseline,Naive") == ["Baseline,NaiveBayes"]


def test_names_of_columns_complete(melons):
    assert completed("fit", melons, "--target", "") == ["color", "density", "sugar", "ripe"]
    assert completed("fit", "iris", "--target", "petal") == ["petal_length", "petal_width"]
    assert completed("fit", "none.csv", "--target", "") == []


def test_columns_of_every_kind_of_file(folder):
    names = MELONS.splitlines()[0].split(",")
    Path("a.csv").write_text(MELONS.replace(",", ";"))
    Path("a.csv.gz").write_bytes(gzip.compress(MELONS.encode()))
    table = pl.read_csv(MELONS.encode())
    table.write_parquet("a.parquet")
    table.write_ndjson("a.jsonl")
    for path in ("a.csv", "a.csv.gz", "a.parquet", "a.jsonl"):
        assert completed("fit", path, "--target", "") == names
    Path("bad.csv").write_bytes(b"\xff\xfe\x00")
    assert completed("fit", "bad.csv", "--target", "") == []


def test_columns_complete_without_the_libraries_that_reading_needs(melons):
    code = (
        "import sys; from click.shell_completion import ShellComplete; from hornbook.cli import main;"
        "shell = ShellComplete(main, {}, 'hornbook', '_HORNBOOK_COMPLETE');"
        "words = ['fit', 'melons.csv', '--learner', 'NaiveBayes', '--target'];"
        "print([item.value for item in shell.get_completions(words, '')]);"
        "print(sorted({'polars', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    assert answer.stdout.splitlines() == ["['color', 'density', 'sugar', 'ripe']", "[]"]


def test_a_shell_can_ask_for_the_script(folder):
    program = process(env={"_HORNBOOK_COMPLETE": "zsh_source"})
    assert program.returncode == 0
    assert "#compdef hornbook" in program.stdout


def test_other_names_of_measures_and_learners_are_understood(melons):
    message = refused(2, "study", melons, "--metric", "f1")
    assert message.endswith("Did you mean 'f_measure'?")
    message = refused(2, "study", melons, "--learners", "RandomForest")
    assert message.endswith("Did you mean 'RandomForestClassifier' or 'RandomForestRegressor'?")
    message = refused(2, "fit", melons, "--learner", "naivebayes")
    assert message.endswith("Did you mean 'NaiveBayes'?")
