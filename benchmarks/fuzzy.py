"""Fuzzy c-means, the same number of passes from the same memberships, against scikit-fuzzy's."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import FuzzyCMeans, _native
from hornbook.clustering import PowerTransform

PASSES = 30
GOAL = 10.0
# Rows, columns, clusters, and whether values are whole numbers, so that many are equal.
SHAPES = (
    (100_000, 8, 10, False),
    (100_000, 2, 3, False),
    (100_000, 32, 10, False),
    (20_000, 8, 40, False),
    (100_000, 4, 4, True),
    (20_000, 64, 5, False),
)


def points(n_rows: int, columns: int, k: int, *, tied: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return rows in overlapping groups, and centers to start from."""
    rng = np.random.default_rng(0)
    places = rng.normal(size=(k, columns)) * 2.0
    X = places[rng.integers(k, size=n_rows)] + rng.normal(size=(n_rows, columns))
    X = np.rint(X) if tied else X
    return X, X[rng.choice(n_rows, k, replace=False)] + 0.01 * rng.normal(size=(k, columns))


def ours(X: np.ndarray, start: np.ndarray, jobs: int) -> Callable[[], Any]:
    model = FuzzyCMeans(len(start), init=start, max_iter=PASSES, tol=0.0, n_jobs=jobs)

    def fit() -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so few passes are not enough to converge
            return float(model.fit(X).objective_)

    return fit


def theirs(skfuzzy: Any, X: np.ndarray, start: np.ndarray) -> Callable[[], Any]:
    # It starts from memberships: those of our centers. Rows are columns there.
    first = PowerTransform().shared(_native.square_distances(X, start, 1)).T
    table = np.ascontiguousarray(X.T)

    def fit() -> float:
        _, u, _, distances, *_ = skfuzzy.cmeans(table, len(start), 2.0, 0.0, PASSES, init=first)
        return float(np.square(u * distances).sum())

    return fit


def compare(title: str, timed: dict[str, Timed], setting: Setting) -> tuple[Table, float]:
    mine, other = timed["hornbook"], timed.get("scikit-fuzzy")
    if other is None:
        quality = f"objective {mine.result:.10g}"
        return Table(title, [Row("hornbook", mine.seconds, None, quality), Row("scikit-fuzzy")]), np.inf
    speed = other.seconds / mine.seconds
    rows = [
        Row(who, run.seconds, other.seconds / run.seconds, f"objective {run.result:.10g}")
        for who, run in timed.items()
    ]
    gap = abs(mine.result / other.result - 1.0)
    targets = [
        Target(
            f"at least {GOAL:g} times as fast as scikit-fuzzy",
            f"{speed:.2f}",
            judged(setting.quick, speed >= GOAL),
        ),
        Target("the objective of scikit-fuzzy to 1e-6", f"{gap:.1e}", gap <= 1e-6),
    ]
    return Table(title, rows, targets), speed


def run(setting: Setting) -> Iterator[Table]:
    skfuzzy = peer("skfuzzy")
    speeds = []
    for n, columns, k, tied in SHAPES:
        n_rows = setting.size(n, 2000)
        X, start = points(n_rows, columns, k, tied=tied)
        works = {"hornbook": ours(X, start, setting.jobs)}
        if skfuzzy is not None:
            works["scikit-fuzzy"] = theirs(skfuzzy, X, start)
        values = "whole numbers" if tied else "float64"
        title = f"{n_rows:,} x {columns} {values}, k={k}, {PASSES} passes, {setting.jobs} threads"
        table, speed = compare(title, best_of(works, setting.rounds), setting)
        speeds.append(speed)
        yield table
    if skfuzzy is not None:
        worst = min(speeds)
        verdict = Target(
            f"at least {GOAL:g} times as fast on every shape",
            f"worst {worst:.1f}, mean {float(np.mean(speeds)):.1f}",
            judged(setting.quick, worst >= GOAL),
        )
        yield Table("Fuzzy c-means, all shapes", [], [verdict])
