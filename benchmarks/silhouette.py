"""The mean silhouette width of many rows, against scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import silhouette_score
from threadpoolctl import threadpool_limits

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook.evaluation import silhouette

GOAL = 5.0
# Columns, clusters, and whether values are whole numbers, so that many distances are equal.
SHAPES = ((2, 3, False), (8, 8, False), (32, 50, False), (4, 8, True))


def widths(
    setting: Setting, n_rows: int, n_columns: int, n_clusters: int, *, tied: bool
) -> tuple[Table, float]:
    rng = np.random.default_rng(0)
    labels = rng.integers(n_clusters, size=n_rows)
    X = rng.normal(size=(n_rows, n_columns)) + rng.normal(size=(n_clusters, n_columns))[labels]
    X = np.rint(X) if tied else X
    with threadpool_limits(setting.jobs):
        timed = best_of(
            {
                "hornbook": lambda: silhouette(X, labels, n_jobs=setting.jobs),
                "scikit-learn": lambda: silhouette_score(X, labels),
            },
            setting.rounds,
        )
    reference = timed["scikit-learn"]
    speed = reference.seconds / timed["hornbook"].seconds
    apart = abs(timed["hornbook"].result - reference.result)
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, f"width {run.result:.9f}")
        for who, run in timed.items()
    ]
    targets = [
        Target(
            f"at least {GOAL:g} times as fast as scikit-learn",
            f"{speed:.2f}",
            judged(setting.quick, speed >= GOAL),
        ),
        Target("the same width within 1e-9", f"{apart:.1e}", apart <= 1e-9),
    ]
    values = "whole numbers" if tied else "float64"
    title = f"{n_rows:,} x {n_columns} {values} in {n_clusters} clusters, {setting.jobs} threads"
    return Table(title, rows, targets), speed


def run(setting: Setting) -> Iterator[Table]:
    speeds = []
    for n_columns, n_clusters, tied in SHAPES:
        table, speed = widths(setting, setting.size(20_000, 1_000), n_columns, n_clusters, tied=tied)
        speeds.append(speed)
        yield table
    quality = f"worst {min(speeds):.2f}, mean {np.exp(np.mean(np.log(speeds))):.2f} times scikit-learn"
    yield Table("all shapes", [Row("hornbook", quality=quality)], [])
