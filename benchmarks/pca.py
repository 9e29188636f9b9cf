"""Principal components by the covariance matrix, against scikit-learn's, on a grid of shapes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import decomposition

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import PCA

GOAL = 2.0
GRID = [
    (1_000_000, 50, "float64"),
    (1_000_000, 5, "float64"),
    (200_000, 20, "float64"),
    (200_000, 50, "tied"),
    (50_000, 200, "float64"),
    (5_000, 100, "float64"),
    (20_000, 500, "float64"),
    (200_000, 50, "float32"),
]


def cells(n: int, d: int, kind: str) -> NDArray[Any]:
    """Numbers of a kind: of one type, or small integers, which are often equal."""
    random = np.random.default_rng(0)
    if kind == "tied":
        return random.integers(0, 3, size=(n, d)).astype(np.float64)
    return (random.normal(size=(n, d)) * np.linspace(1.0, 2.0, d) + 1.0).astype(kind)


def run(setting: Setting) -> Iterator[Table]:
    rows, ratios, gaps = [], [], []
    for full_rows, d, kind in GRID:
        n = setting.size(full_rows, min(full_rows, 20_000))
        X = cells(n, d, kind)
        options = {"svd_solver": "covariance_eigh"}
        works = {
            "hornbook": partial(PCA(n_jobs=setting.jobs, **options).fit, X),
            "scikit-learn": partial(decomposition.PCA(**options).fit, X),
        }
        timed = best_of(works, setting.rounds)
        ours, theirs = timed["hornbook"], timed["scikit-learn"]
        ratios.append(theirs.seconds / ours.seconds)
        gap = ours.result.explained_variance_ / theirs.result.explained_variance_ - 1.0
        if kind != "float32":  # in which scikit-learn computes
            gaps.append(float(np.abs(gap).max()))
        rows.append(Row(f"hornbook, {n:,} x {d}, {kind}", ours.seconds, ratios[-1]))
        rows.append(Row(f"scikit-learn, {n:,} x {d}, {kind}", theirs.seconds, 1.0))
    figure = f"{ratios[0]:.2f}; worst {min(ratios):.2f}, mean {mean(ratios):.2f}"
    targets = [
        Target("the variances of scikit-learn to 1e-9", f"{max(gaps):.1e}", max(gaps) <= 1e-9),
        Target(
            f"in the first shape at least {GOAL:g} times as fast as scikit-learn",
            figure,
            judged(setting.quick, ratios[0] >= GOAL),
        ),
    ]
    yield Table(f"covariance_eigh, {setting.jobs} threads", rows, targets)
