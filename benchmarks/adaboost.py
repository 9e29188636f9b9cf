"""AdaBoost against scikit-learn's: 50 stumps on one large table, and a grid of shapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier as ScikitLearn
from sklearn.ensemble import AdaBoostRegressor as ScikitLearnRegressor

from benchmarks._measure import Setting, Timed, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import AdaBoostClassifier, AdaBoostRegressor


@dataclass(frozen=True)
class Shape:
    """A table: rows, columns, classes (0 for numbers), and whether values repeat."""

    n_rows: int
    n_columns: int
    n_classes: int
    ties: bool = False

    def __str__(self) -> str:
        target = f"{self.n_classes} classes" if self.n_classes else "numbers"
        return f"{self.n_rows:,} x {self.n_columns}, {target}{', ties' if self.ties else ''}"

    def draw(self) -> tuple[np.ndarray, np.ndarray]:
        """Return columns of which five say something about the target."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(self.n_rows, self.n_columns))
        if self.ties:
            X = np.round(3 * X)
        z = X[:, :5].sum(axis=1) / X[:, :5].sum(axis=1).std() + rng.normal(size=self.n_rows)
        if not self.n_classes:
            return X, z
        cuts = np.quantile(z, np.arange(1, self.n_classes) / self.n_classes)
        return X, np.searchsorted(cuts, z)


GRID = [
    *(Shape(n, d, 2) for n in (1_000, 10_000, 100_000) for d in (5, 28)),
    Shape(10_000, 200, 2),
    Shape(100_000, 28, 2, ties=True),
    *(Shape(10_000, 28, k) for k in (7, 26)),
    Shape(100_000, 28, 7),
    Shape(10_000, 28, 7, ties=True),
    *(Shape(n, 28, 0) for n in (1_000, 10_000)),
]


def run(setting: Setting) -> Iterator[Table]:
    yield main_table(setting)
    yield grid(setting)


def models(shape: Shape, n_estimators: int, jobs: int) -> dict[str, Any]:
    """Return the ensembles to compare, with the same settings."""
    if not shape.n_classes:
        return {
            "hornbook": AdaBoostRegressor(n_estimators=n_estimators, random_state=0, n_jobs=jobs),
            "scikit-learn": ScikitLearnRegressor(n_estimators=n_estimators, random_state=0),
        }
    return {
        "hornbook": AdaBoostClassifier(n_estimators=n_estimators, random_state=0, n_jobs=jobs),
        "scikit-learn": ScikitLearn(n_estimators=n_estimators, random_state=0),
    }


def fitted(made: dict[str, Any], X: np.ndarray, y: np.ndarray) -> dict[str, Timed]:
    """Time the fit of each model."""
    return best_of({who: partial(model.fit, X, y) for who, model in made.items()}, 1)


def main_table(setting: Setting) -> Table:
    """Fit 50 stumps."""
    shape, n = Shape(setting.size(100_000, 2_000), 28, 2), setting.size(50, 5)
    X, y = shape.draw()
    timed = fitted(models(shape, n, setting.jobs), X, y)
    ours, theirs = timed["hornbook"], timed["scikit-learn"]
    speed = theirs.seconds / ours.seconds
    same = bool((ours.result.predict(X) == theirs.result.predict(X)).all())
    rows = [
        Row(who, timing.seconds, theirs.seconds / timing.seconds, f"accuracy {timing.result.score(X, y):.4f}")
        for who, timing in timed.items()
    ]
    targets = [
        Target("at least 20 times scikit-learn", f"{speed:.1f}", judged(setting.quick, speed >= 20)),
        Target("the same predictions", "yes" if same else "no", same),
    ]
    return Table(f"fit, {shape}, {n} stumps", rows, targets)


def grid(setting: Setting) -> Table:
    """Fit on tables of all shapes; report the worst and the mean ratio."""
    n, rows, speeds = setting.size(20, 2), [], []
    for shape in GRID if not setting.quick else GRID[:1] + GRID[-2:-1]:
        timed = fitted(models(shape, n, setting.jobs), *shape.draw())
        speeds.append(timed["scikit-learn"].seconds / timed["hornbook"].seconds)
        rows.append(Row(str(shape), timed["hornbook"].seconds, speeds[-1]))
    mean, worst = float(np.exp(np.mean(np.log(speeds)))), min(speeds)
    targets = [
        Target(
            "at least 10 times scikit-learn in the mean", f"{mean:.1f}", judged(setting.quick, mean >= 10)
        ),
        Target("nowhere below 2 times", f"{worst:.1f}", judged(setting.quick, worst >= 2)),
    ]
    return Table(f"fit with {n} members, beside scikit-learn", rows, targets)
