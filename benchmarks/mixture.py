"""Gaussian mixtures, twenty passes from the same components, against scikit-learn's, on a grid of shapes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from statistics import mean
from typing import Any

import numpy as np
from sklearn.mixture import GaussianMixture as Theirs

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import GaussianMixture

PASSES = 20
GOAL = 5.0  # in the first shape
# Rows, columns, components, and whether values are whole numbers, so that many are equal.
GRID = (
    (200_000, 10, 8, False),
    (200_000, 2, 8, False),
    (100_000, 6, 4, True),
    (50_000, 10, 2, False),
    (50_000, 30, 4, False),
    (20_000, 60, 3, False),
    (2_000, 5, 3, False),
)


def rows_of(n_rows: int, n_columns: int, k: int, *, tied: bool) -> np.ndarray:
    """Return rows in groups that overlap."""
    rng = np.random.default_rng(0)
    places = 2.0 * rng.normal(size=(k, n_columns))
    X = places[rng.integers(k, size=n_rows)] + rng.normal(size=(n_rows, n_columns))
    return np.rint(X) if tied else X


def options(X: np.ndarray, k: int, kind: str) -> dict[str, Any]:
    d = X.shape[1]
    precisions = {"full": np.tile(np.eye(d), (k, 1, 1)), "tied": np.eye(d), "diag": np.ones((k, d))}
    return {
        "n_components": k,
        "covariance_type": kind,
        "weights_init": np.full(k, 1.0 / k),
        "means_init": X[:k],
        "precisions_init": precisions.get(kind, np.ones(k)),
        "max_iter": PASSES,
        "tol": 0.0,
    }


def work(learner: Any, X: np.ndarray) -> Callable[[], Any]:
    def fit() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # twenty passes are not enough to converge
            return learner.fit(X)

    return fit


def run(setting: Setting) -> Iterator[Table]:
    for kind in ("full", "tied", "diag", "spherical"):
        rows, ratios, gaps = [], [], []
        for full_rows, d, k, tied in GRID:
            n = setting.size(full_rows, min(full_rows, 2_000))
            X = rows_of(n, d, k, tied=tied)
            settings = options(X, k, kind)
            works = {
                "hornbook": work(GaussianMixture(n_jobs=setting.jobs, **settings), X),
                "scikit-learn": work(Theirs(**settings), X),
            }
            timed = best_of(works, setting.rounds)
            ours, theirs = timed["hornbook"], timed["scikit-learn"]
            ratios.append(theirs.seconds / ours.seconds)
            gaps.append(abs(ours.result.lower_bound_ - theirs.result.lower_bound_))
            shape = f"{n:,} x {d}, {k} components" + (", whole numbers" if tied else "")
            rows.append(Row(f"hornbook, {shape}", ours.seconds, ratios[-1]))
            rows.append(Row(f"scikit-learn, {shape}", theirs.seconds, 1.0))
        figure = f"worst {min(ratios):.2f}, mean {mean(ratios):.2f}, in the first shape {ratios[0]:.2f}"
        targets = [
            Target("the log-likelihood of scikit-learn to 1e-6", f"{max(gaps):.1e}", max(gaps) <= 1e-6),
            Target(
                f"in the first shape at least {GOAL:g} times as fast as scikit-learn",
                figure,
                judged(setting.quick, ratios[0] >= GOAL),
            ),
        ]
        yield Table(f"{kind} covariances, {PASSES} passes, {setting.jobs} threads", rows, targets)
