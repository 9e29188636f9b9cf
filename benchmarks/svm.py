"""Support vector machines, fit and predict, against scikit-learn and scikit-learn-intelex."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import svm as sklearn_svm
from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import Setting, Timed, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import SVC, LinearSVC

try:
    from sklearnex import svm as intel_svm
except ImportError:
    intel_svm = None

SHAPES = ((1000, 10, 2), (2000, 16, 26), (5000, 20, 2), (5000, 16, 10))  # rows, columns, classes


def table(n_rows: int, n_columns: int, n_classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return classes with curved borders that overlap a little."""
    rng = np.random.default_rng(seed)
    centers = np.random.default_rng(99).normal(size=(3 * n_classes, n_columns)) * 1.2
    groups = rng.integers(3 * n_classes, size=n_rows)
    return centers[groups] + rng.normal(size=(n_rows, n_columns)), groups % n_classes


def dual(model: Any, gamma: float) -> float:
    """Value of the dual problem of two classes."""
    coef, rows = model.dual_coef_[0], model.support_vectors_
    square = 0.0
    for i in range(0, len(rows), 1000):
        part = rows[i : i + 1000]
        gaps = (part**2).sum(axis=1)[:, None] + (rows**2).sum(axis=1) - 2 * part @ rows.T
        square += float(coef[i : i + 1000] @ np.exp(-gamma * gaps) @ coef)
    return float(np.abs(coef).sum() - 0.5 * square)


def peers(setting: Setting, gamma: float) -> dict[str, Any]:
    """Constructors with the same settings."""
    makers: dict[str, Any] = {
        "hornbook": lambda: SVC(gamma=gamma, n_jobs=setting.jobs),
        "scikit-learn": lambda: sklearn_svm.SVC(gamma=gamma),
    }
    if intel_svm is not None:
        makers["scikit-learn-intelex"] = lambda: intel_svm.SVC(gamma=gamma)
    return makers


def compared(
    title: str, timed: dict[str, Timed], least: float, quality: dict[str, str], setting: Setting
) -> Table:
    fastest = min(run.seconds for who, run in timed.items() if who != "hornbook")
    rows = [Row(who, run.seconds, fastest / run.seconds, quality[who]) for who, run in timed.items()]
    speed = fastest / timed["hornbook"].seconds
    target = Target(
        f"at least {least:g} times as fast as the fastest other",
        f"{speed:.2f}",
        judged(setting.quick, speed >= least),
    )
    return Table(title, rows, [target])


def fits(setting: Setting, n: int, d: int, k: int, least: float) -> Iterator[Table]:
    X, y = table(n, d, k)
    test, truth = table(2000, d, k, seed=1)
    gamma = 1 / (d * X.var())
    works = {who: (lambda make=make: make().fit(X, y)) for who, make in peers(setting, gamma).items()}
    timed = best_of(works, setting.rounds)
    quality = {}
    for who, run in timed.items():
        accuracy = float(np.mean(run.result.predict(test) == truth))
        quality[who] = f"accuracy {accuracy:.4f}" + (
            f", dual {dual(run.result, gamma):.6g}" if k == 2 else ""
        )
    shape = f"{n:,} x {d}, {k} classes, {setting.jobs} threads"
    yield compared(f"fit, Gaussian kernel, {shape}", timed, least, quality, setting)
    models = {who: run.result for who, run in timed.items()}
    scores = best_of({who: (lambda m=m: m.predict(test)) for who, m in models.items()}, setting.rounds)
    same = {
        who: f"{int((run.result != scores['scikit-learn'].result).sum())} differ"
        for who, run in scores.items()
    }
    yield compared(f"predict 2,000 rows, {shape}", scores, 1.5, same, setting)


def cost(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Penalty plus losses of a linear machine for two classes, with C = 1."""
    slack = np.maximum(1 - (2 * y - 1) * (X @ model.coef_[0] + model.intercept_[0]), 0)
    losses = slack if model.loss == "hinge" else slack**2
    return float(0.5 * (model.coef_**2).sum() + 0.5 * (model.intercept_**2).sum() + losses.sum())


def linear_fits(setting: Setting, loss: str) -> Iterator[Table]:
    n = setting.size(200_000, 5000)
    X, y = table(n, 28, 2)
    # The hinge loss of so many rows takes scikit-learn more passes than it is given here.
    works: dict[str, Any] = {
        "hornbook": lambda: LinearSVC(loss=loss, n_jobs=setting.jobs).fit(X, y),
        "scikit-learn": lambda: sklearn_svm.LinearSVC(loss=loss, max_iter=100, random_state=0).fit(X, y),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        timed = best_of(works, setting.rounds)
    quality = {who: f"objective {cost(run.result, X, y):.8g}" for who, run in timed.items()}
    title = f"fit, linear, {loss}, {n:,} x 28, 2 classes, {setting.jobs} threads"
    yield compared(title, timed, 3.0, quality, setting)


def run(setting: Setting) -> Iterator[Table]:
    for n, d, k in SHAPES:
        yield from fits(setting, setting.size(n, n // 5), d, k, 2.0)
    yield from fits(setting, setting.size(20_000, 1000), 20, 2, 1.5)
    for loss in ("squared_hinge", "hinge"):
        yield from linear_fits(setting, loss)
