"""How the time of a fit grows with rows, columns and categories."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table
from hornbook import Frame

COLUMNS = 28


def numbers(n_rows: int, n_columns: int = COLUMNS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return columns that hang together, a class by their weighted sum, and a number above 0."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)) * rng.uniform(0.5, 2.0, size=n_columns)
    X[:, : n_columns // 2] += 0.5 * X[:, n_columns - n_columns // 2 :]
    z = X @ (rng.normal(size=n_columns) * 0.3 / np.sqrt(n_columns / COLUMNS))
    y = (rng.random(n_rows) < 1 / (1 + np.exp(-z))).astype(np.int64)
    return X, y, np.exp(0.3 * z + 0.3 * rng.normal(size=n_rows))


def category(n_rows: int, n_levels: int) -> Frame:
    """Return a table with one column of so many categories."""
    codes = np.random.default_rng(0).integers(0, n_levels, n_rows)
    return Frame(codes[:, None].astype(np.float64), kinds={0: "nominal"})


def growth(setting: Setting, learners: Mapping[str, tuple[Callable[[], Any], bool]]) -> Table:
    """Time for twice the rows, columns and categories, as multiples.

    For each learner: how it is made, and whether it takes numbers as target.
    """
    n, d = setting.size(100_000, 2_000), 8
    tables = {"": (n, d), " rows": (2 * n, d), " columns": (n, 2 * d)}
    works: dict[str, Any] = {}
    for name, (make, takes_numbers) in learners.items():
        for size, (rows, columns) in tables.items():
            X, y, t = numbers(rows, columns)
            works[name + size] = partial(_fit, make, X, t if takes_numbers else y)
        _, y, t = numbers(n, d)
        for levels in (8, 16):
            works[f"{name} {levels}"] = partial(_fit, make, category(n, levels), t if takes_numbers else y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        seconds = {work: run.seconds for work, run in best_of(works, 1).items()}
    rows = [
        Row(
            name,
            seconds[name],
            None,
            f"twice the rows {seconds[name + ' rows'] / seconds[name]:.1f}x, "
            f"columns {seconds[name + ' columns'] / seconds[name]:.1f}x, "
            f"categories {seconds[name + ' 16'] / seconds[name + ' 8']:.1f}x",
        )
        for name in learners
    ]
    return Table(f"how time grows from {n:,} x {d}", rows)


def _fit(make: Callable[[], Any], X: Any, y: np.ndarray) -> Any:
    return make().fit(X, y)
