"""Studies: Iris from start to finish, what a study costs beyond its fits, and how good its model is."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
import polars as pl

import hornbook
from benchmarks._automatic import automatic
from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from benchmarks.logistic import COLUMNS, numbers
from hornbook.evaluation import Dataset, StratifiedKFold, measure_by_name
from hornbook.evaluation.splits._kfold import Split
from hornbook.studies import Event, Study

SCRIPT = "import json, sys, hornbook; hornbook.study('iris', out=sys.argv[1], **json.loads(sys.argv[2]))"
LEARNERS = [
    "NaiveBayes",
    "LogisticRegression",
    "LinearDiscriminant",
    "DecisionTreeClassifier",
    "PolynomialClassifier",
]
SCALES: tuple[Literal["standard", "range"], ...] = ("standard", "range")
LONGEST = 6.0  # seconds, on two cores, without tuning
MOST = 0.10  # of the time of the fits


def iris(setting: Setting) -> Table:
    """Time a new process that studies Iris with the default set, report included."""
    options = {"cv": setting.size(10, 2), "repeats": setting.size(3, 1), "jobs": setting.jobs, "tune": "off"}
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
    folds = f"{options['cv']} x {options['repeats']} folds"
    title = f"Iris, default set, not tuned, {folds}, {setting.jobs} processes"
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

    The closer look at the recommended learner consists of further fits, and has a row of its own.
    """
    n_rows = setting.size(100_000, 2_000)
    X, y = numbers(n_rows)
    table = pl.DataFrame({f"x{j}": X[:, j] for j in range(COLUMNS)} | {"y": y})
    clock = Clock()
    options = {"cv": setting.size(10, 2), "repeats": setting.size(3, 1), "jobs": setting.jobs}
    result: Study = hornbook.study(table, learners=LEARNERS, progress=clock, **options)
    whole = perf_counter() - clock.start
    bare = sum(row.done * ((row.fit_seconds or 0) + (row.predict_seconds or 0)) for row in result.learners)
    bare /= setting.jobs
    look = whole - clock.phases["a closer look"]
    extra = (whole - look) / bare - 1
    rows = [
        Row(
            "fits and predictions in the folds",
            bare,
            1.0,
            f"{result.done} folds of {len(LEARNERS) + 1} learners",
        ),
        Row("study without the closer look", whole - look, bare / (whole - look), f"{extra:.1%} more"),
        Row("closer look at the recommended learner", look),
    ]
    more = f"{extra:.1%} more than the fits"
    target = Target(f"under {MOST:.0%} more than the fits", more, judged(setting.quick, extra < MOST))
    return Table(f"study, {n_rows:,} x {COLUMNS}, {setting.jobs} processes", rows, [target])


def mixed(n_rows: int) -> hornbook.Frame:
    """A table of 6 columns of numbers and 10 of words with 10 to 100 levels, and two classes."""
    draws = np.random.default_rng(0)
    table: dict[str, Any] = {f"x{j}": draws.normal(size=n_rows) for j in range(6)}
    for j in range(1, 11):
        table[f"c{j}"] = draws.choice([f"level {k}" for k in range(10 * j)], n_rows).tolist()
    signal = table["x0"] + (np.array(table["c1"]) == "level 1") + draws.normal(size=n_rows)
    return hornbook.Frame(table | {"y": np.where(signal > 0.5, "yes", "no").tolist()}, target="y")


# Learners that want the encoded matrix. A fit of the first takes one pass over it, of the others many.
LINEAR = {
    "means of classes": [hornbook.NearestMeanClassifier(), hornbook.BasicLinearClassifier()],
    "solved models": [hornbook.LinearDiscriminant(), hornbook.LogisticRegression(max_iter=20)],
}


def scores_in_folds(
    learners: Sequence[Any], data: Dataset, folds: Sequence[Split], *, prepare: bool
) -> list[float]:
    """Fit and score all learners in all folds, as `hornbook.compare` does, or without preparing the rows."""
    rows = data.folds(folds) if prepare else ((data[train], data[test]) for train, test in folds)
    measure = measure_by_name("error_rate")
    return [test.score(measure, train.fit(learner).model) for train, test in rows for learner in learners]


def encoding(setting: Setting, title: str, table: hornbook.Frame, linear: Sequence[Any]) -> Table:
    """Compare rows that are encoded once a fold with rows that every learner encodes for itself."""
    data = Dataset.of("benchmark", table)
    learners = [*linear, *(hornbook.Scaled(learner, scale=how) for how in SCALES for learner in linear)]
    splitter = StratifiedKFold(setting.size(10, 2), shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small folds and few iterations, which do for comparing times
        folds = list(splitter.split(data.X, data.y))
        work = partial(scores_in_folds, learners, data, folds)
        times = best_of(
            {
                "each learner encodes for itself": partial(work, prepare=False),
                "rows encoded once a fold": partial(work, prepare=True),
            },
            setting.rounds,
        )
    alone, shared = times.values()
    equal = "same scores to the last bit" if alone.result == shared.result else "OTHER SCORES"
    rows = [
        Row(who, timed.seconds, alone.seconds / timed.seconds, "" if timed is alone else equal)
        for who, timed in times.items()
    ]
    shape = f"{len(data):,} x {len(data.X.schema)}"
    return Table(f"{title}, {shape}, {len(learners)} learners, {len(folds)} folds", rows)


def run(setting: Setting) -> Iterator[Table]:
    yield iris(setting)
    yield overhead(setting)
    yield from automatic(setting)
    tables = {
        "words with up to 100 levels": mixed(setting.size(9_000, 500)),
        "Iris": hornbook.datasets.iris(),
    }
    for table, rows in tables.items():
        for models, linear in LINEAR.items():
            yield encoding(setting, f"{models}, {table}", rows, linear)
