"""One fully grown decision tree against scikit-learn's, exact and in bins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.evaluation import auc

COLUMNS = 28


def data(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of which four and their products say something about a number."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, COLUMNS))
    score = X[:, 0] * X[:, 1] + X[:, 2] ** 2 - 1 + 0.5 * X[:, 3] + rng.normal(size=n_rows)
    return X, score


def run(setting: Setting) -> Iterator[Table]:
    n_rows = setting.size(100_000, 3_000)
    X, score = data(n_rows, 0)
    test, truth = data(setting.size(50_000, 3_000), 1)
    size = f"{n_rows:,} x {COLUMNS} float64, fully grown"
    y = (score > 0).astype(np.int64)
    works: dict[str, Any] = {
        "hornbook": lambda: DecisionTreeClassifier(n_jobs=setting.jobs).fit(X, y),
        "hornbook, one thread": lambda: DecisionTreeClassifier(n_jobs=1).fit(X, y),
        "hornbook, max_bins=255": lambda: DecisionTreeClassifier(max_bins=255, n_jobs=setting.jobs).fit(X, y),
        "scikit-learn": lambda: TheirClassifier(random_state=0).fit(X, y),
    }
    title = f"one tree for two classes, {size}, {setting.jobs} threads"
    yield compare(
        title, works, setting, lambda model: auc(truth > 0, model.predict_proba(test)[:, 1]), "test AUC"
    )
    works = {
        "hornbook": lambda: DecisionTreeRegressor(n_jobs=setting.jobs).fit(X, score),
        "hornbook, one thread": lambda: DecisionTreeRegressor(n_jobs=1).fit(X, score),
        "hornbook, max_bins=255": lambda: DecisionTreeRegressor(max_bins=255, n_jobs=setting.jobs).fit(
            X, score
        ),
        "scikit-learn": lambda: TheirRegressor(random_state=0).fit(X, score),
    }
    title = f"one tree for numbers, {size}, {setting.jobs} threads"
    yield compare(title, works, setting, lambda model: model.score(test, truth), "test R2")


def compare(title: str, works: dict[str, Any], setting: Setting, judge: Any, word: str) -> Table:
    timed = best_of(works, setting.rounds)
    quality = {name: float(judge(found.result)) for name, found in timed.items()}
    reference = timed["scikit-learn"].seconds
    rows = [
        Row(name, found.seconds, reference / found.seconds, f"{word} {quality[name]:.4f}")
        for name, found in timed.items()
    ]
    targets = []
    for name in ("hornbook", "hornbook, max_bins=255"):
        speed = reference / timed[name].seconds
        behind = quality["scikit-learn"] - quality[name]
        targets += [
            Target(f"{name}: at least 4 times as fast", f"{speed:.1f}", judged(setting.quick, speed >= 4)),
            Target(
                f"{name}: {word} at most 0.002 behind",
                f"{behind:+.4f}",
                judged(setting.quick, behind <= 0.002),
            ),
        ]
    return Table(title, rows, targets)
