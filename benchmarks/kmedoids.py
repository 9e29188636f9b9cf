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
SHAPES = ((8, 10), (2, 30), (32, 10))  # columns and clusters


def swaps(setting: Setting, n_rows: int, n_columns: int, k: int) -> Table:
    rng = np.random.default_rng(0)
    X = (
        rng.normal(size=(n_rows, n_columns))
        + 3 * rng.normal(size=(k, n_columns))[rng.integers(k, size=n_rows)]
    )
    first = rng.choice(n_rows, k, replace=False)
    title = f"{n_rows:,} x {n_columns}, k={k}, the same first medoids, {setting.jobs} threads"
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
        return Table(
            title, [Row("hornbook", ours.seconds, 1.0, f"loss {ours.result:.8g}"), Row("kmedoids")], []
        )
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
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    for n_columns, k in SHAPES:
        yield swaps(setting, setting.size(8_000, 800), n_columns, k)
