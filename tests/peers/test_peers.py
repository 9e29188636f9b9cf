"""scikit-learn's own test files, with our classes in the place of its own.

The files come with the installed scikit-learn. ``expected.csv`` lists what fails, each with its reason: a new
failure and a new pass are both errors. Only tests of the kind "either" may end in both ways.
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
    "cluster/tests/test_dbscan.py",
    "cluster/tests/test_hierarchical.py",
    "cluster/tests/test_k_means.py",
    "decomposition/tests/test_pca.py",
    "ensemble/_hist_gradient_boosting/tests/test_gradient_boosting.py",
    "ensemble/_hist_gradient_boosting/tests/test_monotonic_constraints.py",
    "ensemble/tests/test_bagging.py",
    "ensemble/tests/test_forest.py",
    "ensemble/tests/test_gradient_boosting.py",
    "ensemble/tests/test_stacking.py",
    "ensemble/tests/test_voting.py",
    "ensemble/tests/test_weight_boosting.py",
    "linear_model/tests/test_base.py",
    "linear_model/tests/test_coordinate_descent.py",
    "linear_model/tests/test_logistic.py",
    "linear_model/tests/test_perceptron.py",
    "linear_model/tests/test_ridge.py",
    "linear_model/tests/test_sparse_coordinate_descent.py",
    "mixture/tests/test_gaussian_mixture.py",
    "neighbors/tests/test_nearest_centroid.py",
    "neighbors/tests/test_neighbors.py",
    "neural_network/tests/test_mlp.py",
    "svm/tests/test_svm.py",
    "tests/test_calibration.py",
    "tests/test_discriminant_analysis.py",
    "tests/test_kernel_ridge.py",
    "tests/test_multiclass.py",
    "tests/test_naive_bayes.py",
    "tree/tests/test_monotonic_tree.py",
    "tree/tests/test_tree.py",
)
EITHER = "either"  # rounding decides
KINDS = {"by design", "not offered", EITHER}
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
    rows = [row for row in expected() if row["file"] == file]
    listed = {row["test"] for row in rows}
    either = {row["test"] for row in rows if row["kind"] == EITHER}
    failed = {name for name, end in ends.items() if end["outcome"] == "failed"}
    allowed = {name for name in ends if name in listed or name.partition("[")[0] in listed}
    assert {name: ends[name]["error"] for name in sorted(failed - allowed)} == {}
    assert sorted(allowed - failed - either) == []
    assert {name.partition("[")[0] for name in listed} <= {name.partition("[")[0] for name in ends}


def test_every_expected_failure_has_a_reason():
    rows = expected()
    assert {row["file"] for row in rows} <= set(FILES)
    assert {row["kind"] for row in rows} <= KINDS
    assert all(row["reason"] for row in rows)
    assert len({(row["file"], row["test"]) for row in rows}) == len(rows)
