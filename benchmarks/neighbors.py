"""Nearest neighbors, fit and predict, against scikit-learn's and scikit-learn-intelex's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier as Theirs

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import KNeighborsClassifier

K = 10


def points(n_rows: int, n_queries: int, n_columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return two normal classes that overlap, and rows to find neighbors for."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows + n_queries, n_columns))
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(np.int64)
    return X[:n_rows], y[:n_rows], X[n_rows:]


def work(learner: Any, X: np.ndarray, y: np.ndarray, Q: np.ndarray) -> Callable[[], np.ndarray]:
    return lambda: learner.fit(X, y).kneighbors(Q, return_distance=False)


def compare(title: str, timed: dict[str, Timed], goal: float, setting: Setting) -> Table:
    ours, reference = timed["hornbook"], timed["scikit-learn"]
    rows = []
    for who, run in timed.items():
        differ = int((np.sort(run.result) != np.sort(reference.result)).any(axis=1).sum())
        quality = "the same neighbors" if not differ else f"{differ} queries have other neighbors"
        rows.append(Row(who, run.seconds, reference.seconds / run.seconds, quality))
    if "scikit-learn-intelex" not in timed:
        rows.append(Row("scikit-learn-intelex"))
    speed = min(run.seconds for who, run in timed.items() if who != "hornbook") / ours.seconds
    same = bool((np.sort(ours.result) == np.sort(reference.result)).all())
    asked = (
        f"at least {goal:g} times as fast as the fastest peer" if goal > 1 else "as fast as the fastest peer"
    )
    targets = [
        Target(asked, f"{speed:.2f}", judged(setting.quick, speed >= goal)),
        Target("the neighbors of scikit-learn", "equal" if same else "different", same),
    ]
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    intelex = peer("sklearnex.neighbors")
    cases = [
        ("kd_tree", setting.size(100_000, 2_000), setting.size(25_000, 500), 6, 1.5),
        ("brute", setting.size(40_000, 2_000), setting.size(40_000, 500), 40, 1.0),
    ]
    for algorithm, n_rows, n_queries, n_columns, goal in cases:
        X, y, Q = points(n_rows, n_queries, n_columns)
        options = {"n_neighbors": K, "algorithm": algorithm, "n_jobs": setting.jobs}
        works = {
            "hornbook": work(KNeighborsClassifier(**options), X, y, Q),
            "scikit-learn": work(Theirs(**options), X, y, Q),
        }
        if intelex is not None:
            works["scikit-learn-intelex"] = work(intelex.KNeighborsClassifier(**options), X, y, Q)
        title = (
            f"{algorithm}, k={K}, {n_rows:,} x {n_columns} float64, {n_queries:,} queries, "
            f"{setting.jobs} threads"
        )
        yield compare(title, best_of(works, setting.rounds), goal, setting)
