"""Quality of gradient boosting at its defaults on ten tables of many kinds, beside the peers at theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import polars as pl
from sklearn import datasets as bundled
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

import hornbook
from benchmarks._boosters import LIGHTGBM, OURS, XGBOOST, OnPandas
from benchmarks._measure import Setting, peer
from benchmarks._report import NOT_INSTALLED, Row, Table, Target, judged
from benchmarks.forests import numbers
from benchmarks.tables import mixed
from hornbook.evaluation import auc

CATBOOST: Any = peer("catboost")
PEERS = ("LightGBM", "XGBoost", "CatBoost")


@dataclass(frozen=True)
class Sample:
    """A table with its target: `n_classes` is 0 for numbers."""

    name: str
    X: Any
    y: np.ndarray
    n_classes: int

    @property
    def kind(self) -> str:
        return "Classifier" if self.n_classes else "Regressor"


def run(setting: Setting) -> Iterator[Table]:
    rows, behind, missing = [], {}, [who for who in PEERS if _module(who) is None]
    for table in islice(samples(setting.size(3_000, 200)), 0, None, setting.size(1, 4)):
        scores = cross_validated(table, setting)
        ours = scores.pop(OURS)
        gaps = {who: paired(ours - theirs, folds(setting)) for who, theirs in scores.items()}
        behind[table.name] = gaps
        texts = [f"{who} {gap:+.4f} ({gap / error:+.1f} se)" for who, (gap, error) in gaps.items()]
        rows.append(Row(table.name, None, None, f"{ours.mean():.4f}; ours minus {', '.join(texts)}"))
    rows += [Row(who, quality=NOT_INSTALLED) for who in missing]
    yield Table(
        f"AUC, accuracy or R2 at defaults, {folds(setting)} folds x {repeats(setting)}",
        rows,
        list(targets(behind, setting)),
    )


def targets(behind: dict[str, dict[str, tuple[float, float]]], setting: Setting) -> Iterator[Target]:
    """Ask for a mean not behind any peer, and for no table more than two standard errors behind."""
    for who in next(iter(behind.values())):
        mean = float(np.mean([gaps[who][0] for gaps in behind.values()]))
        yield Target(f"mean not behind {who}", f"{mean:+.4f}", judged(setting.quick, mean >= 0))
    if not any(behind.values()):  # no peer is installed
        return
    worst = min(gap / error for gaps in behind.values() for gap, error in gaps.values())
    yield Target("no table two standard errors behind", f"{worst:+.1f}", judged(setting.quick, worst >= -2))


def folds(setting: Setting) -> int:
    return setting.size(5, 2)


def repeats(setting: Setting) -> int:
    return setting.size(3, 1)


def paired(differences: np.ndarray, n_folds: int) -> tuple[float, float]:
    """Return the mean difference, and its standard error as Nadeau and Bengio (2003) correct it.

    The folds of repeated cross-validation share training rows, so that their spread is too small.
    """
    k = len(differences)
    spread = float(differences.var(ddof=1)) * (1 / k + 1 / (n_folds - 1))
    return float(differences.mean()), max(np.sqrt(spread), 1e-12)


def cross_validated(table: Sample, setting: Setting) -> dict[str, np.ndarray]:
    """Return the scores of all contenders on the same folds."""
    splitter = RepeatedStratifiedKFold if table.n_classes else RepeatedKFold
    splits = splitter(n_splits=folds(setting), n_repeats=repeats(setting), random_state=0)
    wide = OnPandas.table(table.X)  # once, so that all folds have the same categories
    scores: dict[str, list[float]] = {}
    for train, test in splits.split(np.zeros(len(table.y)), table.y):
        for who, make in contenders(table, setting.jobs).items():
            rows = table.X if who == OURS or not isinstance(table.X, pl.DataFrame) else wide
            model = make().fit(_rows(rows, train), table.y[train])
            scores.setdefault(who, []).append(score(table, model, _rows(rows, test), table.y[test]))
    return {who: np.array(values) for who, values in scores.items()}


def score(table: Sample, model: Any, X: Any, y: np.ndarray) -> float:
    """Return the area under the curve for two classes, else accuracy, and R2 for numbers."""
    if table.n_classes == 2:
        return auc(y, model.predict_proba(X)[:, 1])
    answer = np.asarray(model.predict(X)).ravel()
    if table.n_classes:
        return float((answer == y).mean())
    return float(1.0 - ((answer - y) ** 2).mean() / y.var())


def contenders(table: Sample, jobs: int) -> dict[str, Callable[[], Any]]:
    """Return how each is made, with nothing set but threads, seed and silence."""
    kind = table.kind
    makers = {OURS: partial(getattr(hornbook, f"HistGradientBoosting{kind}"), random_state=0, n_jobs=jobs)}
    if LIGHTGBM is not None:
        makers["LightGBM"] = partial(
            getattr(LIGHTGBM, f"LGBM{kind}"), n_jobs=jobs, random_state=0, verbose=-1
        )
    if XGBOOST is not None:
        makers["XGBoost"] = partial(
            getattr(XGBOOST, f"XGB{kind}"), n_jobs=jobs, random_state=0, enable_categorical=True
        )
    if CATBOOST is not None:
        makers["CatBoost"] = partial(OnStrings, getattr(CATBOOST, f"CatBoost{kind}"), jobs)
    return makers


class OnStrings:
    """CatBoost, which takes categories as strings without gaps."""

    def __init__(self, learner: Any, jobs: int) -> None:
        self.learner, self.jobs = learner, jobs

    @staticmethod
    def table(X: Any) -> tuple[Any, list[str]]:
        texts = [] if isinstance(X, np.ndarray) else list(X.select_dtypes("category"))
        filled = {name: X[name].astype(object).fillna("missing").astype(str) for name in texts}
        return (X.assign(**filled) if texts else X), texts

    def fit(self, X: Any, y: np.ndarray) -> Any:
        rows, texts = self.table(X)
        self.model = self.learner(
            thread_count=self.jobs,
            random_seed=0,
            verbose=False,
            allow_writing_files=False,
            cat_features=texts,
        ).fit(rows, y)
        return self

    def predict(self, X: Any) -> Any:
        return self.model.predict(self.table(X)[0])

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(self.table(X)[0])


def samples(n: int) -> Iterator[Sample]:
    """Return the tables: bundled ones as they are, generated ones of n rows."""
    rng = np.random.default_rng(0)
    for name, table in (("spam", hornbook.datasets.spam()), ("glass", hornbook.datasets.glass())):
        rows = _thinned(len(table.y), n)
        yield _classes(name, table.features.matrix[rows], table.y[rows])
    for name in ("breast_cancer", "digits", "diabetes"):
        X, y = getattr(bundled, f"load_{name}")(return_X_y=True)
        rows = _thinned(len(y), n)
        make = _amounts if name == "diabetes" else _classes
        yield make(name.replace("_", " "), X[rows], y[rows])
    yield _amounts("Friedman's function", *bundled.make_friedman1(n, 10, noise=1.0, random_state=0))
    yield _classes("bent numbers", *numbers(n))
    yield _classes("strings and gaps", *mixed(n))
    codes = rng.integers(200, size=(n, 6))
    chance = rng.normal(size=200)[codes[:, 0]] + rng.normal(size=n) > 0
    levels = pl.DataFrame({f"c{j}": pl.Series(codes[:, j].astype(str)) for j in range(6)})
    yield _classes("200 levels", levels, chance.astype(int))
    X = rng.normal(size=(n, 8))
    y = np.exp(0.5 * X[:, 0] + 0.3 * np.abs(X[:, 1]) + (X[:, 2] > 0.7) + 0.5 * rng.normal(size=n))
    X[:, 2][X[:, 2] > 0.7] = np.nan  # that a value is missing says something
    X[rng.random(X.shape) < 0.05] = np.nan
    yield _amounts("skewed amounts, gaps", X, y)


def _classes(name: str, X: Any, y: np.ndarray) -> Sample:
    classes, codes = np.unique(y, return_inverse=True)
    size = "x".join(map(str, X.shape))
    return Sample(f"{name} ({size}, {len(classes)} classes)", X, codes, len(classes))


def _amounts(name: str, X: Any, y: np.ndarray) -> Sample:
    return Sample(f"{name} ({'x'.join(map(str, X.shape))}, numbers)", X, y, 0)


def _thinned(n_rows: int, most: int) -> np.ndarray:
    """Every so many rows, for a quick run."""
    return np.arange(0, n_rows, max(1, n_rows // most)) if most < 1_000 else np.arange(n_rows)


def _rows(X: Any, rows: np.ndarray) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _module(who: str) -> Any:
    return {"LightGBM": LIGHTGBM, "XGBoost": XGBOOST, "CatBoost": CATBOOST}[who]
