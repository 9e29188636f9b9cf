"""K-medoids by swaps, distances included, against FasterPAM of the package ``kmedoids``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from threadpoolctl import threadpool_limits

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import KMedoids

GOAL = 2.0
# Rows, columns, clusters, and whether values are whole numbers, so that many distances are equal.
SHAPES = (
    (8_000, 8, 10, False),
    (8_000, 2, 30, False),
    (8_000, 32, 10, False),
    (8_000, 4, 8, True),
    (2_000, 8, 50, False),
    (800, 8, 10, False),
    (800, 32, 3, False),
    (800, 4, 8, True),
)


def swaps(setting: Setting, n_rows: int, n_columns: int, k: int, *, tied: bool) -> tuple[Table, float]:
    rng = np.random.default_rng(0)
    X = (
        rng.normal(size=(n_rows, n_columns))
        + 3 * rng.normal(size=(k, n_columns))[rng.integers(k, size=n_rows)]
    )
    X = np.rint(X) if tied else X
    first = rng.choice(n_rows, k, replace=False)
    values = "whole numbers" if tied else "float64"
    title = f"{n_rows:,} x {n_columns} {values}, k={k}, the same first medoids, {setting.jobs} threads"
    theirs = peer("kmedoids")
    works = {"hornbook": lambda: KMedoids(k, init=first, n_jobs=setting.jobs).fit(X).inertia_}
    if theirs is not None:

        def fasterpam() -> float:
            D = euclidean_distances(X)
            loss: float = theirs.fasterpam(D, first.astype(np.uint64), n_cpu=setting.jobs).loss
            return loss

        works["kmedoids"] = fasterpam
    with threadpool_limits(setting.jobs):
        timed = best_of(works, setting.rounds)
    ours = timed["hornbook"]
    if theirs is None:
        rows = [Row("hornbook", ours.seconds, 1.0, f"loss {ours.result:.8g}"), Row("kmedoids")]
        return Table(title, rows), np.inf
    reference = timed["kmedoids"]
    speed, worse = reference.seconds / ours.seconds, ours.result / reference.result - 1
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, f"loss {run.result:.8g}")
        for who, run in timed.items()
    ]
    targets = [
        Target(f"at least {GOAL:g} times as fast", f"{speed:.2f}", judged(setting.quick, speed >= GOAL)),
        Target("a loss no worse than 1e-3", f"{worse:.1e}", worse <= 1e-3),
    ]
    return Table(title, rows, targets), speed


def run(setting: Setting) -> Iterator[Table]:
    speeds = []
    for n_rows, n_columns, k, tied in SHAPES:
        table, speed = swaps(setting, setting.size(n_rows, min(n_rows, 400)), n_columns, k, tied=tied)
        speeds.append(speed)
        yield table
    quality = f"worst {min(speeds):.2f}, mean {np.exp(np.mean(np.log(speeds))):.2f} times kmedoids"
    yield Table("all shapes", [Row("hornbook", quality=quality)], [])
