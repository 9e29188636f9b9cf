"""``evaluate`` on rows that the model was fitted on says so."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.cli.running import data_of, done

from hornbook import datasets

VERY_ROWS = "these are exactly the training rows of the model"


@pytest.fixture
def iris(tmp_path, monkeypatch):
    """The rows of Iris, each once, of which 70 are for the fit."""
    monkeypatch.chdir(tmp_path)
    rows = datasets.iris().to_polars().unique(maintain_order=True)
    table = rows.sample(fraction=1, shuffle=True, seed=0)
    table[:70].write_csv("train.csv")
    table[70:].write_csv("test.csv")
    return table


def fit(*more):
    done("fit", "train.csv", "--target", "species", "--learner", "NaiveBayes", *more)
    return "model.hornbook"


def test_the_rows_of_the_fit(iris):
    model = fit()
    assert VERY_ROWS in done("evaluate", model, "train.csv").stderr
    assert data_of("evaluate", model, "train.csv")["seen_in_training"] == 1.0
    iris[:70].reverse().write_parquet("again.parquet")
    assert VERY_ROWS in done("evaluate", model, "again.parquet").stderr
    iris[:70].select(reversed(iris.columns)).write_csv("turned.csv")
    assert VERY_ROWS in done("evaluate", model, "turned.csv", "--target", "species").stderr


def test_rows_that_are_new(iris):
    del iris
    model = fit()
    result = done("evaluate", model, "test.csv")
    assert "fitted on" not in result.stderr
    assert "training data" not in result.stderr
    assert data_of("evaluate", model, "test.csv")["seen_in_training"] == 0.0


def test_a_part_of_the_rows(iris):
    model = fit()
    pl.concat([iris[:40], iris[70:80]]).write_csv("mixed.csv")
    assert "about 80% of these rows were in the training data" in done("evaluate", model, "mixed.csv").stderr


def test_it_can_be_switched_off(iris):
    del iris
    model = fit("--no-fingerprint")
    assert "fitted on" not in done("evaluate", model, "train.csv").stderr
    assert data_of("evaluate", model, "train.csv")["seen_in_training"] is None


def test_rows_read_in_pieces(iris):
    del iris
    model = fit("--stream")
    assert VERY_ROWS in done("evaluate", model, "train.csv").stderr


@pytest.mark.slow
@pytest.mark.parametrize(("more", "seen"), [([], 1.0), (["--no-fingerprint"], None)])
def test_the_model_of_a_study(iris, more, seen):
    del iris
    done(
        "study", "train.csv", "--target", "species", "--learners", "NaiveBayes", "--cv", "2",
        "--repeats", "1", "--out", "out", *more,
    )  # fmt: skip
    assert Path("out/model.hornbook").is_file()
    assert data_of("evaluate", "out", "train.csv")["seen_in_training"] == seen
