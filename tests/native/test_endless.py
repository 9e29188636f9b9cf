"""Every loop has a bound: no call goes on for ever, whatever it is given."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from tests.native.endless_calls import CALLS

PATIENCE = 300  # seconds on a busy machine, for what takes two or three


def test_no_call_goes_on_for_ever():
    with subprocess.Popen(
        [sys.executable, "-m", "tests.native.endless_calls"],
        cwd=pathlib.Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            begun, _ = program.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            program.kill()
            begun, _ = program.communicate()
    assert begun.splitlines() == list(CALLS)
    assert program.returncode == 0
