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
SEEDS = 5  # k-means ends in another minimum from each, which moves R² by more than the libraries differ
# Rows, columns, centers.
SHAPES = ((20_000, 5, 20), (20_000, 10, 100))


def ours(X: Any, y: Any, k: int, jobs: int) -> list[float]:
    return [
        float(RBFNetworkRegressor(k, random_state=seed, n_jobs=jobs).fit(X, y).score(X, y))
        for seed in range(SEEDS)
    ]


def pieces(X: Any, y: Any, k: int) -> list[float]:
    scores = []
    for seed in range(SEEDS):
        centers = KMeans(k, random_state=seed).fit(X).cluster_centers_
        scores.append(piece_score(X, y, centers))
    return scores


def piece_score(X: Any, y: Any, centers: Any) -> float:
    apart = np.sqrt(((centers[:, None] - centers) ** 2).sum(axis=2))
    widths = np.sort(apart, axis=1)[:, 1:3].mean(axis=1)
    squares = (X * X).sum(axis=1)[:, None] - 2 * X @ centers.T + (centers**2).sum(axis=1)
    design = np.exp(-squares / (2 * widths**2))
    return float(LinearRegression().fit(design, y).score(design, y))


def same_centers(X: Any, y: Any, k: int) -> float:
    """By how much R² differs when both are given the same centers."""
    centers = KMeans(k, random_state=0).fit(X).cluster_centers_
    model = RBFNetworkRegressor(centers=centers).fit(X, y)
    return abs(float(model.score(X, y)) - piece_score(X, y, centers))


def run(setting: Setting) -> Iterator[Table]:
    rows, ratios, deficits, differences = [], [], [], []
    draw = np.random.default_rng(0)
    for full, d, k in SHAPES:
        n = setting.size(full, 500)
        X = draw.normal(size=(n, d))
        y = np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * draw.normal(size=n)
        works: dict[str, Callable[[], list[float]]] = {
            "hornbook": partial(ours, X, y, k, setting.jobs),
            "scikit-learn's pieces": partial(pieces, X, y, k),
        }
        timed = best_of(works, setting.rounds)
        mine, theirs = timed["hornbook"], timed["scikit-learn's pieces"]
        ratios.append(theirs.seconds / mine.seconds)
        error = np.sqrt((np.var(mine.result, ddof=1) + np.var(theirs.result, ddof=1)) / SEEDS)
        deficits.append(float((np.mean(theirs.result) - np.mean(mine.result)) / error))
        differences.append(same_centers(X, y, k))
        what = f"{n:,} x {d}, {k} centers"
        rows.append(Row(f"hornbook, {what}: R² {np.mean(mine.result):.3f}", mine.seconds, ratios[-1]))
        rows.append(
            Row(f"scikit-learn's pieces, {what}: R² {np.mean(theirs.result):.3f}", theirs.seconds, 1.0)
        )
    targets = [
        Target(
            "from the same centers the same R² to 1e-6", f"{max(differences):.1e}", max(differences) <= 1e-6
        ),
        Target(
            f"mean R² of {SEEDS} seeds at most 2.5 standard errors lower",
            f"worst {max(deficits):+.1f}",
            judged(setting.quick, max(deficits) <= 2.5),
        ),
        Target(
            "as fast as the pieces of scikit-learn",
            f"worst {min(ratios):.2f}",
            judged(setting.quick, min(ratios) >= GOAL),
        ),
    ]
    yield Table(f"{SEEDS} fits and scores, {setting.jobs} threads", rows, targets)
