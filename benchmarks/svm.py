"""Support vector machines, fit and predict, against scikit-learn and scikit-learn-intelex."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from statistics import geometric_mean
from typing import Any

import numpy as np
from sklearn import svm as sklearn_svm
from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import Setting, alone, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import SVC, LinearSVC

try:
    from sklearnex import svm as intel_svm
except ImportError:
    intel_svm = None

GRID = tuple(product((1000, 5000), (5, 20, 100), (2, 7, 26)))  # rows, columns, classes
LARGE = ((20_000, 20, 2, 0), (20_000, 20, 2, 1), (20_000, 20, 2, 2))  # the last is the seed of the table
MANY_ROWS = 100_000
CACHE = 200  # MB, the default of both libraries
FIT_GOAL, LARGE_GOAL = 2.0, 1.5  # times the faster peer
PREDICT_GOALS = {"scikit-learn": 3.0, "scikit-learn-intelex": 1.5}
SAME_DUAL, SAME_ACCURACY = 1e-4, 0.002


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


@dataclass(frozen=True)
class Shape:
    """How fast peers are in a shape relative to ours, and whether the models are the same."""

    label: str
    seconds: float
    fit: float
    predict: dict[str, float]
    dual: float
    accuracy: float


def measured(setting: Setting, n: int, d: int, k: int, seed: int = 0) -> Shape:
    """Fit and predict one table with all libraries."""
    X, y = table(n, d, k, seed)
    test, truth = table(2000, d, k, seed=seed + 1)
    gamma = 1 / (d * X.var())
    works = {who: (lambda make=make: make().fit(X, y)) for who, make in peers(setting, gamma).items()}
    fits = best_of(works, setting.rounds)
    models = {who: run.result for who, run in fits.items()}
    scores = best_of({who: (lambda m=m: m.predict(test)) for who, m in models.items()}, setting.rounds)
    others = [who for who in models if who != "hornbook"]
    duals = {who: dual(model, gamma) if k == 2 else 1.0 for who, model in models.items()}
    accuracy = {who: float(np.mean(run.result == truth)) for who, run in scores.items()}
    ours = fits["hornbook"].seconds
    return Shape(
        f"{n:,} x {d}, {k} classes" + (f", table {seed}" if seed else ""),
        ours,
        min(fits[who].seconds for who in others) / ours,
        {who: scores[who].seconds / scores["hornbook"].seconds for who in others},
        max(abs(duals[who] / duals["hornbook"] - 1) for who in others),
        max(abs(accuracy[who] - accuracy["hornbook"]) for who in others),
    )


def grid(setting: Setting, title: str, shapes: list[Shape], least: float) -> Table:
    """One line for each shape; the worst is what counts."""
    rows = []
    for shape in shapes:
        speeds = ", ".join(f"{speed:.1f}x {who}" for who, speed in shape.predict.items())
        rows.append(Row(shape.label, shape.seconds, shape.fit, f"predictions {speeds}"))
    worst = min(shape.fit for shape in shapes)
    mean = geometric_mean(shape.fit for shape in shapes)
    targets = [
        Target(
            f"every shape at least {least:g} times as fast as the faster peer",
            f"worst {worst:.2f}, mean {mean:.2f}",
            judged(setting.quick, worst >= least),
        )
    ]
    for who, goal in PREDICT_GOALS.items():
        speeds = [shape.predict[who] for shape in shapes if who in shape.predict]
        if speeds:
            text = f"predictions at least {goal:g} times as fast as {who}'s"
            value = f"worst {min(speeds):.2f}, mean {geometric_mean(speeds):.2f}"
            targets.append(Target(text, value, judged(setting.quick, min(speeds) >= goal)))
    gap, miss = max(shape.dual for shape in shapes), max(shape.accuracy for shape in shapes)
    targets += [
        Target("equal dual objectives within 1e-4", f"{gap:.0e}", gap <= SAME_DUAL),
        Target("equal accuracies within 0.002", f"{miss:.4f}", judged(setting.quick, miss <= SAME_ACCURACY)),
    ]
    return Table(f"{title}, {setting.jobs} threads", rows, targets)


def fit_many(data: tuple[np.ndarray, np.ndarray]) -> Any:
    return SVC(cache_size=CACHE, n_jobs=1).fit(*data)


def memory(setting: Setting) -> Table:
    """Fit many rows: memory is bounded by the cache, not by the square of the rows."""
    n = setting.size(MANY_ROWS, 2000)
    run = alone(table, fit_many, n, 20, 2, judge=support_count)
    rows = [Row("hornbook", run.seconds, quality=f"{run.quality:,} support vectors")]
    targets = []
    if run.extra is not None:
        megabytes = run.extra / 2**20
        # Besides the cache: two copies of the rows and a few numbers for each.
        bound = CACHE + 3 * n * 20 * 8 / 2**20 + 50
        text = f"at most {bound:.0f} MB beside the table, {CACHE} of them for kernel values"
        targets.append(Target(text, f"{megabytes:.0f} MB", judged(setting.quick, megabytes <= bound)))
    return Table(f"fit, Gaussian kernel, {n:,} x 20, 2 classes, cache_size={CACHE}", rows, targets)


def support_count(model: Any) -> int:
    return len(model.support_)


def cost(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Penalty plus losses of a linear machine for two classes, with C = 1."""
    slack = np.maximum(1 - (2 * y - 1) * (X @ model.coef_[0] + model.intercept_[0]), 0)
    losses = slack if model.loss == "hinge" else slack**2
    return float(0.5 * (model.coef_**2).sum() + 0.5 * (model.intercept_**2).sum() + losses.sum())


