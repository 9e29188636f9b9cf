"""How good a model file is on rows whose truth is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.running import MELONS, data_of, done, refused

import hornbook
from hornbook import datasets
from hornbook.evaluation import balanced_accuracy, brier_score, log_loss, mae, r2, rmse


def test_measures_are_those_of_the_library(model, melons):
    results = data_of("evaluate", model, melons)
    fitted, table = hornbook.load(model), hornbook.read(melons, target="ripe")
    shares, labels = fitted.predict_proba(table), fitted.predict(table)
    values = {name: measured["value"] for name, measured in results["measures"].items()}
    assert values["accuracy"] == np.mean(labels == table.y)
    assert values["balanced_accuracy"] == balanced_accuracy(table.y, labels)
    assert values["log_loss"] == log_loss(table.y, shares)
    assert values["brier_score"] == brier_score(table.y, shares)
    assert set(values) == {"accuracy", "balanced_accuracy", "log_loss", "brier_score", "auc"}
    assert (results["target"], results["rows"]) == ("ripe", 10)
    assert all(
        measured["interval"]["low"] <= measured["value"] <= measured["interval"]["high"]
        for measured in results["measures"].values()
    )


def test_the_text_has_the_measures_and_the_confusion_table(model, melons):
    shown = done("evaluate", model, melons).stdout
    assert shown.startswith("NaiveBayes() on 10 rows of melons.csv, target 'ripe'\n\naccuracy ")
    assert "(95 %, Wilson)" in shown
    assert "truth \\ prediction" in shown
    assert shown == done("evaluate", model, melons).stdout


def test_the_target_is_the_model_s_own_unless_another_is_named(model):
    renamed = MELONS.replace("ripe", "good")
    Path("other.csv").write_text(renamed)
    message = refused(1, "evaluate", model, "other.csv")
    assert message.startswith("'other.csv' has no column 'ripe', which the model predicts: see --target.")
    results = data_of("evaluate", model, "other.csv", "--target", "good")
    assert results["measures"] == data_of("evaluate", model, "melons.csv")["measures"]
    assert "There is no column 'god': did you mean 'good'?" in refused(
        1, "evaluate", model, "other.csv", "--target", "god"
    )


def test_a_model_without_a_named_target_takes_the_last_column(melons):
    table = hornbook.read(melons, target="ripe")
    hornbook.save(hornbook.NaiveBayes().fit(table.features, table.y), "nameless.hornbook")
    result = done("evaluate", "nameless.hornbook", melons)
    assert "target: the last column 'ripe'; --target names another." in result.stderr
    hornbook.save(hornbook.Baseline().fit(datasets.iris().features, datasets.iris().y), "iris.hornbook")
    assert data_of("evaluate", "iris.hornbook", "iris")["target"] == "species"


def test_weights_count(model, melons):
    results = data_of("evaluate", model, melons, "--weight", "density", "--metric", "accuracy")
    table = hornbook.read(melons, target="ripe")
    right = hornbook.load(model).predict(table) == table.y
    value = results["measures"]["accuracy"]
    assert value["value"] == pytest.approx(np.average(right, weights=table["density"]))
    assert value["interval"]["method"] == "bootstrap percentile"


def test_a_regression(melons):
    done("fit", melons, "--learner", "KNeighborsRegressor", "--target", "sugar", "--set", "n_neighbors=2")
    results = data_of("evaluate", "model.hornbook", melons)
    table = hornbook.read(melons, target="sugar")
    answers = hornbook.load("model.hornbook").predict(table)
    expected = {"rmse": rmse, "mae": mae, "r2": r2}
    assert {name: measured["value"] for name, measured in results["measures"].items()} == {
        name: measure(table.y, answers) for name, measure in expected.items()
    }
    assert results["confusion"] is None


def test_classes_that_the_model_never_saw_count_against_it(model):
    Path("odd.csv").write_text(MELONS + "green,0.7,0.4,perhaps\n")
    result = done("evaluate", model, "odd.csv", "--metric", "accuracy", "--metric", "log_loss")
    assert "warning: the model does not know the classes ['perhaps']." in result.stderr
    assert "perhaps" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--metric", "acuracy"], 2, "There is no measure 'acuracy'; choose one of accuracy"),
        (["--metric", "acuracy"], 2, "Did you mean 'accuracy'?"),
        (
            ["--metric", "rmse"],
            1,
            "rmse does not apply to a model that predicts classes: choose another --metric.",
        ),
        (["--level", "95"], 2, "95.0 is not in the range 0<x<1"),
        (["--weight", "wight"], 1, "There is no column 'wight'"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(model, melons, words, code, message):
    assert message in refused(code, "evaluate", model, melons, *words)


def test_rows_without_a_truth_are_refused(model):
    Path("gap.csv").write_text(MELONS.replace("0.38,yes", "0.38,"))
    assert refused(1, "evaluate", model, "gap.csv") == (
        "column 'ripe' is missing in 1 of 10 rows, the first of them row 1: leave these rows out."
    )


def test_numbers_are_needed_for_a_model_of_numbers(melons):
    done("fit", melons, "--learner", "KNeighborsRegressor", "--target", "sugar", "--ignore", "ripe")
    message = refused(1, "evaluate", "model.hornbook", melons, "--target", "ripe", "-q")
    assert message == "column 'ripe' is not numeric, but the model predicts numbers: see --target."


def test_too_few_rows_for_an_interval_are_said(model):
    lines = MELONS.splitlines(keepends=True)
    Path("two.csv").write_text(lines[0] + lines[1] + lines[6])
    shown = done("evaluate", model, "two.csv", "--metric", "auc", "--weight", "sugar", "-q").stdout
    assert "(too few rows for an interval)" in shown
