"""DBSCAN against scikit-learn's, on rows in groups, without groups and with tied values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn import cluster

from benchmarks._measure import Setting, Timed, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import DBSCAN

MIN_SAMPLES = 10
# Rows, of a quick run too, columns, kind of rows, radius, and how many times as fast as scikit-learn.
SHAPES = (
    (200_000, 5_000, 3, "groups", 0.4, 3.0),
    (200_000, 5_000, 3, "uniform", 0.4, 3.0),
    (200_000, 5_000, 3, "tied", 0.4, 3.0),
    (100_000, 5_000, 2, "groups", 0.1, 3.0),
    (100_000, 3_000, 8, "groups", 1.5, 2.0),
    (100_000, 2_000, 16, "groups", 3.5, 2.0),
    (30_000, 2_000, 16, "uniform", 9.0, 2.0),
    (30_000, 2_000, 16, "uniform", 7.0, 2.0),
    (30_000, 2_000, 16, "tied", 9.0, 2.0),
    (30_000, 2_000, 16, "few groups", 4.5, 2.0),
    (20_000, 2_000, 32, "uniform", 13.0, 1.5),
    (10_000, 1_000, 64, "uniform", 24.0, 1.5),
)


def points(n_rows: int, n_columns: int, kind: str) -> np.ndarray:
    """Return rows in 20 or 3 groups, uniformly spread, or on a grid, where distances tie."""
    rng = np.random.default_rng(0)
    if kind in ("groups", "few groups"):
        k = 20 if kind == "groups" else 3
        places = rng.random((k, n_columns)) * 20
        return places[rng.integers(k, size=n_rows)] + rng.normal(size=(n_rows, n_columns))
    X = rng.random((n_rows, n_columns)) * 10
    return np.round(4 * X) / 4 if kind == "tied" else X


def work(learner: Any, X: np.ndarray) -> Callable[[], Any]:
    return lambda: learner.fit(X)


def compare(title: str, timed: dict[str, Timed], goal: float, setting: Setting) -> Table:
    ours, theirs = timed["hornbook"], timed["scikit-learn"]
    rows = []
    for who, run in timed.items():
        labels = run.result.labels_
        quality = f"{labels.max() + 1} clusters, {(labels < 0).mean():.1%} noise"
        rows.append(Row(who, run.seconds, theirs.seconds / run.seconds, quality))
    speed = theirs.seconds / ours.seconds
    same = bool((ours.result.labels_ == theirs.result.labels_).all())
    asked = f"at least {goal:g} times as fast as scikit-learn"
    targets = [
        Target(asked, f"{speed:.2f}", judged(setting.quick, speed >= goal)),
        Target("the labels of scikit-learn", "equal" if same else "different", same),
    ]
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    speeds = []
    for large, small, n_columns, kind, eps, goal in SHAPES:
        n_rows = setting.size(large, small)
        X = points(n_rows, n_columns, kind)
        options = {"eps": eps, "min_samples": MIN_SAMPLES, "n_jobs": setting.jobs}
        works = {
            "hornbook": work(DBSCAN(**options), X),
            "scikit-learn": work(cluster.DBSCAN(**options), X),
        }
        title = f"{kind}, eps {eps:g}, {n_rows:,} x {n_columns} float64, {setting.jobs} threads"
        timed = best_of(works, setting.rounds)
        speeds.append(timed["scikit-learn"].seconds / timed["hornbook"].seconds)
        yield compare(title, timed, goal, setting)
    quality = f"worst {min(speeds):.2f}, mean {np.exp(np.mean(np.log(speeds))):.2f} times scikit-learn"
    yield Table("all shapes", [Row("hornbook", quality=quality)], [])
