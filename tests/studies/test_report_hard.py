"""Reports of studies that are unfinished, small, large, or full of names that are not meant well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.page_reader import read_page
from tests.studies.some_study import study_of

from hornbook import Baseline, Frame, NaiveBayes, datasets
from hornbook.studies import Check, LearnerInfo, Predictions
from hornbook.studies.report._figures import figures_as_svg, figures_of
from hornbook.studies.report._report import LARGEST, report_html

HOSTILE = '<script>alert("1")</script>'
NAMES = [
    HOSTILE,
    "</svg><img src=x onerror=alert(1)>",
    "a $x^2$ & \"b\" 'c' $",
    "日本語 \x00\x0b",
    "{{ 7*7 }}",
]


def random_table(n=60, classes=("x", "y"), names=("a", "b"), seed=0):
    rng = np.random.default_rng(seed)
    target = np.array(classes, dtype=object)[np.arange(n) % len(classes)]
    columns = {name: rng.normal(size=n) + (np.arange(n) % len(classes)) for name in names}
    return Frame({**columns, "target": target}, target="target")


def hostile_study():
    """A study in which every name tries to be something else."""
    table = random_table(classes=NAMES[:3], names=NAMES, n=90)
    learners = {f"{HOSTILE} learner": NaiveBayes(), "Baseline": Baseline()}
    study = study_of(table, learners, command=f"hornbook study '{HOSTILE}'", notes=(HOSTILE,))
    return replace(
        study,
        checks=(Check(HOSTILE, "left out", (HOSTILE,), HOSTILE, HOSTILE),),
        skipped=((HOSTILE, HOSTILE),),
        settings=replace(study.settings, target=HOSTILE, data=f"{HOSTILE}\ud800.csv"),
    )


@pytest.fixture(scope="module")
def iris():
    return study_of(datasets.iris(), curve=False)


def shown(study):
    page = read_page(report_html(study))
    assert page.mistakes == []
    assert len(page.ids) == len(set(page.ids))
    return page


def test_hostile_names_are_shown_as_they_are():
    study = hostile_study()
    page = shown(study)
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert all(not name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert HOSTILE in page.text
    assert "{{ 7*7 }}" in page.text
    assert "$x^2$" in page.text
    assert "\x00" not in report_html(study)
    assert "日本語" in page.text
    assert all(figure.svg for figure in figures_of(study)), [
        p.caption for p in figures_of(study) if not p.svg
    ]
    report_html(study).encode()


def test_a_study_without_a_verdict(iris):
    empty = Predictions(np.arange(3), np.array(["a"] * 3), np.zeros((1, 3), int), {}, {}, ("a",))
    study = replace(
        iris,
        verdict=None,
        unfinished="Only one fold is finished; a verdict needs two.",
        predictions=empty,
        model=None,
        importance=(),
        learning_curve=None,
        interrupted=True,
        done=3,
        total=30,
    )
    page = shown(study)
    assert "Only one fold is finished" in page.text
    assert "Interrupted after 3 of 30 folds." in page.text
    assert "No model was fitted to all rows." in page.text
    assert figures_as_svg(study) == {}
    assert "NaiveBayes" in page.text


def test_a_study_without_scores(iris):
    study = replace(iris, verdict=None, scores=None, unfinished="No fold is finished.", beside={}, model=None)
    assert "No fold is finished." in shown(study).text


def test_an_interrupted_study_counts_the_rows_it_has(iris):
    answers = {name: [array.copy() for array in arrays] for name, arrays in iris.predictions.answers.items()}
    for arrays in answers.values():
        arrays[0][:100] = np.nan
        arrays[1][:90] = np.nan
    study = replace(iris, predictions=replace(iris.predictions, answers=answers), interrupted=True)
    page = shown(study)
    assert "60 of 150 rows, each predicted by a model that had not seen it (repeat 2)" in page.text


def test_rows_of_one_class_only_have_no_curves(iris):
    answers = {name: [array.copy() for array in arrays] for name, arrays in iris.predictions.answers.items()}
    for arrays in answers.values():
        arrays[0][50:] = np.nan
        arrays[1][50:] = np.nan
    study = replace(iris, predictions=replace(iris.predictions, answers=answers))
    assert not {"roc", "precision_recall"} & set(figures_as_svg(study))
    assert "there are no curves" in shown(study).text


def test_one_learner_has_no_comparison(iris):
    study = study_of(datasets.iris(), {"NaiveBayes": NaiveBayes()}, curve=False)
    page = shown(study)
    assert "the only one" in page.text
    assert not {"chances", "critical_difference"} & set(figures_as_svg(study))


def test_learners_without_probabilities(iris):
    original = iris.predictions
    labels = {name: [original.labels(name, r) for r in range(2)] for name in original.answers}
    kinds = dict.fromkeys(original.kinds, "labels")
    study = replace(iris, predictions=replace(original, answers=labels, kinds=kinds))
    assert {"confusion"} == {"confusion", "roc", "precision_recall", "calibration"} & set(
        figures_as_svg(study)
    )
    assert "predicts no probabilities" in shown(study).text


def test_a_failed_learner_is_shown_with_its_sentence(iris):
    failed = LearnerInfo("Broken", {}, False, 2, 1, "column 'a' has a hole.")
    slow = LearnerInfo("Slow", {}, False, 3, 0, warning="It has not converged.")
    page = shown(replace(iris, learners=(*iris.learners, failed, slow)))
    assert "Slow warned It has not converged." in page.text
    assert "Broken 1 fold failed column 'a' has a hole." in page.text


def test_a_model_that_cannot_be_drawn_or_described_costs_only_its_picture(iris):
    class Strange:
        def plot(self):
            raise RuntimeError("no picture of this")

    page = shown(replace(iris, model=Strange()))
    assert "This figure could not be drawn: no picture of this" in page.text
    assert "Confusion table" in page.text


def test_twenty_classes():
    classes = [f"class {i}" for i in range(20)]
    study = study_of(random_table(400, classes), cv=4)
    page = shown(study)
    assert "the 8 largest classes" in page.text
    assert "how often the predicted class is right" in page.text
    assert len(page.all("td", **{"class": "hit"})) >= 20


def test_more_classes_than_a_table_can_show_are_a_picture():
    study = study_of(random_table(600, [f"class {i}" for i in range(30)]), cv=4)
    titles = [a.get("aria-label", "") for a in shown(study).all("svg")]
    assert any(title.startswith("Confusion table") for title in titles)


def test_many_columns_are_folded_away():
    table = random_table(names=[f"column {i}" for i in range(200)])
    page = shown(study_of(table, curve=False))
    assert "176 more columns" in page.text
    assert "column 199" in page.text


def test_columns_without_end_are_left_to_the_file(iris):
    wide = random_table(names=[f"column {i}" for i in range(1200)])
    study = replace(iris, profile=wide.profile())
    assert "901 more columns are described in results.json." in shown(study).text
    assert len(report_html(study).encode()) < LARGEST


def test_long_names_stay_within_bounds():
    names = [f"{'long ' * 2000}{i}" for i in range(40)]
    study = study_of(random_table(names=names), curve=False, model=None)
    assert len(report_html(study).encode()) < LARGEST
    shown(study)


def test_a_picture_too_large_gives_way(iris, monkeypatch):
    from hornbook.studies.report import _report

    whole = report_html(iris)
    monkeypatch.setattr(_report, "LARGEST", len(whole.encode()) - 1)
    smaller = report_html(iris)
    assert len(smaller.encode()) < len(whole.encode())
    assert "Left out to keep this page small; it is in plots/model.svg." in smaller
