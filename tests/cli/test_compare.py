"""Two runs, or two files of predictions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.running import data_of, done, refused

from hornbook.evaluation import Scores, compare_predictions, compare_runs, write_scores


@pytest.fixture
def predictions(melons):
    """Files of predictions of two models."""
    for name in ("NaiveBayes", "Baseline"):
        done("fit", melons, "--learner", name, "-o", f"{name}.hornbook")
        done("predict", f"{name}.hornbook", melons, "--proba", "-o", f"{name}.csv")
    return "NaiveBayes.csv", "Baseline.csv"


@pytest.fixture
def runs(folder):
    """Folders of two runs."""
    sizes = np.full(4, 10)
    for name, values in (("one", [0.1, 0.2, 0.1, 0.15]), ("two", [0.5, 0.6, 0.6, 0.7])):
        Path(name).mkdir()
        scores = Scores("mse", False, ["line"], np.array([values]), 3 * sizes, sizes)
        write_scores(scores, Path(name, "scores.csv"))
    return "one", "two"


def test_two_files_that_predict_wrote(predictions):
    verdict = compare_predictions(*predictions)
    assert done("compare", *predictions).stdout == f"{verdict}\n"
    assert data_of("compare", *predictions)["best"] == "NaiveBayes"
    by_error = data_of("compare", *predictions, "--metric", "error_rate", "--equivalence", "0.9")
    assert by_error["measure"] == "error_rate"
    assert by_error["winners"] == ["NaiveBayes", "Baseline"]


def test_two_runs(runs):
    assert done("compare", *runs).stdout == f"{compare_runs(*runs)}\n"
    assert data_of("compare", *runs, "--alpha", "0.01")["alpha"] == 0.01


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ["iris", "--learners", "NaiveBayes,Baseline"],
            2,
            "hornbook study iris --learners NaiveBayes,Baseline",
        ),
        (["iris"], 2, "compare takes two folders or two files; for learners on a table: hornbook study iris"),
        (["one", "a.csv"], 2, "A and B must be two folders of studies, or two files of predictions."),
        (["one", "two", "--metric", "mse"], 2, "--metric is for files of predictions"),
        (["one", "two", "--alpha", "2"], 2, "2.0 is not in the range 0<x<1"),
        (["a.csv", "b.csv"], 1, "there is no file a.csv: pass a CSV file, or a folder with predictions.csv."),
        (["one", "empty"], 1, "there is no file empty/scores.csv"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(runs, words, code, told):
    Path("empty").mkdir()
    assert told in refused(code, "compare", *words)
