"""Studies made of a comparison in memory, for tests that need one quickly."""

from __future__ import annotations

import warnings
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

import hornbook
from hornbook import Baseline, Frame, KNeighborsClassifier, KNeighborsRegressor, NaiveBayes
from hornbook.evaluation import RepeatedKFold, RepeatedStratifiedKFold, SmallFoldWarning, learning_curve
from hornbook.studies import Check, Importance, LearnerInfo, Predictions, Settings, Study

CLASSIFIERS = {
    "NaiveBayes": NaiveBayes(),
    "KNeighborsClassifier": KNeighborsClassifier(),
    "Baseline": Baseline(),
}
REGRESSORS = {"KNeighborsRegressor": KNeighborsRegressor(), "Baseline": Baseline(strategy="mean")}
BEGAN = datetime(2026, 11, 10, 9, 30)  # noqa: DTZ001 - a moment on the clock of the reader


def study_of(table: Frame, learners=None, *, cv=5, repeats=2, folder=None, curve=True, **changes) -> Study:
    """A whole study of a table with a target: its comparison, model, learning curve and importance."""
    classes = tuple(sorted(set(table.y.tolist()), key=str)) if table.y.dtype.kind != "f" else ()
    task = "classification" if classes else "regression"
    learners = learners or (CLASSIFIERS if classes else REGRESSORS)
    splitter = RepeatedStratifiedKFold if classes else RepeatedKFold
    folds = splitter(n_splits=cv, n_repeats=repeats, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallFoldWarning)  # a report is tested, not what it says
        verdict = hornbook.compare(learners, table, cv=folds)
        grown = learning_curve(learners[verdict.recommended], table, cv=3, random_state=0) if curve else None
    held_out = verdict.scores.out_of_fold
    kinds = {name: _kind(answers[0], classes) for name, answers in held_out.answers.items()}
    model = learners[verdict.recommended]
    target = next(c.name for c in table.schema.columns if c.role == "target")
    study = Study(
        settings=Settings("iris.csv", target, task, metric=verdict.scores.measure, cv=cv, repeats=repeats),
        notes=(f"target: the last column {target!r}", f"task: {task}"),
        task=task,
        classes=classes,
        n_rows=len(table),
        n_columns=len(table.features.schema),
        profile=table.profile(),
        checks=(Check("duplicate_rows", "warning", (), "3 rows repeat.", "Use --drop-duplicates."),),
        verdict=verdict,
        unfinished="",
        scores=verdict.scores,
        beside={"accuracy": dict.fromkeys(learners, 0.9)},
        predictions=Predictions(
            np.arange(len(table)),
            table.y,
            np.zeros((repeats, len(table)), int),
            kinds,
            held_out.answers,
            classes,
        ),
        learners=tuple(_info(verdict, name) for name in learners),
        skipped=(("LogisticRegression", "It would take longer than the budget."),),
        interrupted=False,
        done=len(learners) * cv * repeats,
        total=len(learners) * cv * repeats,
        learning_curve=grown,
        importance=tuple(
            Importance(c.name, 0.1 * i, 0.02) for i, c in enumerate(table.features.schema.columns)
        ),
        model=model.fit(table),
        command="hornbook study iris.csv --seed 0",
        versions={"hornbook": hornbook.__version__, "numpy": np.__version__},
        started=BEGAN,
        ended=BEGAN + timedelta(seconds=7),
        folder=folder and Path(folder),
    )
    return replace(study, **changes)


def _kind(answers, classes):
    if not classes:
        return "numbers"
    return "probabilities" if answers.ndim == 2 else "labels"


def _info(verdict, name):
    seconds = verdict.scores.seconds.get(name)
    folds = verdict.scores.values.shape[1]
    stored = verdict.scores.stored.get(name)
    return LearnerInfo(name, {"n_jobs": "1"}, False, folds, 0, "", seconds, 0.001, stored)
