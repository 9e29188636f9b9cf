"""K-means, twenty passes from the same centers, then from k-means++, against scikit-learn's and intelex's."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as Theirs

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import KMeans

PASSES = 20
GOAL = 2.0
# Rows, columns, clusters, and how the rows lie; "tied" are overlapping groups of whole numbers.
SHAPES = (
    (500_000, 16, 20, "apart"),
    (500_000, 16, 20, "overlapping"),
    (500_000, 16, 20, "uniform"),
    (1_000_000, 2, 8, "overlapping"),
    (200_000, 4, 5, "overlapping"),
    (200_000, 8, 10, "tied"),
    (100_000, 64, 20, "overlapping"),
    (50_000, 16, 100, "overlapping"),
    (20_000, 200, 10, "overlapping"),
    (10_000, 10, 8, "overlapping"),
    (2_000, 5, 5, "overlapping"),
)


def points(n_rows: int, columns: int, k: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rows in groups that are apart, that overlap, or in none, and centers to start from."""
    rng = np.random.default_rng(0)
    if kind == "uniform":
        X = rng.random((n_rows, columns))
    else:
        places = rng.normal(size=(k, columns)) * (3.0 if kind == "apart" else 1.0)
        X = places[rng.integers(k, size=n_rows)] + rng.normal(size=(n_rows, columns))
    start = X[rng.choice(n_rows, k, replace=False)]
    return (np.rint(X) if kind == "tied" else X), start


def work(learner: Any, X: np.ndarray) -> Callable[[], Any]:
    def fit() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # twenty passes are not enough to converge
            return learner.fit(X)

    return fit


def compare(
    title: str, timed: dict[str, Timed], setting: Setting, *, same_start: bool
) -> tuple[Table, float]:
    ours, reference = timed["hornbook"], timed["scikit-learn"]
    rows = []
    for who, run in timed.items():
        quality = f"inertia {run.result.inertia_:.10g}, {run.result.n_iter_} passes"
        rows.append(Row(who, run.seconds, reference.seconds / run.seconds, quality))
    if "scikit-learn-intelex" not in timed:
        rows.append(Row("scikit-learn-intelex"))
    speed = min(run.seconds for who, run in timed.items() if who != "hornbook") / ours.seconds
    reached = judged(setting.quick, speed >= GOAL)
    targets = [Target(f"at least {GOAL:g} times as fast as the fastest peer", f"{speed:.2f}", reached)]
    if same_start:  # draws of k-means++ differ
        gap = abs(ours.result.inertia_ / reference.result.inertia_ - 1.0)
        targets.append(Target("the inertia of scikit-learn to 1e-6", f"{gap:.1e}", gap <= 1e-6))
    return Table(title, rows, targets), speed


def run(setting: Setting) -> Iterator[Table]:
    intelex = peer("sklearnex.cluster")
    speeds: dict[str, list[float]] = {"given centers": [], "k-means++": []}
    for n, columns, k, kind in SHAPES:
        n_rows = setting.size(n, 1000)
        X, given = points(n_rows, columns, k, kind)
        for start, ratios in speeds.items():
            init = given if start == "given centers" else start
            options = {"init": init, "n_init": 1, "max_iter": PASSES, "tol": 0.0, "random_state": 0}
            works = {
                "hornbook": work(KMeans(k, n_jobs=setting.jobs, **options), X),
                "scikit-learn": work(Theirs(k, **options), X),
            }
            if intelex is not None:
                works["scikit-learn-intelex"] = work(intelex.KMeans(k, **options), X)
            shape = f"{kind}, k={k}, {n_rows:,} x {columns} float64"
            title = f"{shape}, {PASSES} passes from {start}, {setting.jobs} threads"
            timed = best_of(works, setting.rounds)
            table, speed = compare(title, timed, setting, same_start=start != "k-means++")
            ratios.append(speed)
            yield table
    verdicts = [
        Target(
            f"from {start} at least {GOAL:g} times as fast on every shape",
            f"worst {min(ratios):.2f}, mean {float(np.mean(ratios)):.2f}",
            judged(setting.quick, min(ratios) >= GOAL),
        )
        for start, ratios in speeds.items()
    ]
    yield Table("K-means, all shapes", [], verdicts)
