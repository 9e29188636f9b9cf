"""Logistic regression against scikit-learn's and scikit-learn-intelex's, at the same C."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression as ScikitLearn
from threadpoolctl import threadpool_limits

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import LogisticRegression

COLUMNS = 28


def numbers(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of different spread that hang together, and a class drawn by their weighted sum."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, COLUMNS)) * rng.uniform(0.5, 2.0, size=COLUMNS)
    X[:, : COLUMNS // 2] += 0.5 * X[:, COLUMNS // 2 :]
    z = X @ (rng.normal(size=COLUMNS) * 0.3) - 1.0
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-z))).astype(np.int64)


def objective(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Return the sum of the log losses plus half the squares of the coefficients, for C = 1."""
    z = X @ model.coef_[0] + model.intercept_[0]
    return float(np.logaddexp(0, np.where(y == 1, -z, z)).sum() + 0.5 * (model.coef_**2).sum())


def run(setting: Setting) -> Iterator[Table]:
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
    yield Table(f"fit, {n_rows:,} x {COLUMNS} float64, 2 classes, C = 1, {jobs} threads", rows, targets)
