"""Whatever fails becomes one sentence and an exit code."""

from __future__ import annotations

import os
import re
import signal
import warnings
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.cli.running import SOURCE, done, process, refused, started

from hornbook.cli._command import Command
from hornbook.cli._main import main


def failing(error, *words):
    """A command that fails with an error, called with words."""

    @click.command("fail", cls=Command)
    def command():
        raise error

    return CliRunner().invoke(command, words)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ValueError("column 'a' is odd:\n  leave it out."), 1, "column 'a' is odd: leave it out."),
        (
            FileNotFoundError(2, "No such file or directory", "a.csv"),
            1,
            "'a.csv' cannot be used: No such file",
        ),
        (OSError(28, "No space left on device", "a.csv"), 1, "free disk space or choose another disk."),
        (MemoryError(), 1, "there is not enough memory: use fewer rows or columns"),
        (MemoryError("3 GiB"), 1, "there is not enough memory (3 GiB): "),
        (KeyError("x"), 1, "internal error (KeyError: 'x'); --debug shows the traceback."),
        (AssertionError(), 1, "internal error (AssertionError); --debug"),
        (RecursionError("too deep"), 1, "too deep"),
        (KeyboardInterrupt(), 130, "interrupted; no incomplete file was left behind."),
        (click.UsageError("wrong"), 2, "wrong"),
    ],
)
def test_errors_become_sentences(error, code, message):
    result = failing(error)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_debug_shows_the_error_itself():
    error = ValueError("column 'a' is odd")
    assert failing(error, "--debug").exception is error


def test_faults_before_a_command_runs_are_sentences_too(monkeypatch):
    def broken(*_):
        raise KeyError("x")

    monkeypatch.setattr(type(main), "get_command", broken)
    assert refused(1, "datasets").startswith("internal error (KeyError: 'x')")


def test_warnings_are_lines_without_a_place_in_the_code():
    @click.command("warn", cls=Command)
    def command():
        for _ in range(3):
            warnings.warn("something\n is odd", UserWarning, stacklevel=1)
        warnings.warn("for programmers", DeprecationWarning, stacklevel=1)

    assert CliRunner().invoke(command).stderr == "warning: something is odd\n"
    assert CliRunner().invoke(command, ["--quiet"]).stderr == ""


def test_quiet_and_verbose_exclude_each_other():
    assert refused(2, "datasets", "--quiet", "--verbose") == "Choose one of --quiet and --verbose."


def test_verbose_says_how_a_file_was_understood(melons):
    words = ("fit", melons, "--learner", "Baseline", "--target", "ripe")
    assert "read melons.csv: CSV" in done(*words, "--verbose").stderr
    assert "read melons.csv" not in done(*words).stderr
    assert done(*words, "--quiet").stderr == ""


def test_a_real_process_keeps_the_codes(melons):
    result = process("fit", melons, "--learner", "Nobody")
    assert (result.returncode, result.stdout) == (2, "")
    result = process("fit", "melon.csv", "--learner", "NaiveBayes")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "Error: There is no file 'melon.csv': did you mean 'melons.csv'?\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
def test_an_output_that_takes_nothing_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        result = process("datasets", stdout=full)
    assert result.returncode == 1
    reason = "the output cannot be used: No space left on device; free disk space or choose another disk."
    assert result.stderr == f"Error: {reason}\n"


@pytest.mark.parametrize(
    "words", [("fit", "melon.csv", "--learner", "NaiveBayes"), ("study", "melons.csv", "--target", "rip")]
)
def test_debug_shows_a_traceback(melons, words):
    result = process(*words, "--debug")
    assert result.returncode == 1
    assert "Traceback (most recent call last)" in result.stderr


def test_ctrl_c_is_one_line(folder, interruptible):
    os.mkfifo("pipe.csv")
    with started("inspect", "pipe.csv") as program:
        try:
            with Path("pipe.csv").open("wb"):  # open when the program waits for a table, which never comes
                program.send_signal(signal.SIGINT)
                _, stderr = program.communicate()
        finally:
            program.kill()
    assert program.returncode == 130
    assert stderr == "Error: interrupted; no incomplete file was left behind.\n"


@pytest.mark.parametrize("module", ["click", "numpy"])
def test_ctrl_c_is_one_line_while_the_program_is_being_imported(folder, interruptible, module):
    Path(f"{module}.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )
    words = ("fit", "melons.csv", "--learner", "NaiveBayes")
    result = process(*words, env={"PYTHONPATH": os.pathsep.join([str(folder), str(SOURCE)])})
    assert result.returncode == 130
    assert result.stdout == ""
    assert re.fullmatch(
        r"Error: interrupted; (nothing was done yet|no incomplete file was left behind)\.\n", result.stderr
    )
