"""Histogram gradient boosting against LightGBM, XGBoost and scikit-learn: speed, memory, quality."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks._boosters import OURS, boosters
from benchmarks._measure import Alone, Setting, Timed, alone, best_of
from benchmarks._report import Row, Table, Target, judged
from benchmarks.forests import numbers
from benchmarks.tables import mixed
from hornbook.evaluation import auc, log_loss

Data = tuple[Any, np.ndarray]


def run(setting: Setting) -> Iterator[Table]:
    for jobs in sorted({1, max(2, setting.jobs)}):
        with threadpool_limits(jobs):  # scikit-learn's takes no number of threads
            yield from two_classes(setting, jobs)
    with threadpool_limits(setting.jobs):
        yield many_classes(setting)
        yield from small_tables(setting)
        yield one_row(setting)
        yield memory(setting, single_precision, setting.size(500_000, 2_000))
        yield memory(setting, ten_classes, setting.size(200_000, 2_000))


def two_classes(setting: Setting, jobs: int) -> Iterator[Table]:
    """Fit and prediction of a large table of numbers, and of one with strings and gaps."""
    n_rows, n_trees = setting.size(500_000, 2_000), setting.size(100, 5)
    X, y = numbers(2 * n_rows)
    X = X.astype(np.float32)
    makers = boosters("Classifier", n_trees, jobs, ways=True)
    fitted = best_of(fits(makers, (X[:n_rows], y[:n_rows])), 1)
    new, truth = X[n_rows:], y[n_rows:]
    answers = {who: partial(run.result.predict_proba, new) for who, run in fitted.items()}
    predicted = best_of(answers, 1)
    areas = {who: auc(truth, run.result[:, 1]) for who, run in predicted.items()}
    size = f"{n_rows:,} x 28 float32, {n_trees} trees, {jobs} threads"
    yield table(f"fit, {size}", fitted, areas, 1.5, setting)
    yield table(f"predict_proba, {size}", predicted, areas, 2.0, setting)
    n_rows = setting.size(1_000_000, 2_000)
    fitted = best_of(fits(makers, mixed(n_rows)), 1)
    new, truth = mixed(setting.size(100_000, 2_000), seed=1)
    areas = {who: auc(truth, run.result.predict_proba(new)[:, 1]) for who, run in fitted.items()}
    yield table(f"fit, {n_rows:,} x 50 mixed from polars, {jobs} threads", fitted, areas, 1.5, setting)


def many_classes(setting: Setting) -> Table:
    """Ten classes: a tree for each in every round."""
    n_rows, n_trees = setting.size(200_000, 2_000), setting.size(50, 3)
    X, y = classes(n_rows + 20_000, 10)
    fitted = best_of(fits(boosters("Classifier", n_trees, setting.jobs), (X[:n_rows], y[:n_rows])), 1)
    losses = {who: -log_loss(y[n_rows:], run.result.predict_proba(X[n_rows:])) for who, run in fitted.items()}
    title = f"fit, 10 classes, {n_rows:,} x 28, {n_trees} rounds, {setting.jobs} threads"
    return table(title, fitted, losses, 1.5, setting, within=0.01)


def classes(n_rows: int, n_classes: int) -> Data:
    """Return columns of numbers, and the class with the largest of some bent and noisy scores."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 28))
    scores = np.hstack([X, np.sin(2 * X[:, :5]), X[:, :4] * X[:, 4:8]]) @ rng.normal(size=(37, n_classes))
    return X, (scores + 2 * rng.normal(size=scores.shape)).argmax(axis=1)


def small_tables(setting: Setting) -> Iterator[Table]:
    """Many fits of small tables, as a study makes them."""
    for n_rows in (1_000, 10_000):
        n_trees = setting.size(100, 5)
        X, y = numbers(2 * n_rows)
        makers = boosters("Classifier", n_trees, setting.jobs, ways=True)
        fitted = best_of(fits(makers, (X[:n_rows], y[:n_rows])), setting.size(10, 1))
        areas = {
            who: auc(y[n_rows:], run.result.predict_proba(X[n_rows:])[:, 1]) for who, run in fitted.items()
        }
        title = f"fit, {n_rows:,} x 28, {n_trees} trees, {setting.jobs} threads"
        yield table(title, fitted, areas, 2.0, setting, within=0.01)


def one_row(setting: Setting) -> Table:
    """One row by the public ``predict``."""
    X, y = numbers(2_000)
    models = {who: make().fit(X, y) for who, make in boosters("Classifier", 100, 1).items()}
    calls = setting.size(1_000, 10)
    row = X[:1].copy()

    def many(model: Any) -> None:
        for _ in range(calls):
            model.predict(row)

    timed = best_of({who: partial(many, model) for who, model in models.items()}, setting.rounds)
    micro = {who: 1e6 * run.seconds / calls for who, run in timed.items()}
    rows = [Row(who, cost / 1e6, None, f"{cost:.0f} microseconds") for who, cost in micro.items()]
    ours = micro[OURS]
    target = Target("under 50 microseconds", f"{ours:.0f}", judged(setting.quick, ours < 50))
    return Table("predict one row of 28 numbers, 100 trees", rows, [target])


def memory(setting: Setting, make_data: Callable[[int], Data], n_rows: int) -> Table:
    """Memory of a fit beyond the table itself."""
    makers = boosters("Classifier", setting.size(20, 3), setting.jobs)
    runs = {who: alone(make_data, partial(fit, make), n_rows) for who, make in makers.items()}
    rows = [Row(who, run.seconds, None, _megabytes(run)) for who, run in runs.items()]
    ours, theirs = runs[OURS].extra, runs.get("LightGBM", runs[OURS]).extra
    known = ours is not None and theirs is not None
    text = f"{ours / theirs:.2f}" if known else "unknown"
    target = Target("at most LightGBM's", text, judged(setting.quick or not known, known and ours <= theirs))
    what = make_data.__name__.replace("_", " ")
    return Table(f"memory of a fit, {n_rows:,} x 28, {what}", rows, [target])


def single_precision(n_rows: int) -> Data:
    X, y = numbers(n_rows)
    return X.astype(np.float32), y


def ten_classes(n_rows: int) -> Data:
    return classes(n_rows, 10)


def _megabytes(run: Alone) -> str:
    return "" if run.extra is None else f"{run.extra / 2**20:,.0f} MB beyond the table"


def fits(makers: dict[str, Callable[[], Any]], data: Data) -> dict[str, Callable[[], Any]]:
    return {who: partial(fit, make, data) for who, make in makers.items()}


def fit(make: Callable[[], Any], data: Data) -> Any:
    return make().fit(*data)


def table(
    title: str,
    timed: dict[str, Timed],
    quality: dict[str, float],
    factor: float,
    setting: Setting,
    *,
    within: float = 0.001,
) -> Table:
    """Return times beside the fastest peer's, and whether the quality is that of the best."""
    peers = min(run.seconds for who, run in timed.items() if who != OURS)
    rows = [Row(who, run.seconds, peers / run.seconds, f"{quality[who]:.4f}") for who, run in timed.items()]
    speed = peers / timed[OURS].seconds
    behind = max(value for who, value in quality.items() if who != OURS) - quality[OURS]
    return Table(
        title,
        rows,
        [
            Target(
                f"at least {factor:g} times the fastest peer",
                f"{speed:.2f}",
                judged(setting.quick, speed >= factor),
            ),
            Target(
                f"quality at most {within:g} behind the best",
                f"{behind:+.4f}",
                judged(setting.quick, behind <= within),
            ),
        ],
    )
