"""A study without a target: its verdict, its files, its report, and tables without clusters."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.studies.page_reader import read_page
from tests.studies.test_files import faults, schema

import hornbook
from hornbook import KMeans, Scaled
from hornbook.evaluation import ClusterStructure, Verdict, compare_clusterings, stability_scores
from hornbook.params import ParameterError
from hornbook.studies import Settings, StudyError
from hornbook.studies.clusters._findings import ClusterFindings
from hornbook.studies.clusters._sentences import cluster_sentences

QUICK = {"task": "clustering", "learners": ["KMeans"], "clusters": [2, 3], "cv": 4, "repeats": 1, "jobs": 1}


def sites(n=60, seed=0):
    """Three groups of plants, from three sites, with a column that says nothing."""
    draw = np.random.default_rng(seed)
    group = np.arange(n) % 3
    return {
        "petals": (4.0 * group + draw.normal(size=n) * 0.4).tolist(),
        "height": (np.array([0.0, 9.0, 2.0])[group] + draw.normal(size=n) * 0.6).tolist(),
        "site": np.array(["A", "B", "C"])[group].tolist(),
        "kind": np.array(["x", "y", "z"])[group].tolist(),
    }


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study of three groups, and its folder."""
    folder = tmp_path_factory.mktemp("clusters")
    pl.DataFrame(sites()).write_csv(folder / "plants.csv")
    return hornbook.study(
        str(folder / "plants.csv"), "kind", out=folder / "s", **QUICK | {"jobs": 2}
    ), folder / "s"


def test_the_right_number_wins_and_the_clusters_are_told_in_words(kept):
    study, _ = kept
    assert study.recommended == "KMeans k=3"
    assert study.clusters.n_clusters == 3
    assert study.sentence.startswith("3 clusters are visible: KMeans k=3 finds the same in halves")
    assert study.clusters.structure.found(0.05)
    words = " ".join(study.clusters.profile.sentences)
    assert "all site=B" in words
    assert "high height" in words
    assert study.clusters.agreement["adjusted_rand"] == 1.0
    assert study.clusters.recovery == pytest.approx((1.0, 1.0, 1.0))
    assert "The clusters" in str(study)
    assert "clustering" in repr(study)


def test_the_column_set_aside_takes_no_part(kept):
    study, _ = kept
    assert study.model.schema_.names == ("petals", "height", "site")
    assert study.settings.target == "kind"
    assert {"stability", "silhouette", "gap"} <= {curve.criterion for curve in study.clusters.curves}
    assert all(curve.low is not None for curve in study.clusters.curves)


def test_scores_are_those_of_compare_clusterings(kept):
    study, _ = kept
    table = hornbook.Frame({name: column for name, column in sites().items() if name != "kind"})
    named = {f"KMeans k={k}": Scaled(KMeans(k, random_state=0)) for k in (2, 3)}
    ours = compare_clusterings(named, table, n_splits=4, random_state=0).scores
    assert study.scores.names == ours.names
    np.testing.assert_array_equal(study.scores.values, ours.values)


def test_all_files_are_there_and_follow_the_schema(kept):
    study, folder = kept
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "results.json", "scores.csv", "clusters.csv", "model.hornbook"} <= names
    assert "predictions.csv" not in names
    results = json.loads((folder / "results.json").read_text())
    assert faults(results, schema()) == []
    assert results == study.to_dict()
    assert "plane.svg" in {path.name for path in (folder / "plots").iterdir()}


def test_the_model_file_places_new_rows(kept):
    study, folder = kept
    model = hornbook.load(folder / "model.hornbook")
    rows = {name: column for name, column in sites(seed=1).items() if name != "kind"}
    group = np.arange(60) % 3
    placed = model.predict(rows)
    assert len({(g, c) for g, c in zip(group.tolist(), placed.tolist(), strict=True)}) == 3
    assigned = pl.read_csv(folder / "clusters.csv")["cluster"].to_numpy()
    np.testing.assert_array_equal(assigned, study.clusters.labels)
    assert str(model.describe())
    assert str(model.working({name: column[0] for name, column in rows.items()}))


def test_the_report_tells_of_clusters_and_of_no_target(kept):
    study, folder = kept
    text = (folder / "report.html").read_text()
    page = read_page(text)
    assert {"clusters", "structure", "count", "ranking"} <= set(page.ids)
    assert "Clusters in" in text
    assert "Predicting" not in text
    assert text.count('class="card"') == 3
    assert study.sentences[0].split(":")[0] in text


