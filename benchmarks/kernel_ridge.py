"""Kernel ridge regression against scikit-learn's: Gaussian, polynomial and linear kernels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn import kernel_ridge

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import KernelRidge

GOAL = 1.0
GRID: list[tuple[int, int, dict[str, Any]]] = [
    (3_000, 20, {"kernel": "rbf", "gamma": 0.05}),
    (3_000, 20, {"kernel": "poly", "gamma": 0.05, "degree": 3}),
    (1_000, 50, {"kernel": "laplacian", "gamma": 0.02}),
    (3_000, 20, {"kernel": "linear"}),
]


def run(setting: Setting) -> Iterator[Table]:
    rows, ratios, gaps = [], [], []
    random = np.random.default_rng(0)
    for full_rows, d, options in GRID:
        n = setting.size(full_rows, 400)
        X, new = random.normal(size=(n, d)), random.normal(size=(n // 2, d))
        y = np.sin(X[:, 0]) + X[:, 1]
        models = {
            "hornbook": KernelRidge(0.5, **options),
            "scikit-learn": kernel_ridge.KernelRidge(0.5, **options),
        }
        works = {name: partial(_fit_predict, model, X, y, new) for name, model in models.items()}
        timed = best_of(works, setting.rounds)
        ours, theirs = timed["hornbook"], timed["scikit-learn"]
        ratios.append(theirs.seconds / ours.seconds)
        gaps.append(float(np.abs(ours.result - theirs.result).max()))
        what = f"{options['kernel']}, {n:,} x {d}"
        rows.append(Row(f"hornbook, {what}", ours.seconds, ratios[-1]))
        rows.append(Row(f"scikit-learn, {what}", theirs.seconds, 1.0))
    targets = [
        Target("the predictions of scikit-learn to 1e-8", f"{max(gaps):.1e}", max(gaps) <= 1e-8),
        Target(
            "as fast as scikit-learn with every kernel",
            f"worst {min(ratios):.2f}",
            judged(setting.quick, min(ratios) >= GOAL),
        ),
    ]
    yield Table(f"fit and predict, {setting.jobs} threads", rows, targets)


def _fit_predict(model: Any, X: Any, y: Any, new: Any) -> Any:
    return model.fit(X, y).predict(new)
