"""Two runs, or two files of predictions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.running import data_of, done, refused

import hornbook
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


@pytest.fixture
def studies(melons):
    """Two studies of one table on the same folds, and one of other folds."""
    options = ("--target", "ripe", "--learners", "NaiveBayes", "--cv", "2", "--repeats", "1", "-q")
    for name, more in (("one", ()), ("two", ("--tune", "off")), ("other", ("--seed", "1"))):
        done("study", melons, *options, *more, "--out", name)
    return "one", "two", "other"


def test_studies_with_the_same_folds_are_compared_fold_by_fold(studies):
    one, two, other = studies
    pair = data_of("compare", one, two)
    verdict = compare_runs(one, two)
    assert pair["paired"]
    assert (pair["best"], pair["standings"]) == (verdict.best, verdict.to_dict()["standings"])
    facts = {row[0]: row[1:] for row in pair["studies"]["rows"]}
    assert facts["tuning"] == ["quick", "off"]
    assert facts["data"] == ["melons.csv"] * 2
    text = done("compare", one, two).stdout
    assert text.startswith(str(verdict))
    assert "\nThe two studies\n" in text
    assert "only shown beside each other" not in text
    unpaired = data_of("compare", one, other)
    assert (unpaired["paired"], "best" in unpaired) == (False, False)
    assert "(seed = 0 and 1)" in unpaired["reason"]
    results = json.loads(Path(other, "results.json").read_text())
    means = {s["name"]: s["mean"]["estimate"] for s in results["verdict"]["standings"]}
    shown = {row[0]: float(row[2].split()[0]) for row in unpaired["learners"]["rows"]}
    assert shown == pytest.approx(means, rel=1e-3)
    text = done("compare", one, other).stdout
    assert text.startswith("These studies are only shown beside each other, not compared: ")
    assert "log_loss of each learner" in text
    assert refused(1, "compare", one, one) == "one and one are the same study: pass the folders of two."
    Path(other, "results.json").write_text("{}")
    assert refused(1, "compare", one, other).startswith("'other/results.json' is damaged")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["iris", "--learners", "NaiveBayes,Baseline"],
            2,
            "hornbook study iris --learners NaiveBayes,Baseline",
        ),
        (
            ["iris"],
            2,
            "compare takes two folders, two models or two files; for learners on a table: ",
        ),
        (["one", "a.csv"], 2, "A and B must be two folders of studies, or two models, or two files."),
        (["one", "two", "--metric", "mse"], 2, "--metric is for files of predictions"),
        (["one", "two", "--alpha", "2"], 2, "2.0 is not in the range 0<x<1"),
        (["a.csv", "b.csv"], 1, "there is no file a.csv: pass a CSV file, or a folder with predictions.csv."),
        (["one", "empty"], 1, "there is no file empty/scores.csv"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(runs, words, code, message):
    Path("empty").mkdir()
    assert message in refused(code, "compare", *words)


@pytest.fixture
def two_models(folder):
    """Two model files and rows that neither has learned from."""
    table = hornbook.datasets.load("iris").to_polars()
    table[::2].write_csv("train.csv")
    table[1::2].write_csv("test.csv")
    for learner in ("NaiveBayes", "Baseline"):
        done("fit", "train.csv", "-y", "species", "-l", learner, "-o", f"{learner}.hornbook", "-q")
    return "NaiveBayes.hornbook", "Baseline.hornbook"


def test_two_models_are_compared_on_the_same_rows(two_models):
    verdict = data_of("compare", *two_models, "test.csv", "--metric", "error_rate")
    assert (verdict["best"], verdict["measure"]) == ("NaiveBayes.hornbook", "error_rate")
    for name in two_models:
        done("predict", name, "test.csv", "--proba", "-o", f"{Path(name).stem}.csv", "-q")
    files = data_of("compare", "NaiveBayes.csv", "Baseline.csv", "--metric", "error_rate")
    means = [[s["mean"] for s in comparison["standings"]] for comparison in (verdict, files)]
    assert means[0] == means[1]
    truth, predicted = pl.read_csv("NaiveBayes.csv").select("truth", "prediction")
    assert means[0][0]["estimate"] == pytest.approx((truth != predicted).mean())


def test_models_are_compared_over_rows_and_by_means_over_rows(two_models):
    stdout = done("compare", *two_models, "test.csv").stdout
    assert "over the rows, not corrected for having been chosen." in stdout
    assert "\nrows: 75\n" in stdout
    assert "fold" not in stdout
    assert refused(1, "compare", *two_models, "test.csv", "--metric", "kappa") == (
        "kappa is not a mean over rows, by which models and files without a column 'fold' are compared: "
        "choose one of accuracy, error_rate, log_loss, mae, mse, rmse."
    )


def test_rows_that_a_compared_model_has_learned_from_are_said(two_models):
    assert "fitted on" not in done("compare", *two_models, "test.csv").stderr
    stderr = done("compare", *two_models, "train.csv").stderr
    for name in two_models:
        assert f"these are exactly the training rows of {name}; expect worse results on new rows" in stderr
    verdict = data_of("compare", *two_models, "train.csv")
    assert verdict["seen_in_training"] == dict.fromkeys(two_models, 1.0)
    done(
        "fit", "test.csv", "-y", "species", "-l", "Baseline", "-o", "none.hornbook", "-q", "--no-fingerprint"
    )
    seen = data_of("compare", two_models[0], "none.hornbook", "test.csv")["seen_in_training"]
    assert seen[two_models[0]] < 0.1  # three irises of the test rows are twins of others
    assert seen["none.hornbook"] is None


def test_models_of_studies_and_the_usual_measure(two_models):
    words = (
        "study",
        "train.csv",
        "--learners",
        "NaiveBayes",
        "--cv",
        "2",
        "--repeats",
        "1",
        "--out",
        "run",
        "-q",
    )
    done(*words)
    verdict = data_of("compare", "run", "Baseline.hornbook", "test.csv")
    assert (verdict["best"], verdict["measure"]) == ("run", "log_loss")


def test_models_without_rows_are_told_what_to_do(two_models):
    message = refused(2, "compare", *two_models)
    assert message == (
        "two models are compared on rows whose target is known: "
        "hornbook compare NaiveBayes.hornbook Baseline.hornbook DATA"
    )
    assert "'train.csv' is not a model file" in refused(2, "compare", "train.csv", two_models[0], "test.csv")


def test_models_that_cannot_be_compared(two_models):
    done(
        "fit",
        "train.csv",
        "--target",
        "petal_length",
        "--learner",
        "LinearRegression",
        "-o",
        "line.hornbook",
        "-q",
    )
    message = refused(2, "compare", two_models[0], "line.hornbook", "test.csv")
    assert message == "one model predicts classes and the other numbers: they cannot be compared."
    done("fit", "train.csv", "-y", "sepal_width", "-l", "Baseline", "--set", "strategy=mean", "-q")
    message = refused(1, "compare", "model.hornbook", "line.hornbook", "test.csv")
    assert "the models predict different columns, 'petal_length' and 'sepal_width': see --target." in message