def test_a_study_resumes_and_does_not_depend_on_jobs(kept, tmp_path):
    study, folder = kept
    journal = (folder / "records.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "s" / "folds").mkdir(parents=True)
    for path in (folder / "folds").iterdir():
        (tmp_path / "s" / "folds" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "s" / "records.jsonl").write_text("".join(journal[:-12]))
    table = folder.parent / "plants.csv"
    again = hornbook.study(str(table), "kind", out=tmp_path / "s", **QUICK)
    assert any("resumes" in note for note in again.notes)
    np.testing.assert_array_equal(again.scores.values, study.scores.values)
    np.testing.assert_array_equal(again.clusters.labels, study.clusters.labels)
    assert again.clusters.structure.to_dict() == study.clusters.structure.to_dict()


def test_the_configuration_makes_the_same_study_again(kept):
    study, folder = kept
    asked = Settings.from_toml(folder / "config.toml")
    assert asked == study.settings
    assert asked.clusters == (2, 3)
    assert "--clusters 2,3" in study.command
    assert "--task clustering" in study.command


@pytest.mark.parametrize(("other", "words"), [(1.0, "as stable"), (0.9, "more stable")])
def test_a_clustering_that_rows_without_clusters_give_as_well_is_compared_truly(other, words):
    names = ("KMeans k=2", "DBSCAN")
    splits = np.linspace(-0.01, 0.0, 6)
    scores = np.array([1.0 + splits, other + splits])
    verdict = replace(Verdict.of(stability_scores(names, scores, n_rows=60)), recommended="DBSCAN")
    usual = {"normal": np.array([[1.0, 0.1], [1.0, 0.2]] * 20)}
    findings = ClusterFindings((2,), structure=ClusterStructure(names, scores.mean(axis=1), usual))
    text = " ".join(cluster_sentences(verdict, findings))
    assert f"KMeans k=2 is {words}, but it would be so without clusters, too." in text


def test_one_cloud_is_not_called_clusters():
    draw = np.random.default_rng(2)
    cloud = draw.normal(size=(40, 2)) @ np.array([[3.0, 1.0], [0.0, 1.0]])
    study = hornbook.study(hornbook.Frame(cloud), **QUICK | {"clusters": [2]})
    assert study.sentence.startswith("No cluster structure is visible")
    assert study.clusters.structure.smallest_p > 0.05
    assert "Any division is arbitrary" in study.sentence


@pytest.mark.parametrize(
    ("table", "settings", "sentence"),
    [
        ({"a": [1.0, 2.0, 3.0]}, {}, "There are 3 rows; clusterings of two halves need at least 8"),
        ({"a": [1.0] * 20, "b": ["x"] * 20}, {}, "No column is left to learn from: 'a', 'b' are left out"),
        ({"a": [1.0, 2.0] * 10}, {"clusters": [2, 4]}, "asks for 4 clusters, and only 2 rows differ"),
        (sites(), {"clusters": [40]}, "40 clusters are too many for 60 rows: each half has 30"),
        (sites(), {"metric": "accuracy"}, "metric= has no meaning for task='clustering'"),
        (sites(), {"weight": "petals"}, "weight= has no meaning for task='clustering'"),
        (sites(), {"learners": ["NaiveBayes"]}, "NaiveBayes is for classification, and this is a clustering"),
        (sites(), {"learners": [object()]}, "'object' is not a learner for clustering"),
        (sites(), {"task": "classification"}, "clusters= is for task='clustering'"),
    ],
)
def test_what_cannot_be_clustered_is_one_sentence(table, settings, sentence):
    with pytest.raises(StudyError) as error:
        hornbook.study(table, **QUICK | settings)
    assert sentence in str(error.value)


@pytest.mark.parametrize("clusters", [1, [3, 2], [2, 2], ["2"], "2-4", 2.5, [True]])
def test_wrong_numbers_of_clusters_are_one_sentence(clusters):
    with pytest.raises(ParameterError, match="'clusters' must be ascending whole numbers from 2 on"):
        Settings(clusters=clusters)


@pytest.mark.slow
def test_categories_missing_cells_and_names_of_rows_are_dealt_with_and_said():
    table = {**sites(), "plant": [f"plant {i}" for i in range(60)]}
    table["petals"][3] = None
    notes = []
    study = hornbook.study(
        table, **QUICK | {"learners": ["KMedoids"], "clusters": [3]}, progress=lambda e: notes.append(e.text)
    )
    assert "metric" in study.learners[0].parameters
    assert study.learners[0].parameters["metric"] == "'gower'"
    assert "plant" not in study.model.schema_.names
    codes = {check.code for check in study.checks}
    assert {"missing", "categories", "scaled"} <= codes
    assert codes & {"id_like", "text"}
    assert any("There are categories" in note for note in notes)
    only = {name: table[name] for name in ("site", "kind")}
    assert hornbook.study(only, **QUICK | {"clusters": [3]}).clusters.n_clusters == 3
