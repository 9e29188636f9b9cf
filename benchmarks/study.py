"""Studies: Iris from start to finish, and what a study costs beyond the fits it makes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

import hornbook
from benchmarks._measure import Setting
from benchmarks._report import Row, Table, Target, judged
from benchmarks.logistic import COLUMNS, numbers
from hornbook.evaluation import StratifiedKFold
from hornbook.frame import spared_seconds
from hornbook.studies import Event, Study

SCRIPT = "import json, sys, hornbook; hornbook.study('iris', out=sys.argv[1], **json.loads(sys.argv[2]))"
LEARNERS = [
    "NaiveBayes",
    "LogisticRegression",
    "LinearDiscriminant",
    "DecisionTreeClassifier",
    "PolynomialClassifier",
]
LONGEST = 15.0  # seconds, on two cores
MOST = 0.10  # of the time of the fits


def iris(setting: Setting) -> Table:
    """Time a new process that studies Iris with all learners, report included."""
    options = {"cv": setting.size(10, 2), "repeats": setting.size(3, 1), "jobs": setting.jobs}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "study")
        start = perf_counter()
        subprocess.run([sys.executable, "-c", SCRIPT, str(out), json.dumps(options)], check=True)
        seconds = perf_counter() - start
        size = (out / "report.html").stat().st_size
        lines = len((out / "records.jsonl").read_text().splitlines()) - 1
    target = Target(
        f"under {LONGEST:g} s on two cores", f"{seconds:.1f} s", judged(setting.quick, seconds < LONGEST)
    )
    row = Row("hornbook", seconds, None, f"{lines} fits in folds, report of {size // 1000} kB")
    title = f"Iris, all learners, {options['cv']} x {options['repeats']} folds, {setting.jobs} processes"
    return Table(title, [row], [target])


class Clock:
    """When the parts of a study began."""

    def __init__(self) -> None:
        self.start = perf_counter()
        self.phases: dict[str, float] = {}

    def __call__(self, event: Event) -> None:
        if event.kind == "phase":
            self.phases[event.text.split(" at ")[0]] = perf_counter() - self.start


def overhead(setting: Setting) -> Table:
    """Compare the time of a whole study with the fits and predictions in its folds.

    The closer look at the recommended learner consists of further fits, and is told apart.
    """
    n_rows = setting.size(100_000, 2_000)
    X, y = numbers(n_rows)
    table = pl.DataFrame({f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y})
    clock = Clock()
    options = {"cv": setting.size(10, 2), "repeats": setting.size(3, 1), "jobs": setting.jobs}
    found: Study = hornbook.study(table, learners=LEARNERS, progress=clock, **options)
    whole = perf_counter() - clock.start
    bare = sum(each.done * ((each.fit_seconds or 0) + (each.predict_seconds or 0)) for each in found.learners)
    bare /= setting.jobs
    look = whole - clock.phases["a closer look"]
    extra = (whole - look) / bare - 1
    rows = [
        Row(
            "fits and predictions in the folds",
            bare,
            1.0,
            f"{found.done} folds of {len(LEARNERS) + 1} learners",
        ),
        Row("study without the closer look", whole - look, bare / (whole - look), f"{extra:.1%} more"),
        Row("closer look at the recommended learner", look),
    ]
    told = f"{extra:.1%} more than the fits"
    target = Target(f"under {MOST:.0%} more than the fits", told, judged(setting.quick, extra < MOST))
    return Table(f"study, {n_rows:,} x {COLUMNS}, {setting.jobs} processes", rows, [target])


def mixed(n_rows: int) -> hornbook.Frame:
    """A table of 6 columns of numbers and 8 of words, with a target of two classes."""
    draws = np.random.default_rng(0)
    table: dict[str, Any] = {f"x{j}": draws.normal(size=n_rows) for j in range(6)}
    for j in range(8):
        table[f"c{j}"] = draws.choice([f"level {k}" for k in range(4 + 2 * j)], n_rows).tolist()
    chance = table["x0"] + (np.array(table["c0"]) == "level 1") + draws.normal(size=n_rows)
    return hornbook.Frame(table | {"y": np.where(chance > 0.5, "yes", "no").tolist()}, target="y")


def encoding(setting: Setting) -> Table:
    """Show what it gains that the rows of a fold are encoded once for all learners."""
    n_rows = setting.size(9_000, 500)
    learners: list[Any] = [hornbook.LogisticRegression(), hornbook.LinearDiscriminant()]
    learners += [hornbook.Scaled(each) for each in learners]
    folds = StratifiedKFold(setting.size(10, 2), shuffle=True, random_state=0)
    table, spared, start = mixed(n_rows), spared_seconds(), perf_counter()
    hornbook.compare(learners, table, cv=folds, progress=False)
    seconds, spared = perf_counter() - start, spared_seconds() - spared
    alone = seconds + spared
    rows = [
        Row("each learner encodes for itself", alone, 1.0, "the time taken and the time spared"),
        Row("rows encoded once in each fold", seconds, alone / seconds, f"{spared:.2f} s spared"),
    ]
    return Table(
        f"compare, {n_rows:,} x 14 with words, {len(learners)} learners, {folds.n_splits} folds", rows
    )


def run(setting: Setting) -> Iterator[Table]:
    yield iris(setting)
    yield overhead(setting)
    yield encoding(setting)
