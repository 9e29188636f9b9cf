"""Naive Bayes, fit and predict, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from benchmarks._growth import growth
from benchmarks._measure import Setting, Timed, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import Frame, NaiveBayes

COLUMNS = 28
LEVELS = 8


def numbers(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two normal classes that overlap."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows)
    X = rng.normal(size=(n_rows, COLUMNS)) * rng.uniform(0.5, 2.0, size=COLUMNS)
    X += y[:, None] * rng.uniform(0.0, 0.6, size=COLUMNS)
    return X, y


def categories(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return codes whose shares differ a little between two classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows)
    tilt = rng.uniform(0.0, 0.4, size=COLUMNS)
    draw = rng.uniform(size=(n_rows, COLUMNS)) ** (1.0 + y[:, None] * tilt)
    return (draw * LEVELS).astype(np.int32), y


def compare(title: str, timed: dict[str, Timed], y: np.ndarray, setting: Setting) -> Table:
    reference = timed["scikit-learn"]
    rows = []
    for who, run in timed.items():
        accuracy = np.mean(run.result == y)
        differ = int(np.sum(run.result != reference.result))
        quality = f"accuracy {accuracy:.6f}" + (f", {differ} predictions differ" if differ else "")
        rows.append(Row(who, run.seconds, reference.seconds / run.seconds, quality))
    rows.append(Row("scikit-learn-intelex", quality="has no naive Bayes"))
    speed = reference.seconds / timed["hornbook"].seconds
    equal = bool(np.array_equal(timed["hornbook"].result, reference.result))
    targets = [
        Target("at least 2 times as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 2)),
        Target("the predictions of scikit-learn", "equal" if equal else "different", equal),
    ]
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    n_rows = setting.size(500_000, 5_000)
    X, y = numbers(n_rows)
    # scikit-learn adds 1e-9 of the largest variance to all; both are told not to.
    works: dict[str, Any] = {
        "hornbook": lambda: NaiveBayes(var_smoothing=0.0, n_jobs=setting.jobs).fit(X, y).predict(X),
        "scikit-learn": lambda: GaussianNB(var_smoothing=0.0).fit(X, y).predict(X),
    }
    size = f"{n_rows:,} x {COLUMNS}"
    ending = f"2 classes, {setting.jobs} threads"
    title = f"fit and predict, normal densities, {size} float64, {ending}"
    yield compare(title, best_of(works, setting.rounds), y, setting)

    codes, y = categories(n_rows)
    kinds: Any = dict.fromkeys(range(COLUMNS), "nominal")
    ready = Frame(codes, kinds=kinds)
    works = {
        "hornbook": lambda: on_frame(Frame(codes, kinds=kinds), y, setting.jobs),
        "hornbook, Frame at hand": lambda: on_frame(ready, y, setting.jobs),
        "scikit-learn": lambda: CategoricalNB().fit(codes, y).predict(codes),
    }
    title = (
        f"fit and predict, {n_rows:,} x {COLUMNS} categories of {LEVELS}, 2 classes, {setting.jobs} threads"
    )
    yield compare(title, best_of(works, setting.rounds), y, setting)
    yield growth(setting, {"NaiveBayes": (NaiveBayes, False)})


def on_frame(table: Frame, y: np.ndarray, jobs: int) -> np.ndarray:
    return NaiveBayes(n_jobs=jobs).fit(table, y).predict(table)
