"""scikit-learn's own test files, with our classes in the place of its own.

The files come with the installed scikit-learn. ``expected.csv`` lists what fails, each with its reason: a new
failure and a new pass are both errors.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sklearn

HERE = Path(__file__).parent
PEER = Path(sklearn.__file__).parent
FILES = (
    "linear_model/tests/test_base.py",
    "linear_model/tests/test_coordinate_descent.py",
    "linear_model/tests/test_ridge.py",
    "linear_model/tests/test_sparse_coordinate_descent.py",
)
KINDS = {"by design", "not offered"}
SECONDS = 1800


def expected():
    with (HERE / "expected.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def outcomes(file, out):
    """How each test of a file ends in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.peers.substitution",
    ]
    root = HERE.parents[1]
    options = ["-c", os.devnull, "--rootdir", str(PEER), "--import-mode=importlib", "--outcomes", str(out)]
    paths = {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])}
    seed = {"SKLEARN_TESTS_GLOBAL_RANDOM_SEED": "42"}
    run = subprocess.run(
        [*command, *options, str(PEER / file)],
        cwd=root,
        env=os.environ | paths | seed,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert out.exists(), run.stdout[-2000:] + run.stderr[-2000:]
    return {name.partition("::")[2]: end for name, end in json.loads(out.read_text()).items()}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_only_the_listed_tests_fail(file, tmp_path):
    ends = outcomes(file, tmp_path / "outcomes.json")
    listed = {row["test"] for row in expected() if row["file"] == file}
    failed = {name for name, end in ends.items() if end["outcome"] == "failed"}
    allowed = {name for name in ends if name in listed or name.partition("[")[0] in listed}
    assert {name: ends[name]["error"] for name in sorted(failed - allowed)} == {}
    assert sorted(allowed - failed) == []
    assert {name.partition("[")[0] for name in listed} <= {name.partition("[")[0] for name in ends}


def test_every_expected_failure_has_a_reason():
    rows = expected()
    assert {row["file"] for row in rows} <= set(FILES)
    assert {row["kind"] for row in rows} <= KINDS
    assert all(row["reason"] for row in rows)
    assert len({(row["file"], row["test"]) for row in rows}) == len(rows)
