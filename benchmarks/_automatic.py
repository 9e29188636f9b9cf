"""The model that a study ends with, beside the one that FLAML finds in the same time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl

import hornbook
from benchmarks._boosters import OnPandas
from benchmarks._measure import Setting, peer
from benchmarks._report import NOT_INSTALLED, Row, Table, Target, judged
from benchmarks.boosting_quality import Sample, samples
from hornbook.studies import Study

FLAML: Any = peer("flaml")
ENOUGH = 2 / 3  # of the tables on which ours must not be worse
ROUNDING = 1e-3  # of a score: less is no difference
LEAST = 1e-15  # probability, so that losses stay finite


@dataclass(frozen=True)
class Outcome:
    """Log loss or RMSE of a model on rows that took no part in anything, and the time it took."""

    seconds: float
    loss: float
    words: str


def automatic(setting: Setting) -> Iterator[Table]:
    """Compare test losses at equal wall time, one split in thirds of each table."""
    rows, ratios = [], []
    for table in islice(samples(setting.size(1_500, 200)), 0, None, setting.size(1, 5)):
        order = np.random.default_rng(0).permutation(len(table.y))
        cut = 2 * len(order) // 3
        train, test = np.sort(order[:cut]), np.sort(order[cut:])
        ours = studied(table, train, test, setting)
        words = f"{ours.loss:.4f} by {ours.words}"
        theirs = None if FLAML is None else found_by_flaml(table, train, test, ours.seconds, setting)
        if theirs is not None:
            ratios.append(ours.loss / theirs.loss)
            words += f"; FLAML {theirs.loss:.4f} by {theirs.words}; {ratios[-1]:.3f} of it"
        rows.append(Row(table.name, ours.seconds, None, words))
    if FLAML is None:
        rows.append(Row("FLAML", quality=NOT_INSTALLED))
    yield Table(
        "log loss or RMSE on test rows, a study and FLAML for as long", rows, list(targets(ratios, setting))
    )


def targets(ratios: list[float], setting: Setting) -> Iterator[Target]:
    """Ask for a loss that is not larger on two thirds of the tables, and not on average."""
    if not ratios:
        return
    good = sum(ratio <= 1 + ROUNDING for ratio in ratios)
    text = f"not worse on {ENOUGH:.0%} of the tables"
    value = f"{good} of {len(ratios)}"
    yield Target(text, value, judged(setting.quick, good >= ENOUGH * len(ratios)))
    mean = float(np.exp(np.mean(np.log(ratios))))
    yield Target("geometric mean of the ratios below 1", f"{mean:.3f}", judged(setting.quick, mean < 1))


def studied(table: Sample, train: np.ndarray, test: np.ndarray, setting: Setting) -> Outcome:
    """Run a study of the training rows, tuned, and test the model it recommends."""
    X, y = _frame(table), _labels(table)
    options = {"cv": setting.size(5, 2), "repeats": 1, "jobs": setting.jobs, "progress": False}
    start = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small folds in a quick run
        study: Study = hornbook.study(X[train].with_columns(pl.Series("y", y[train])), "y", **options)
        seconds = perf_counter() - start
        used = list(study.model.feature_names_in_)  # a study leaves out columns that say nothing
        loss = test_loss(table, study.model, X[test].select(used), y[test])
    return Outcome(seconds, loss, str(study.recommended))


def found_by_flaml(
    table: Sample, train: np.ndarray, test: np.ndarray, seconds: float, setting: Setting
) -> Outcome:
    """Let FLAML search for so many seconds."""
    X, y = OnPandas.table(_frame(table)), _labels(table)
    search = FLAML.AutoML()
    task, metric = ("classification", "log_loss") if table.n_classes else ("regression", "rmse")
    start = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(
            X_train=X.iloc[train],
            y_train=y[train],
            task=task,
            metric=metric,
            time_budget=max(seconds, 1.0),
            n_jobs=setting.jobs,
            seed=0,
            verbose=0,
        )
        loss = test_loss(table, search, X.iloc[test], y[test])
    return Outcome(perf_counter() - start, loss, str(search.best_estimator))


def test_loss(table: Sample, model: Any, X: Any, y: np.ndarray) -> float:
    """Return the log loss of probabilities, or the root mean squared error of numbers."""
    if not table.n_classes:
        return float(np.sqrt(np.mean((np.asarray(model.predict(X)) - y) ** 2)))
    places = np.searchsorted(np.asarray(model.classes_), y)
    certainty = np.asarray(model.predict_proba(X))[np.arange(len(y)), places]
    return float(-np.mean(np.log(np.maximum(certainty, LEAST))))


def _frame(table: Sample) -> pl.DataFrame:
    if isinstance(table.X, pl.DataFrame):
        return table.X
    return pl.DataFrame({f"x{j}": table.X[:, j] for j in range(table.X.shape[1])})


def _labels(table: Sample) -> np.ndarray:
    """Classes as words, which both take for classes whatever their number."""
    return np.array([f"class {code:03d}" for code in table.y]) if table.n_classes else table.y
