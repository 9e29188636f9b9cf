"""The program called from tests, in this process and as one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from hornbook.cli import main

SOURCE = Path(__file__).parents[2] / "src"
MELONS = """color,density,sugar,ripe
green,0.7,0.46,yes
dark,0.77,0.38,yes
dark,0.63,0.26,yes
green,0.61,0.32,yes
pale,0.56,0.22,yes
green,0.67,0.1,no
pale,0.24,0.27,no
dark,0.64,0.16,no
pale,0.34,0.1,no
green,0.36,0.37,no
"""


def run(*words):
    """Call the program; no exception may leave it."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def done(*words):
    """Call the program and expect that all goes well."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result


def data_of(*words):
    """Call the program with --json: the whole of stdout is the result."""
    return json.loads(done(*words, "--json").stdout)


def refused(code, *words):
    """Call the program and expect an exit code, nothing on stdout and one sentence."""
    result = run(*words)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    lines = result.stderr.splitlines()
    sentence = next(line for line in lines if line.startswith("Error: "))
    assert lines[-1] == sentence
    return sentence.removeprefix("Error: ")


def started(*words, **options):
    """Start the program as users do."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **options.pop("env", {})}
    command = [sys.executable, "-m", "hornbook", *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **{**pipes, **options})


def process(*words, **options):
    """Run the program as users do, to its end."""
    with started(*words, **options) as program:
        stdout, stderr = program.communicate()
        return subprocess.CompletedProcess(words, program.returncode, stdout, stderr)
