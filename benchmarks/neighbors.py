"""Nearest neighbors, fit and predict together, against scikit-learn's and scikit-learn-intelex's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import geometric_mean
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.neighbors import KNeighborsClassifier as Theirs

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import KNeighborsClassifier
from hornbook.datasets import glass, spam

K = 10
GOAL = 2.0
TABLES_GOAL = 1.5  # in every table
SCIKIT_LEARN = ("wine", "breast_cancer", "digits")
# rows, columns, classes
TABLES = [
    (3_000, 60, 3),
    (6_000, 36, 6),
    (6_500, 11, 7),
    (10_000, 16, 10),
    (20_000, 16, 26),
    (58_000, 9, 7),
    (20_000, 180, 3),
    (60_000, 54, 7),
]


@dataclass(frozen=True)
class Sample:
    """Rows with classes, and rows to find neighbors for."""

    X: np.ndarray
    y: np.ndarray
    queries: np.ndarray


def points(n_rows: int, n_queries: int, n_columns: int) -> Sample:
    """Return two normal classes that overlap."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows + n_queries, n_columns))
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(np.int64)
    return Sample(X[:n_rows], y[:n_rows], X[n_rows:])


def tied(n_rows: int, n_columns: int, n_classes: int) -> Sample:
    """Return whole numbers from 0 to 15 in columns that hang together, as measured tables have them."""
    rng = np.random.default_rng(0)
    n = n_rows + n_rows // 3
    centers = rng.normal(size=(3 * n_classes, n_columns))
    groups = rng.integers(3 * n_classes, size=n)
    common = rng.normal(size=(n, 6)) @ rng.normal(size=(6, n_columns))
    X = centers[groups] + 0.7 * common + 0.3 * rng.normal(size=(n, n_columns))
    X = np.clip(np.round(2 * X + 8), 0, 15)
    return Sample(X[:n_rows], (groups % n_classes)[:n_rows], X[n_rows:])


def bundled() -> Iterator[tuple[str, Sample]]:
    """Yield tables of both packages; the rows are also the queries."""
    tables = {name: getattr(datasets, f"load_{name}")(return_X_y=True) for name in SCIKIT_LEARN}
    for frame, name in ((glass(), "glass"), (spam(), "spam")):
        tables[name] = frame.features.numbers, np.unique(frame.y, return_inverse=True)[1]
    for name, (X, y) in tables.items():
        rows = np.ascontiguousarray(X, dtype=np.float64)
        yield f"{name}, {len(X):,} x {X.shape[1]}, {len(np.unique(y))} classes", Sample(rows, y, rows)


def samples(setting: Setting) -> Iterator[tuple[str, Sample]]:
    yield from bundled()
    for n_rows, n_columns, n_classes in TABLES[: setting.size(len(TABLES), 2)]:
        n = setting.size(n_rows, 600)
        yield f"{n:,} x {n_columns}, {n_classes} classes, tied", tied(n, n_columns, n_classes)


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
    targets = [
        Target(
            f"at least {goal:g} times as fast as the fastest peer",
            f"{speed:.2f}",
            judged(setting.quick, speed >= goal),
        ),
        Target("the neighbors of scikit-learn", "equal" if same else "different", same),
    ]
    return Table(title, rows, targets)


def makers(**options: Any) -> dict[str, Callable[[], Any]]:
    """Constructors with the same settings."""
    intelex = peer("sklearnex.neighbors")
    classes = {"hornbook": KNeighborsClassifier, "scikit-learn": Theirs}
    if intelex is not None:
        classes["scikit-learn-intelex"] = intelex.KNeighborsClassifier
    return {who: partial(kind, **options) for who, kind in classes.items()}


def searches(setting: Setting) -> Iterator[Table]:
    cases = [
        ("kd_tree", setting.size(100_000, 2_000), setting.size(25_000, 500), 6),
        ("brute", setting.size(40_000, 2_000), setting.size(10_000, 500), 40),
    ]
    for algorithm, n_rows, n_queries, n_columns in cases:
        sample = points(n_rows, n_queries, n_columns)
        works = {
            who: lambda make=make, s=sample: make().fit(s.X, s.y).kneighbors(s.queries, return_distance=False)
            for who, make in makers(n_neighbors=K, algorithm=algorithm, n_jobs=setting.jobs).items()
        }
        title = (
            f"{algorithm}, k={K}, {n_rows:,} x {n_columns} float64, {n_queries:,} queries, "
            f"{setting.jobs} threads"
        )
        yield compare(title, best_of(works, setting.rounds), GOAL, setting)


def tables(setting: Setting) -> Table:
    """Fit and predict with the defaults. Of equally near rows, peers take any."""
    rows, speeds, exact = [], [], []
    for label, s in samples(setting):
        works = {
            who: lambda make=make, s=s: make().fit(s.X, s.y).predict(s.queries)
            for who, make in makers(n_jobs=setting.jobs).items()
        }
        timed = best_of(works, setting.rounds)
        fastest = min((who for who in timed if who != "hornbook"), key=lambda who: timed[who].seconds)
        speeds.append(timed[fastest].seconds / timed["hornbook"].seconds)
        # Distances do not depend on which of the equally near rows are taken.
        distances = [
            makers(n_jobs=setting.jobs)[who]().fit(s.X, s.y).kneighbors(s.queries[:500])[0]
            for who in ("hornbook", "scikit-learn")
        ]
        exact.append(float(np.abs(distances[0] - distances[1]).max() / distances[1].max()))
        agree = float(np.mean(timed["hornbook"].result == timed["scikit-learn"].result))
        note = f"fastest peer: {fastest}" + ("" if agree == 1 else f"; {agree:.2%} of the same classes")
        rows.append(Row(label, timed["hornbook"].seconds, speeds[-1], note))
    targets = [
        Target(
            f"every table at least {TABLES_GOAL:g} times as fast as the fastest peer",
            f"worst {min(speeds):.2f}, mean {geometric_mean(speeds):.2f}",
            judged(setting.quick, min(speeds) >= TABLES_GOAL),
        ),
        Target("the distances of scikit-learn, within 1e-6", f"{max(exact):.0e}", max(exact) <= 1e-6),
    ]
    return Table(f"fit and predict, k=5, {setting.jobs} threads", rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    yield from searches(setting)
    yield tables(setting)
