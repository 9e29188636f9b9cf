"""Large tables: the report stays small and quick."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from tests.studies.some_study import study_of

from hornbook import Baseline, Frame, KNeighborsClassifier, NaiveBayes, datasets
from hornbook.evaluation import Scores, Verdict
from hornbook.studies import LearnerInfo
from hornbook.studies.report._figures import figures_of
from hornbook.studies.report._report import LARGEST, report_html
from hornbook.studies.report._svg import drawing, svg_of

N = 100_000


def large(task):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 28))
    y = x[:, 0] + rng.normal(size=N)
    columns = {f"x{j}": x[:, j] for j in range(28)}
    return Frame({**columns, "y": np.where(y > 0, "yes", "no") if task == "classes" else y}, target="y")


def with_rows(study, table, answers, model):
    """The same study of many more rows."""
    original = study.predictions
    name = study.recommended
    more = replace(
        original,
        rows=np.arange(N),
        truth=table.y,
        answers={name: [answers]},
        kinds={name: original.kinds[name]},
    )
    return replace(
        study, n_rows=N, profile=table.profile(), predictions=more, model=model, classes=original.classes
    )


def test_a_hundred_thousand_rows_of_two_classes_fit_into_two_megabytes():
    table = large("classes")
    study = study_of(table[:200], {"NaiveBayes": NaiveBayes(), "Baseline": Baseline()}, curve=False)
    model = NaiveBayes().fit(table)
    study = with_rows(study, table, model.predict_proba(table.features), model)
    sizes = {figure.name: len(figure.svg) for figure in figures_of(study)}
    assert {"roc", "precision_recall", "calibration", "confusion"} <= set(sizes)
    assert max(sizes.values()) < 250_000
    assert len(report_html(study).encode()) < LARGEST / 4


def test_a_hundred_thousand_residuals_are_pixels():
    table = large("numbers")
    learners = {"Mean": Baseline(strategy="mean"), "Median": Baseline(strategy="median")}
    study = study_of(table[:200], learners, curve=False)
    study = with_rows(study, table, np.asarray(table.features.column(0)), study.model)
    sizes = {figure.name: len(figure.svg) for figure in figures_of(study)}
    assert sizes["residuals"] < 40_000
    assert sizes["agreement"] < 40_000
    assert len(report_html(study).encode()) < LARGEST / 4


def test_a_model_of_many_rows_is_drawn_as_pixels():
    table = large("classes").select(["x0", "x1", "y"])[:20_000]
    model = KNeighborsClassifier().fit(table)
    with drawing():
        text = svg_of(model.plot(), "model")
    assert "data:image/png;base64," in text
    assert len(text) < 300_000


def many_learners(count):
    """Iris with the answers of one learner under many names."""
    study = study_of(datasets.iris(), cv=10, repeats=3, curve=False)
    names = [f"Learner{i}" for i in range(count)]
    first = study.scores.values[0]
    values = np.stack([first * (1 + 0.05 * i) + 0.001 * i for i in range(count)])
    scores = replace(study.scores, names=names, values=values, seconds={}, stored={}, out_of_fold=None)
    assert isinstance(scores, Scores)
    original = study.predictions
    answers = dict.fromkeys(names, original.answers["NaiveBayes"])
    infos = tuple(LearnerInfo(name, {}, False, 30, 0, "", 0.01, 0.001, 50.0) for name in names)
    return replace(
        study,
        verdict=Verdict.of(scores),
        scores=scores,
        beside={"accuracy": dict.fromkeys(names, 0.9)},
        predictions=replace(original, answers=answers, kinds=dict.fromkeys(names, "probabilities")),
        learners=infos,
    )


def test_twenty_five_learners_take_a_few_seconds():
    study = many_learners(25)
    start = time.process_time()
    size = len(report_html(study).encode())
    assert time.process_time() - start < 5
    assert size < LARGEST / 4