def linear_fits(setting: Setting, loss: str) -> Table:
    n = setting.size(200_000, 5000)
    X, y = table(n, 28, 2)
    test, truth = table(setting.size(20_000, 2000), 28, 2, seed=1)
    works: dict[str, Any] = {
        "hornbook": lambda: LinearSVC(loss=loss, n_jobs=setting.jobs).fit(X, y),
        "scikit-learn": lambda: sklearn_svm.LinearSVC(loss=loss, random_state=0).fit(X, y),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        timed = best_of(works, setting.rounds)
    values = {who: cost(run.result, X, y) for who, run in timed.items()}
    accuracy = {who: float(np.mean(run.result.predict(test) == truth)) for who, run in timed.items()}
    speed = timed["scikit-learn"].seconds / timed["hornbook"].seconds
    rows = [
        Row(who, run.seconds, timed["scikit-learn"].seconds / run.seconds, f"objective {values[who]:.8g}")
        for who, run in timed.items()
    ]
    above = values["hornbook"] / min(values.values()) - 1
    miss = abs(accuracy["hornbook"] - accuracy["scikit-learn"])
    targets = [
        Target("at least 3 times as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 3)),
        Target("objective within 1e-6 of the lower one", f"{above:.0e}", above <= 1e-6),
        Target("equal accuracies within 0.002", f"{miss:.4f}", judged(setting.quick, miss <= SAME_ACCURACY)),
    ]
    return Table(f"fit, linear, {loss}, {n:,} x 28, 2 classes, {setting.jobs} threads", rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    small = GRID[: setting.size(len(GRID), 3)]
    shapes = [measured(setting, setting.size(n, n // 5), d, k) for n, d, k in small]
    yield grid(setting, "fit, Gaussian kernel", shapes, FIT_GOAL)
    large = LARGE[: setting.size(len(LARGE), 1)]
    shapes = [measured(setting, setting.size(n, 1000), d, k, seed) for n, d, k, seed in large]
    yield grid(setting, "fit, Gaussian kernel, many rows", shapes, LARGE_GOAL)
    yield memory(setting)
    for loss in ("squared_hinge", "hinge"):
        yield linear_fits(setting, loss)
