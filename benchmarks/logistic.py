"""Logistic regression against scikit-learn's and scikit-learn-intelex's, at the same C."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from statistics import geometric_mean
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression as ScikitLearn
from threadpoolctl import threadpool_limits

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import LogisticRegression

COLUMNS = 28
CLASSES_GOAL = 2.0  # times the fastest solver of scikit-learn, in every shape
# rows, columns, classes
CLASSES_GRID = [
    (6_000, 10, 3),
    (6_000, 20, 7),
    (20_000, 16, 26),
    (20_000, 60, 6),
    (60_000, 9, 7),
    (60_000, 180, 10),
]


def numbers(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of different spread that hang together, and a class drawn by their weighted sum."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, COLUMNS)) * rng.uniform(0.5, 2.0, size=COLUMNS)
    X[:, : COLUMNS // 2] += 0.5 * X[:, COLUMNS // 2 :]
    z = X @ (rng.normal(size=COLUMNS) * 0.3) - 1.0
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-z))).astype(np.int64)


def many_classes(n_rows: int, n_columns: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns that hang together, and one of several classes drawn by their weighted sums."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_columns)) @ (np.eye(n_columns) + 0.5 * rng.normal(size=(n_columns,) * 2))
    X = X / X.std(axis=0) * rng.uniform(0.5, 2.0, size=n_columns) + rng.normal(size=n_columns)
    z = X @ (rng.normal(size=(n_columns, k)) * 1.5 / np.sqrt(n_columns)) + rng.gumbel(size=(n_rows, k))
    return X, z.argmax(axis=1)


def objective(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Return the sum of the log losses plus half the squares of the coefficients, for C = 1."""
    z = X @ model.coef_.T + model.intercept_
    if z.shape[1] == 1:
        z = np.column_stack([np.zeros(len(z)), z])
    loss = np.logaddexp.reduce(z, axis=1) - z[np.arange(len(y)), y]
    return float(loss.sum() + 0.5 * (model.coef_**2).sum())


def run(setting: Setting) -> Iterator[Table]:
    yield _two_classes(setting)
    yield _many_classes(setting)


def _many_classes(setting: Setting) -> Table:
    rows, speeds, gaps = [], [], []
    for shape in CLASSES_GRID[: setting.size(len(CLASSES_GRID), 2)]:
        n_rows, n_columns, k = (
            setting.size(shape[0], 600),
            setting.size(shape[1], 5),
            setting.size(shape[2], 3),
        )
        X, y = many_classes(n_rows, n_columns, k)
        works: dict[str, Any] = {
            "hornbook": lambda X=X, y=y: LogisticRegression(n_jobs=setting.jobs).fit(X, y),
            "lbfgs": lambda X=X, y=y: ScikitLearn(max_iter=1000).fit(X, y),
            "newton-cg": lambda X=X, y=y: ScikitLearn(max_iter=1000, solver="newton-cg").fit(X, y),
        }
        if n_columns * k < 600:
            works["newton-cholesky"] = lambda X=X, y=y: ScikitLearn(solver="newton-cholesky").fit(X, y)
        with threadpool_limits(setting.jobs), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            timed = best_of(works, setting.rounds)
        fastest = min((who for who in timed if who != "hornbook"), key=lambda who: timed[who].seconds)
        values = {who: objective(run.result, X, y) for who, run in timed.items()}
        gaps.append(values["hornbook"] / min(values.values()) - 1)
        speeds.append(timed[fastest].seconds / timed["hornbook"].seconds)
        note = f"{fastest}, objective {values[fastest] / values['hornbook'] - 1:+.0e}"
        label = f"{n_rows:,} x {n_columns}, {k} classes"
        rows.append(Row(label, timed["hornbook"].seconds, speeds[-1], f"fastest: {note}"))
    targets = [
        Target(
            f"every shape at least {CLASSES_GOAL:g} times scikit-learn's fastest solver",
            f"worst {min(speeds):.2f}, mean {geometric_mean(speeds):.2f}",
            judged(setting.quick, min(speeds) >= CLASSES_GOAL),
        ),
        Target("objective within 1e-6 of the best", f"{max(gaps):.1e}", max(gaps) <= 1e-6),
    ]
    return Table(f"fit of several classes, C = 1, {setting.jobs} threads", rows, targets)


def _two_classes(setting: Setting) -> Table:
    n_rows = setting.size(500_000, 5_000)
    X, y = numbers(n_rows)
    jobs = setting.jobs
    works: dict[str, Any] = {
        "hornbook, Newton": lambda: LogisticRegression(n_jobs=jobs).fit(X, y),
        "hornbook, L-BFGS": lambda: LogisticRegression(solver="lbfgs", n_jobs=jobs).fit(X, y),
        "scikit-learn, L-BFGS": lambda: ScikitLearn().fit(X, y),
        "scikit-learn, Newton": lambda: ScikitLearn(solver="newton-cholesky").fit(X, y),
    }
    intel = peer("sklearnex")
    if intel is not None:
        from sklearnex.linear_model import LogisticRegression as Intelex  # noqa: PLC0415 - only if installed

        works["scikit-learn-intelex"] = lambda: Intelex(n_jobs=jobs).fit(X, y)
    with threadpool_limits(jobs):
        timed = best_of(works, setting.rounds)
    least = objective(LogisticRegression(tol=1e-12, n_jobs=jobs).fit(X, y), X, y)
    reference = timed["scikit-learn, L-BFGS"].seconds
    gaps = {who: objective(run.result, X, y) / least - 1 for who, run in timed.items()}
    rows = [
        Row(who, run.seconds, reference / run.seconds, f"objective {gaps[who]:.1e} above the minimum")
        for who, run in timed.items()
    ]
    if intel is None:
        rows.append(Row("scikit-learn-intelex"))
    ours = timed["hornbook, Newton"].seconds
    targets = []
    if intel is not None:
        speed = timed["scikit-learn-intelex"].seconds / ours
        text = "at least as fast as scikit-learn-intelex (goal: 2 times)"
        targets.append(Target(text, f"{speed:.2f}", judged(setting.quick, speed >= 1)))
    speed = reference / ours
    targets += [
        Target("at least as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 1)),
        Target(
            "objective within 1e-6 of the minimum",
            f"{gaps['hornbook, Newton']:.1e}",
            gaps["hornbook, Newton"] <= 1e-6,
        ),
    ]
    return Table(f"fit, {n_rows:,} x {COLUMNS} float64, 2 classes, C = 1, {jobs} threads", rows, targets)
