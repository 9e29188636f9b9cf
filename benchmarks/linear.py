"""Linear models against scikit-learn's and scikit-learn-intelex's, and how their time grows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso as ScikitLasso
from sklearn.linear_model import LinearRegression as ScikitLeast
from sklearn.linear_model import LogisticRegression as ScikitLogistic
from sklearn.linear_model import Ridge as ScikitRidge
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from benchmarks._growth import COLUMNS, growth, numbers
from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import (
    BasicLinearClassifier,
    ElasticNet,
    GeneralizedLinearClassifier,
    GeneralizedLinearRegressor,
    Lasso,
    LinearDiscriminant,
    LinearRegression,
    LogisticRegression,
    LogLinearRegression,
    NearestMeanClassifier,
    Perceptron,
    PolynomialClassifier,
    PolynomialRegression,
    Ridge,
    SurrogateLossClassifier,
)


def rows_of(timed: dict[str, Timed], reference: str, quality: dict[str, str]) -> list[Row]:
    base = timed[reference].seconds
    return [Row(who, run.seconds, base / run.seconds, quality.get(who, "")) for who, run in timed.items()]


def discriminants(setting: Setting, X: np.ndarray, y: np.ndarray) -> Table:
    jobs = setting.jobs
    works: dict[str, Any] = {
        "hornbook": lambda: LinearDiscriminant(n_jobs=jobs).fit(X, y),
        "scikit-learn, lsqr": lambda: LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
        "scikit-learn, eigen": lambda: LinearDiscriminantAnalysis(solver="eigen").fit(X, y),
        "scikit-learn, svd": lambda: LinearDiscriminantAnalysis(solver="svd").fit(X, y),
    }
    timed = best_of(works, setting.rounds)
    judge = timed["scikit-learn, svd"].result.predict_proba(X)
    off = {who: abs(run.result.predict_proba(X) - judge).max() for who, run in timed.items()}
    fastest = min((who for who in works if who != "hornbook"), key=lambda who: timed[who].seconds)
    speed = timed[fastest].seconds / timed["hornbook"].seconds
    targets = [
        Target("3 times scikit-learn's fastest solver", f"{speed:.2f}", judged(setting.quick, speed >= 3)),
        Target("probabilities within 1e-8 of svd", f"{off['hornbook']:.1e}", off["hornbook"] <= 1e-8),
    ]
    quality = {who: f"probabilities off by {value:.0e}" for who, value in off.items()}
    title = f"linear discriminant, {len(X):,} x {COLUMNS}, 2 classes, {jobs} threads"
    return Table(title, rows_of(timed, fastest, quality), targets)


def squares(setting: Setting, X: np.ndarray, t: np.ndarray, *, ridge: bool) -> Table:
    jobs, intel = setting.jobs, peer("sklearnex")
    ours, theirs = (Ridge, ScikitRidge) if ridge else (LinearRegression, ScikitLeast)
    works: dict[str, Any] = {
        "hornbook": lambda: ours(n_jobs=jobs).fit(X, t),
        "scikit-learn": lambda: theirs().fit(X, t),
    }
    if intel is not None:
        from sklearnex.linear_model import LinearRegression as IntelLeast  # noqa: PLC0415 - only if installed
        from sklearnex.linear_model import Ridge as IntelRidge  # noqa: PLC0415 - only if installed

        fast = IntelRidge if ridge else IntelLeast
        works["scikit-learn-intelex"] = lambda: fast().fit(X, t)
    timed = best_of(works, setting.rounds)
    judge = timed["scikit-learn"].result.coef_
    off = {who: abs(run.result.coef_ - judge).max() for who, run in timed.items()}
    speed = timed["scikit-learn"].seconds / timed["hornbook"].seconds
    targets = [
        Target("at least as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 1)),
        Target("coefficients within 1e-8", f"{off['hornbook']:.1e}", off["hornbook"] <= 1e-8),
    ]
    rows = rows_of(timed, "scikit-learn", {who: f"coefficients off by {v:.0e}" for who, v in off.items()})
    if intel is None:
        rows.append(Row("scikit-learn-intelex"))
    else:
        even = timed["scikit-learn-intelex"].seconds / timed["hornbook"].seconds
        targets.append(Target("as fast as intelex", f"{even:.2f}", judged(setting.quick, even >= 1)))
    name = "ridge" if ridge else "least squares (ours with standard errors)"
    return Table(f"{name}, {len(X):,} x {COLUMNS}, {jobs} threads", rows, targets)


def logistic_cost(model: Any, X: np.ndarray, y: np.ndarray, C: float) -> float:
    z = X @ model.coef_[0] + model.intercept_[0]
    return float(C * np.logaddexp(0, np.where(y == 1, -z, z)).sum() + np.abs(model.coef_).sum())


def absolute_logistic(setting: Setting, X: np.ndarray, y: np.ndarray) -> Table:
    C = 0.01
    works: dict[str, Any] = {
        "hornbook": lambda: LogisticRegression(C=C, l1_ratio=1.0, n_jobs=setting.jobs).fit(X, y),
        "scikit-learn, saga": lambda: ScikitLogistic(C=C, l1_ratio=1.0, solver="saga", tol=1e-3).fit(X, y),
    }
    timed = best_of(works, setting.rounds)
    costs = {who: logistic_cost(run.result, X, y, C) for who, run in timed.items()}
    speed = timed["scikit-learn, saga"].seconds / timed["hornbook"].seconds
    above = costs["hornbook"] / costs["scikit-learn, saga"] - 1
    targets = [
        Target("at least as fast as saga", f"{speed:.2f}", judged(setting.quick, speed >= 1)),
        Target("objective not above saga's by more than 1e-6", f"{above:.1e}", above <= 1e-6),
    ]
    quality = {who: f"objective {cost:.6f}" for who, cost in costs.items()}
    title = f"logistic regression with absolute values, {len(X):,} x {COLUMNS}, C = {C}"
    return Table(title, rows_of(timed, "scikit-learn, saga", quality), targets)


def hinge_cost(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    z = X @ model.coef_[0] + model.intercept_[0]
    lack = np.maximum(1 - np.where(y == 1, z, -z), 0)
    return float(0.5 * model.coef_[0] @ model.coef_[0] + lack.sum())


def hinges(setting: Setting, X: np.ndarray, y: np.ndarray) -> Table:
    """The peer also makes the intercept small, which a large scale of it all but undoes."""
    peer_name = "scikit-learn, LinearSVC"
    works: dict[str, Any] = {
        "hornbook": lambda: SurrogateLossClassifier(n_jobs=setting.jobs).fit(X, y),
        peer_name: lambda: LinearSVC(loss="hinge", intercept_scaling=10.0).fit(X, y),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        timed = best_of(works, 1)
    costs = {who: hinge_cost(run.result, X, y) for who, run in timed.items()}
    speed = timed[peer_name].seconds / timed["hornbook"].seconds
    above = costs["hornbook"] / costs[peer_name] - 1
    targets = [
        Target("at least as fast as LinearSVC", f"{speed:.2f}", judged(setting.quick, speed >= 1)),
        Target("objective not above LinearSVC's", f"{above:.1e}", above <= 0),
    ]
    quality = {who: f"objective {cost:.6f}" for who, cost in costs.items()}
    return Table(f"hinge loss, {len(X):,} x {COLUMNS}, C = 1", rows_of(timed, peer_name, quality), targets)


def lasso(setting: Setting, X: np.ndarray, t: np.ndarray) -> Table:
    works: dict[str, Any] = {
        "hornbook": lambda: Lasso(alpha=0.01, tol=1e-8, n_jobs=setting.jobs).fit(X, t),
        "scikit-learn": lambda: ScikitLasso(alpha=0.01, tol=1e-8).fit(X, t),
    }
    timed = best_of(works, setting.rounds)
    off = abs(timed["hornbook"].result.coef_ - timed["scikit-learn"].result.coef_).max()
    speed = timed["scikit-learn"].seconds / timed["hornbook"].seconds
    targets = [
        Target("at least as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 1)),
        Target("coefficients within 1e-4", f"{off:.1e}", bool(off <= 1e-4)),
    ]
    title = f"lasso, {len(X):,} x {COLUMNS}, alpha = 0.01"
    return Table(title, rows_of(timed, "scikit-learn", {}), targets)


def learners(jobs: int) -> dict[str, tuple[Callable[[], Any], bool]]:
    """Return every learner of the family and whether it takes numbers as target."""
    return {
        "LinearRegression": (lambda: LinearRegression(n_jobs=jobs), True),
        "Ridge": (lambda: Ridge(n_jobs=jobs), True),
        "Lasso": (lambda: Lasso(alpha=0.01, n_jobs=jobs), True),
        "ElasticNet": (lambda: ElasticNet(alpha=0.01, n_jobs=jobs), True),
        "LogLinearRegression": (lambda: LogLinearRegression(n_jobs=jobs), True),
        "GeneralizedLinearRegressor": (
            lambda: GeneralizedLinearRegressor(family="gamma", link="log", n_jobs=jobs),
            True,
        ),
        "PolynomialRegression": (lambda: PolynomialRegression(n_jobs=jobs), True),
        "LogisticRegression": (lambda: LogisticRegression(n_jobs=jobs), False),
        "LinearDiscriminant": (lambda: LinearDiscriminant(n_jobs=jobs), False),
        "BasicLinearClassifier": (lambda: BasicLinearClassifier(n_jobs=jobs), False),
        "NearestMeanClassifier": (lambda: NearestMeanClassifier(n_jobs=jobs), False),
        "Perceptron": (lambda: Perceptron(max_iter=10, n_iter_no_change=None), False),
        "PolynomialClassifier": (PolynomialClassifier, False),
        "GeneralizedLinearClassifier": (GeneralizedLinearClassifier, False),
        "SurrogateLossClassifier": (
            lambda: SurrogateLossClassifier(n_jobs=jobs),
            False,
        ),
    }


def run(setting: Setting) -> Iterator[Table]:
    X, y, t = numbers(setting.size(500_000, 5_000))
    with threadpool_limits(setting.jobs):
        yield discriminants(setting, X, y)
        yield squares(setting, X, t, ridge=False)
        yield squares(setting, X, t, ridge=True)
        yield lasso(setting, X, t)
        small = setting.size(100_000, 5_000)
        yield absolute_logistic(setting, X[:small], y[:small])
        few = setting.size(20_000, 2_000)
        yield hinges(setting, X[:few], y[:few])
        yield growth(setting, learners(setting.jobs))
