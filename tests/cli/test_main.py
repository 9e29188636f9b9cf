"""The program: fast to start, plain to read."""

from __future__ import annotations

import re
import resource
import subprocess
import sys

import click
import pytest
from tests.cli.running import data_of, done, process, refused

import hornbook
from hornbook.cli import main
from hornbook.cli._main import COMMANDS


def test_version_and_help():
    assert done("--version").output == f"hornbook, version {hornbook.__version__}\n"
    for flag in ("--help", "-h"):
        assert "hornbook learners --can missing,weights" in done(flag).output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_teaches_with_examples(name):
    shown = done(name, "--help").output
    assert re.search(rf"Examples:\n    hornbook {name}\b", shown)
    for option in ("--quiet", "--verbose", "--json", "--debug"):
        assert option in shown
    (line,) = [line for line in done("--help").output.splitlines() if line.startswith(f"  {name} ")]
    assert line.endswith(".")


def test_every_command_is_described_in_a_line_of_its_own():
    context = click.Context(main)
    assert all(main.get_command(context, name).short_help for name in COMMANDS)


def test_an_unknown_command_is_wrong_use_and_the_nearest_is_suggested():
    assert refused(2, "predct") == "There is no command 'predct'. Did you mean 'predict'?"
    assert refused(2, "--nonsense") == "No such option '--nonsense'."


def test_learners_are_listed_and_chosen():
    assert "NaiveBayes" in done("learners").stdout
    chosen = data_of("learners", "--can", "partial_fit, weights")
    assert "NaiveBayes" in [card["name"] for card in chosen]
    assert all({"partial_fit", "weights"} <= set(card["can"]) for card in chosen)
    names = [card["name"] for card in data_of("learners", "--task", "regression")]
    assert "Baseline" in names
    assert "NaiveBayes" not in names


def test_unknown_capability_is_wrong_use():
    message = refused(2, "learners", "--can", "magic")
    assert "unknown capability 'magic': choose from categories, missing" in message


def test_datasets_are_listed():
    names = data_of("datasets")
    assert {"iris", "play-tennis", "watermelon-3.0"} <= set(names)
    assert all(name in done("datasets").stdout for name in names)


def test_it_runs_as_a_module_under_its_own_name():
    result = process("fit")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: hornbook fit ")


def seconds(*words):
    """Time of the processor: what else runs on the machine does not count."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_starts_within_0_3_s_of_a_bare_interpreter(flag):
    bare = min(seconds("-c", "pass") for _ in range(5))
    assert min(seconds("-m", "hornbook", flag) for _ in range(5)) - bare < 0.3


@pytest.mark.parametrize("words", [(), *([name] for name in COMMANDS)], ids=str)
def test_help_imports_nothing_heavy(words):
    # The options of a study are those of its settings, which need NumPy and nothing more.
    heavy = {"numpy", "sklearn", "polars", "scipy", "matplotlib", "rich"} - (
        {"numpy"} if "study" in words else set()
    )
    code = (
        "import sys; from click.testing import CliRunner; from hornbook.cli import main;"
        f"CliRunner().invoke(main, {[*words, '--help']!r});"
        f"print({heavy!r} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout.strip() == "set()"
