"""The positive one of two classes: fixed once on the whole table, said and recorded."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.running import data_of, done, refused

import hornbook
from hornbook.evaluation import choose_positive, f_measure, pr_area, precision, recall

STUDY = ("--learners", "NaiveBayes", "--cv", "3", "--repeats", "1", "--seed", "0")


@pytest.fixture
def patients(folder):
    """Sixty patients; the rarer class sorts first."""
    draws = np.random.default_rng(0)
    ill = np.arange(60) % 4 == 0
    table = pl.DataFrame(
        {
            "fever": np.round(draws.normal(37 + ill, 0.8), 2),
            "cough": np.where(draws.random(60) < np.where(ill, 0.8, 0.3), "yes", "no"),
            "state": np.where(ill, "ill", "well"),
        }
    )
    table.write_csv("patients.csv")
    return "patients.csv"


@pytest.mark.parametrize(
    ("rows", "asked", "positive"),
    [
        ({"ill": 10, "well": 90}, None, "ill"),
        ({"ill": 90, "well": 10}, None, "well"),
        ({"a": 5, "b": 5}, None, "b"),
        ({0: 10, 1: 90}, None, 1),
        ({-1: 10, 1: 90}, None, 1),
        ({False: 10, True: 90}, None, True),
        ({1: 90, 2: 10}, None, 1),
        ({"ill": 10, "well": 90}, "well", "well"),
        ({0: 10, 1: 90}, "0", 0),
    ],
)
def test_the_rule(rows, asked, positive):
    assert choose_positive(rows, asked)[0] == positive


def test_a_study_measures_the_rarer_class_and_says_and_records_it(patients):
    words = ("study", patients, *STUDY, "--metric", "f_measure")
    stderr = done(*words, "--out", "run").stderr
    assert "positive: 'ill', the rarer class; --positive names the other" in stderr
    results = data_of(*words, "--out", "again", "-q")
    assert (results["positive"], results["settings"]["positive"], results["scores"]["positive"]) == (
        "ill",
    ) * 3
    assert tomllib.loads(Path("run/config.toml").read_text())["positive"] == "ill"
    assert set(pl.read_csv("run/scores.csv")["positive"]) == {"ill"}
    kept = pl.read_csv("run/predictions.csv")
    folds = [
        f_measure(part["truth"].to_numpy(), part["prediction"].to_numpy(), positive="ill", zero_division=0)
        for _, part in sorted(kept.group_by("fold"))
    ]
    assert results["scores"]["values"]["NaiveBayes"] == pytest.approx(folds)


@pytest.mark.slow
def test_the_other_class_when_asked(patients):
    words = ("study", patients, *STUDY, "-q", "--metric")
    rarer = data_of(*words, "pr_area", "--out", "ill")
    other = data_of(*words, "pr_area", "--positive", "well", "--out", "well")
    kept = pl.read_csv("well/predictions.csv")
    for results, label in ((rarer, "ill"), (other, "well")):
        folds = [
            pr_area(part["truth"].to_numpy(), part[f"p({label})"].to_numpy(), positive=label)
            for _, part in sorted(kept.group_by("fold"))
        ]
        assert results["scores"]["values"]["NaiveBayes"] == pytest.approx(folds)
    shown = done("compare", "ill", "well").stdout
    assert "different positive classes, 'ill' and 'well'" in shown


def test_evaluate_takes_the_same_rule(patients):
    done("fit", patients, "--learner", "NaiveBayes", "-q")
    words = ("evaluate", "model.hornbook", patients, "--metric", "precision", "--metric", "recall")
    assert "positive: 'ill', the rarer class; --positive names the other." in done(*words).stderr
    table = hornbook.read(patients, target="state")
    predicted = hornbook.load("model.hornbook").predict(table)
    for label in ("ill", "well"):
        results = data_of(*words, "--positive", label)
        assert results["positive"] == label
        for name, measure in (("precision", precision), ("recall", recall)):
            assert results["measures"][name]["value"] == measure(table.y, predicted, positive=label)
    assert "positive" not in done("evaluate", "model.hornbook", patients).stderr


def test_compare_takes_the_same_rule(patients):
    done("study", patients, *STUDY, "--out", "run", "-q")
    Path("a.csv").write_bytes(Path("run/predictions.csv").read_bytes())
    kept = pl.read_csv("a.csv")
    kept.with_columns(prediction=pl.lit("ill")).write_csv("b.csv")
    result = done("compare", "a.csv", "b.csv", "--metric", "recall")
    assert "positive: 'ill'; --positive names the other." in result.stderr
    assert data_of("compare", "a.csv", "b.csv", "--metric", "recall")["best"] == "b"
    other = data_of("compare", "a.csv", "b.csv", "--metric", "recall", "--positive", "well")
    assert (other["best"], other["positive"]) == ("a", "well")


def test_what_is_no_class_is_refused(patients):
    message = refused(1, "study", patients, *STUDY, "--positive", "dead", "-q")
    assert "'dead' is not one of the classes 'ill' and 'well'" in message
    message = refused(1, "study", "iris", *STUDY, "--positive", "setosa", "-q")
    assert "--positive is for two classes" in message
