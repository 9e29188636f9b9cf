"""One fully grown decision tree against scikit-learn's, exact and in bins.

Times come from one table, quality does not: of two cuts near the root that are equally good, each leads to
another tree, and these differ by more than what is allowed here. So quality is the mean over as many tables
as there are columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier as TheirClassifier
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.evaluation import auc

COLUMNS = 28
OURS = ("hornbook", "hornbook, max_bins=255")
THEIRS = "scikit-learn"


def data(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of which four and their products say something about a number."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, COLUMNS))
    score = X[:, 0] * X[:, 1] + X[:, 2] ** 2 - 1 + 0.5 * X[:, 3] + rng.normal(size=n_rows)
    return X, score


class Classes:
    """Trees that tell positive numbers from negative ones, and how they are judged."""

    word = "test AUC"
    ours = DecisionTreeClassifier
    theirs = TheirClassifier

    def target(self, score: np.ndarray) -> np.ndarray:
        return (score > 0).astype(np.int64)

    def quality(self, model: Any, X: np.ndarray, score: np.ndarray) -> float:
        return float(auc(self.target(score), model.predict_proba(X)[:, 1]))


class Numbers:
    """Trees that predict the number, and how they are judged."""

    word = "test R2"
    ours = DecisionTreeRegressor
    theirs = TheirRegressor

    def target(self, score: np.ndarray) -> np.ndarray:
        return score

    def quality(self, model: Any, X: np.ndarray, score: np.ndarray) -> float:
        return float(model.score(X, score))


Task = Classes | Numbers


def run(setting: Setting) -> Iterator[Table]:
    size = f"{setting.size(100_000, 3_000):,} x {COLUMNS} float64, fully grown, {setting.jobs} threads"
    yield compare(f"one tree for two classes, {size}", Classes(), setting)
    yield compare(f"one tree for numbers, {size}", Numbers(), setting)


def compare(title: str, task: Task, setting: Setting) -> Table:
    learners: dict[str, Any] = {
        "hornbook": task.ours(n_jobs=setting.jobs),
        "hornbook, one thread": task.ours(n_jobs=1),
        "hornbook, max_bins=255": task.ours(max_bins=255, n_jobs=setting.jobs),
        THEIRS: task.theirs(random_state=0),
    }
    X, score = data(setting.size(100_000, 3_000), 0)
    works = {name: partial(learner.fit, X, task.target(score)) for name, learner in learners.items()}
    seconds = {name: run.seconds for name, run in best_of(works, setting.rounds).items()}
    quality = qualities(task, {name: learners[name] for name in (*OURS, THEIRS)}, setting)
    words = {name: f"mean {task.word} {scores.mean():.4f}" for name, scores in quality.items()}
    rows = [
        Row(name, taken, seconds[THEIRS] / taken, words.get(name, "the same tree"))
        for name, taken in seconds.items()
    ]
    return Table(title, rows, list(targets(task.word, seconds, quality, setting)))


def qualities(task: Task, learners: dict[str, Any], setting: Setting) -> dict[str, np.ndarray]:
    """Return the quality of each learner on each of several tables.

    Of columns that split a node equally well, our trees take the first and scikit-learn's any. Lest it matter
    that the columns that say something stand in front, each table has its columns one place further on.
    """
    scores: dict[str, list[float]] = {name: [] for name in learners}
    for i in range(setting.size(COLUMNS, 2)):
        X, score = data(setting.size(100_000, 3_000), 2 * i)
        test, truth = data(setting.size(50_000, 3_000), 2 * i + 1)
        X, test = np.roll(X, i, axis=1), np.roll(test, i, axis=1)
        for name, learner in learners.items():
            scores[name].append(task.quality(learner.fit(X, task.target(score)), test, truth))
    return {name: np.array(own) for name, own in scores.items()}


def targets(
    word: str, seconds: dict[str, float], quality: dict[str, np.ndarray], setting: Setting
) -> Iterator[Target]:
    for name in OURS:
        speed = seconds[THEIRS] / seconds[name]
        yield Target(f"{name}: at least 4 times as fast", f"{speed:.1f}", judged(setting.quick, speed >= 4))
        behind = quality[THEIRS] - quality[name]
        mean, error = behind.mean(), behind.std(ddof=1) / np.sqrt(len(behind))
        yield Target(
            f"{name}: mean {word} of {len(behind)} tables at most 0.002 behind",
            f"{mean:+.4f} (standard error {error:.4f})",
            judged(setting.quick, bool(mean <= 0.002)),
        )
