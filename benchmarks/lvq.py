"""Learning vector quantization against the plain loop of the pseudo-code in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import LVQClassifier

PASSES = 20
# Of the loop's time, NumPy's own vector operations take little with few columns and most with many.
GOALS = {10: 20.0, 100: 5.0}  # up to so many columns
# Rows, columns, prototypes of each of three classes.
SHAPES = ((5_000, 2, 2), (5_000, 10, 5), (3_000, 100, 5))


def rows_of(n: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    return rng.normal(size=(n, columns)) + 2.0 * np.eye(3, columns)[y], y


def ours(X: np.ndarray, y: np.ndarray, start: np.ndarray, labels: list[int], jobs: int) -> float:
    settings = {"init": start, "learning_rate": "linear", "max_iter": PASSES, "tol": 0.0}
    return float(LVQClassifier(labels, **settings, random_state=0, n_jobs=jobs).fit(X, y).score(X, y))


def plain(X: np.ndarray, y: np.ndarray, start: np.ndarray, labels: list[int]) -> float:
    prototypes, classes, draw = start.copy(), np.array(labels), np.random.default_rng(0)
    for turn in range(PASSES):
        eta = 0.1 * (1 - turn / PASSES)
        for i in draw.permutation(len(X)):
            gaps = X[i] - prototypes
            k = (gaps * gaps).sum(axis=1).argmin()
            prototypes[k] += (eta if classes[k] == y[i] else -eta) * gaps[k]
    squares = (X * X).sum(axis=1)[:, None] - 2 * X @ prototypes.T + (prototypes**2).sum(axis=1)
    return float((classes[squares.argmin(axis=1)] == y).mean())


def run(setting: Setting) -> Iterator[Table]:
    rows, ratios, gaps = [], {limit: [] for limit in GOALS}, []
    for full, columns, k in SHAPES:
        X, y = rows_of(setting.size(full, 500), columns)
        labels = np.repeat(np.arange(3), k).tolist()
        start = np.concatenate([X[y == c][:k] for c in range(3)])
        works: dict[str, Callable[[], float]] = {
            "hornbook": partial(ours, X, y, start, labels, setting.jobs),
            "NumPy loop": partial(plain, X, y, start, labels),
        }
        timed = best_of(works, min(setting.rounds, 2))
        mine, loop = timed["hornbook"], timed["NumPy loop"]
        ratio = loop.seconds / mine.seconds
        ratios[min(limit for limit in GOALS if columns <= limit)].append(ratio)
        gaps.append(abs(mine.result - loop.result))
        what = f"{len(X):,} x {columns}, {3 * k} prototypes"
        rows.append(Row(f"hornbook, {what}: accuracy {mine.result:.3f}", mine.seconds, ratio))
        rows.append(Row(f"NumPy loop, {what}: accuracy {loop.result:.3f}", loop.seconds, 1.0))
    targets = [
        Target("the accuracy of the loop to 0.03", f"{max(gaps):.3f}", setting.quick or max(gaps) <= 0.03),
        *(
            Target(
                f"{goal:.0f} times the NumPy loop, up to {limit} columns",
                f"worst {min(ratios[limit]):.1f}",
                judged(setting.quick, min(ratios[limit]) >= goal),
            )
            for limit, goal in GOALS.items()
        ),
    ]
    yield Table(f"{PASSES} passes of LVQ1", rows, targets)
