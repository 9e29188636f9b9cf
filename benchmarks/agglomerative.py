"""Agglomerative clustering, trees and labels, against SciPy and fastcluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.cluster.hierarchy import linkage

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import AgglomerativeClustering

# Linkage, rows, of a quick run too, columns, kind of rows, and how many times as fast as the fastest peer.
SHAPES = (
    ("ward", 10_000, 1_000, 10, "normal", 2.0),
    ("ward", 10_000, 1_000, 2, "normal", 2.0),
    ("ward", 5_000, 500, 50, "normal", 2.0),
    ("ward", 10_000, 1_000, 10, "tied", 2.0),
    ("single", 10_000, 1_000, 10, "normal", 1.0),
    ("single", 5_000, 500, 2, "tied", 1.0),
    ("complete", 5_000, 500, 10, "normal", 1.0),
    ("complete", 5_000, 500, 10, "tied", 1.0),
    ("complete", 10_000, 500, 10, "normal", 1.0),
    ("average", 5_000, 500, 10, "normal", 1.0),
    ("average", 5_000, 500, 2, "tied", 1.0),
    ("average", 1_000, 300, 10, "normal", 1.0),
)
CLUSTERS = (2, 20)  # by turns; to cut the tree is part of the work


def points(n_rows: int, n_columns: int, kind: str) -> np.ndarray:
    """Return normal rows, or rows of whole numbers, many of which are equally far apart."""
    X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
    return np.round(2 * X) if kind == "tied" else X


def ours(k: int, how: str, X: np.ndarray, jobs: int) -> Callable[[], np.ndarray]:
    return lambda: AgglomerativeClustering(k, linkage=how, n_jobs=jobs).fit(X).distances_


def compare(title: str, timed: dict[str, Timed], kind: str, goal: float, setting: Setting) -> Table:
    mine, theirs = timed["hornbook"], timed["scipy"]
    rows = [Row(who, run.seconds, theirs.seconds / run.seconds) for who, run in timed.items()]
    if "fastcluster" not in timed:
        rows.append(Row("fastcluster"))
    speed = min(run.seconds for who, run in timed.items() if who != "hornbook") / mine.seconds
    asked = f"at least {goal:g} times as fast as the fastest peer"
    targets = [Target(asked, f"{speed:.2f}", judged(setting.quick, speed >= goal))]
    if kind != "tied":  # which of equally near clusters come first is a choice that changes later heights
        gap = float(np.abs(mine.result / theirs.result - 1.0).max())
        targets.append(Target("the heights of SciPy to 1e-10", f"{gap:.1e}", gap <= 1e-10))
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    fastcluster = peer("fastcluster")
    speeds = []
    for i, (how, large, small, n_columns, kind, goal) in enumerate(SHAPES):
        k = CLUSTERS[i % len(CLUSTERS)]
        n_rows = setting.size(large, small)
        X = points(n_rows, n_columns, kind)
        works = {
            "hornbook": ours(k, how, X, setting.jobs),
            "scipy": lambda X=X, how=how: linkage(X, how)[:, 2],
        }
        if fastcluster is not None:
            works["fastcluster"] = lambda X=X, how=how: fastcluster.linkage(X, how)[:, 2]
            if how in ("ward", "single"):
                works["fastcluster, no matrix"] = lambda X=X, how=how: fastcluster.linkage_vector(X, how)[
                    :, 2
                ]
        title = f"{how}, {kind}, {n_rows:,} x {n_columns} float64, k={k}, {setting.jobs} threads"
        timed = best_of(works, setting.rounds)
        best = min(run.seconds for who, run in timed.items() if who != "hornbook")
        speeds.append(best / timed["hornbook"].seconds)
        yield compare(title, timed, kind, goal, setting)
    quality = f"worst {min(speeds):.2f}, mean {np.exp(np.mean(np.log(speeds))):.2f} times the fastest peer"
    yield Table("all shapes", [Row("hornbook", quality=quality)], [])
