"""RBF networks against the same steps with scikit-learn: k-means, Gaussian functions, least squares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import RBFNetworkRegressor

GOAL = 1.0
# Rows, columns, centers.
SHAPES = ((20_000, 5, 20), (20_000, 10, 100))


def ours(X: Any, y: Any, k: int, jobs: int) -> float:
    return float(RBFNetworkRegressor(k, random_state=0, n_jobs=jobs).fit(X, y).score(X, y))


def pieces(X: Any, y: Any, k: int) -> float:
    centers = KMeans(k, random_state=0).fit(X).cluster_centers_
    apart = np.sqrt(((centers[:, None] - centers) ** 2).sum(axis=2))
    widths = np.sort(apart, axis=1)[:, 1:3].mean(axis=1)
    squares = (X * X).sum(axis=1)[:, None] - 2 * X @ centers.T + (centers**2).sum(axis=1)
    design = np.exp(-squares / (2 * widths**2))
    return float(LinearRegression().fit(design, y).score(design, y))


def run(setting: Setting) -> Iterator[Table]:
    rows, ratios, gaps = [], [], []
    draw = np.random.default_rng(0)
    for full, d, k in SHAPES:
        n = setting.size(full, 500)
        X = draw.normal(size=(n, d))
        y = np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * draw.normal(size=n)
        works: dict[str, Callable[[], float]] = {
            "hornbook": partial(ours, X, y, k, setting.jobs),
            "scikit-learn's pieces": partial(pieces, X, y, k),
        }
        timed = best_of(works, setting.rounds)
        mine, theirs = timed["hornbook"], timed["scikit-learn's pieces"]
        ratios.append(theirs.seconds / mine.seconds)
        gaps.append(theirs.result - mine.result)
        what = f"{n:,} x {d}, {k} centers"
        rows.append(Row(f"hornbook, {what}: R² {mine.result:.3f}", mine.seconds, ratios[-1]))
        rows.append(Row(f"scikit-learn's pieces, {what}: R² {theirs.result:.3f}", theirs.seconds, 1.0))
    targets = [
        Target("the R² of the pieces, within 0.05", f"{max(gaps):.3f}", setting.quick or max(gaps) <= 0.05),
        Target(
            "as fast as the pieces of scikit-learn",
            f"worst {min(ratios):.2f}",
            judged(setting.quick, min(ratios) >= GOAL),
        ),
    ]
    yield Table(f"fit and score, {setting.jobs} threads", rows, targets)
