"""The program: fast to start, plain to read."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import hornbook
from hornbook.cli import main


def run(*words):
    return CliRunner().invoke(main, words)


def test_version_and_help():
    assert run("--version").output == f"hornbook, version {hornbook.__version__}\n"
    for flag in ("--help", "-h"):
        assert "hornbook learners --can missing,weights" in run(flag).output


def test_learners_are_listed_and_chosen():
    assert "NaiveBayes" in run("learners").output
    chosen = json.loads(run("learners", "--can", "partial_fit, weights", "--json").output)
    assert "NaiveBayes" in [card["name"] for card in chosen]
    assert all({"partial_fit", "weights"} <= set(card["can"]) for card in chosen)
    names = [card["name"] for card in json.loads(run("learners", "--task", "regression", "--json").output)]
    assert "Baseline" in names
    assert "NaiveBayes" not in names


def test_unknown_capability_is_wrong_use():
    result = run("learners", "--can", "magic")
    assert result.exit_code == 2
    assert "unknown capability 'magic': choose from categories, missing" in result.output
    assert run("nonsense").exit_code == 2


def test_datasets_are_listed():
    names = json.loads(run("datasets", "--json").output)
    assert {"iris", "play-tennis", "watermelon-3.0"} <= set(names)
    assert all(name in run("datasets").output for name in names)


def seconds(*words):
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - start


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_starts_within_0_3_s_of_a_bare_interpreter(flag):
    # The fastest of several runs: other work on the machine only ever adds time.
    bare = min(seconds("-c", "pass") for _ in range(5))
    assert min(seconds("-m", "hornbook", flag) for _ in range(5)) - bare < 0.3


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from click.testing import CliRunner; from hornbook.cli import main;"
        "CliRunner().invoke(main, ['--help']);"
        "print([m for m in ('numpy', 'sklearn', 'polars', 'scipy', 'matplotlib') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"
