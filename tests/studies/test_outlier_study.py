"""A study of outliers: which rows it lists and why, its files, its report, resuming, and bad input."""

from __future__ import annotations

import json
import shutil

import numpy as np
import polars as pl
import pytest
from tests.studies.page_reader import read_page
from tests.studies.test_files import faults, schema

import hornbook
from hornbook.studies import Settings, StudyError

QUICK = {"task": "outliers", "cv": 3, "repeats": 1, "jobs": 1}
FAR, BROKEN, LACKING = 7, 30, 55


def parts(n=200, seed=0):
    """Two sizes that go together, a weight and a color; three rows are unusual, each in another way."""
    draw = np.random.default_rng(seed)
    length = draw.normal(size=n)
    width = 2 * length + 0.15 * draw.normal(size=n)
    weight = draw.normal(10.0, 1.0, size=n)
    weight[FAR] = 40.0
    length[BROKEN], width[BROKEN] = 1.4, -2.6
    return pl.DataFrame(
        {
            "length": length,
            "width": width,
            "weight": [None if i == LACKING else float(w) for i, w in enumerate(weight)],
            "color": np.array(["red", "blue"])[draw.integers(0, 2, n)],
        }
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study of them, and its folder."""
    folder = tmp_path_factory.mktemp("outliers")
    parts().write_csv(folder / "parts.csv")
    return hornbook.study(str(folder / "parts.csv"), out=folder / "s", **QUICK | {"jobs": 2}), folder / "s"


def test_rows_that_all_methods_call_unusual_come_with_their_columns(kept):
    study, _ = kept
    by_row = {row.row: row for row in study.outliers.unusual}
    assert {FAR, BROKEN} <= set(by_row)
    assert by_row[FAR].cells[0].column == "weight"
    assert by_row[FAR].cells[0].value == "= 40"
    assert {cell.column for cell in by_row[BROKEN].cells} <= {"length", "width"}
    assert all(row.low <= row.score <= row.high for row in study.outliers.unusual)
    assert study.sentence.startswith(f"{len(by_row)} rows are unusual: all 3 methods call them so")
    assert "does not make it an error" in study.sentence
    assert f"row {FAR}" in str(study)
    assert "outliers" in repr(study)


def test_scores_agree_with_the_ranks_that_were_recorded(kept):
    study, folder = kept
    findings = study.outliers
    ranks = {
        name: np.stack([np.load(folder / "folds" / f"{stem}-r0-f{fold}.npy") for fold in range(3)])
        for name, stem in (("mixture", "mixture"), ("forest", "forest"))
    }
    for name, values in ranks.items():
        np.testing.assert_allclose(findings.by_method[name], values.mean(axis=0), atol=1e-6)
    assert all(0 <= value <= 1 for value in (findings.scores.min(), findings.scores.max()))
    assert findings.agreement["mixture"]["forest"] == pytest.approx(
        np.corrcoef(*(np.argsort(np.argsort(findings.by_method[name])) for name in ("mixture", "forest")))[
            0, 1
        ],
        abs=0.02,
    )
    assert set(findings.stability) == {"mixture", "one_class", "forest", "all"}


def test_all_files_are_there_and_follow_the_schema(kept):
    study, folder = kept
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "results.json", "scores.csv", "model.hornbook", "config.toml"} <= names
    assert "predictions.csv" not in names
    results = json.loads((folder / "results.json").read_text())
    assert faults(results, schema()) == []
    assert results == study.to_dict()
    scores = pl.read_csv(folder / "scores.csv")
    assert scores.columns == [
        "row",
        "score",
        "low",
        "high",
        "sure",
        "unusual",
        "mixture",
        "one_class",
        "forest",
    ]
    assert scores.height == 200
    assert set(scores.filter("unusual")["row"]) == {row.row for row in study.outliers.unusual}
    assert Settings.from_toml(folder / "config.toml") == study.settings
    assert study.settings.unusual == 0.1


def test_the_model_file_scores_new_rows(kept):
    _, folder = kept
    model = hornbook.load(folder / "model.hornbook")
    rows = parts(seed=1)
    scores = model.score_samples(rows)
    assert {FAR, BROKEN} <= set(np.argsort(scores)[:6].tolist())
    assert model.predict(rows)[FAR] == -1
    assert (model.predict(rows) == -1).mean() < 0.15
    assert str(model.describe())


def test_the_report_begins_with_the_rows(kept):
    study, folder = kept
    text = (folder / "report.html").read_text()
    page = read_page(text)
    assert {"rows-unusual", "methods", "checks"} <= set(page.ids)
    assert "ranking" not in page.ids
    assert "Unusual rows in" in text
    assert "There is no verdict" not in text
    assert study.sentences[0].split(":")[0] in text
    assert {"unusual.svg", "outlier_plane.svg"} <= {path.name for path in (folder / "plots").iterdir()}


def test_a_study_resumes_and_does_not_depend_on_jobs(kept, tmp_path):
    study, folder = kept
    shutil.copytree(folder / "folds", tmp_path / "s" / "folds")
    journal = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "s" / "records.jsonl").write_text("".join(journal[:-4]))
    again = hornbook.study(str(folder.parent / "parts.csv"), out=tmp_path / "s", **QUICK)
    assert any("5 folds were finished earlier" in note for note in again.notes)
    np.testing.assert_array_equal(again.outliers.scores, study.outliers.scores)
    assert again.to_dict()["outliers"] == study.to_dict()["outliers"]


def test_the_program_prints_and_inspects_it(kept, capsys):
    from hornbook.cli import main

    _, folder = kept
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(folder)])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "rows are unusual" in out
    assert "task: outliers" in out
    with pytest.raises(SystemExit):
        main(["predict", str(folder), str(folder.parent / "parts.csv")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "row,prediction,score_samples"
    assert lines[1 + FAR].startswith(f"{FAR},-1,0.0")


def test_chosen_methods_and_their_share():
    study = hornbook.study(parts(), learners=["mixture"], unusual=0.06, **QUICK)
    assert study.settings.learners == ("mixture",)
    assert study.outliers.mean_agreement is None
    assert "mixture density calls them so" in study.sentence
    assert study.model.methods == ("mixture",)
    assert study.model.share == pytest.approx(len(study.outliers.unusual) / 200)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"learners": ["forrest"]},
            r"'forrest' is not a method for task='outliers'.*Did you mean 'forest'",
        ),
        ({"learners": ["forest", "forest"]}, "names a method twice"),
        ({"metric": "auc"}, "metric= has no meaning for task='outliers'"),
        ({"clusters": [2]}, "clusters= has no meaning for task='outliers'"),
        ({"task": "clustering", "unusual": 0.1}, "unusual= has no meaning for task='clustering'"),
        ({"task": "auto", "unusual": 0.1}, "unusual= is for task='outliers'"),
    ],
)
def test_what_does_not_fit_is_refused(settings, message):
    with pytest.raises(StudyError, match=message):
        hornbook.study(parts(), **{**QUICK, **settings})


def test_too_few_rows_are_refused():
    with pytest.raises(StudyError, match="There are 9 rows; to rank halves of them takes at least 12"):
        hornbook.study(parts()[:9], **QUICK)
