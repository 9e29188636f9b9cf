"""Trees and forests on a large table as it comes: numbers, strings and gaps in a polars frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier as TheirTree

from benchmarks._measure import Alone, Setting, alone, peer
from benchmarks._report import Row, Table, Target
from hornbook import DecisionTreeClassifier, RandomForestClassifier
from hornbook.evaluation import auc

NUMBERS, STRINGS, LEVELS, MISSING = 30, 20, 50, 0.1
NAMES = [f"level {k:02}" for k in range(LEVELS)]
# The most leaves a tree of LightGBM can have here: it keeps a histogram of all columns for each.
LEAVES = 1023

LIGHTGBM: Any = peer("lightgbm")
Data = tuple[pl.DataFrame, np.ndarray]


def mixed(n_rows: int, seed: int = 0) -> Data:
    """Return numbers and strings of which four each matter, a tenth of all missing, and two classes."""
    rng = np.random.default_rng(seed)
    effect = np.random.default_rng(0).normal(size=(4, LEVELS))
    score = np.zeros(n_rows)
    columns = {}
    for j in range(NUMBERS):
        x = rng.normal(size=n_rows)
        score += x * (1.0, 0.7, -0.5, 0.3)[j] if j < 4 else 0.0
        x[rng.random(n_rows) < MISSING] = np.nan
        columns[f"number {j}"] = pl.Series(x, nan_to_null=True)
    for j in range(STRINGS):
        code = rng.integers(0, LEVELS, n_rows)
        score += 0.6 * effect[j][code] if j < 4 else 0.0
        gaps = pl.Series(rng.random(n_rows) < MISSING)
        columns[f"string {j}"] = pl.Series(np.array(NAMES)[code]).set(gaps, None)
    y = (rng.random(n_rows) < 1 / (1 + np.exp(-score))).astype(np.int64)
    return pl.DataFrame(columns), y


def fit(make: Callable[[], Any], data: Data) -> Any:
    return make().fit(*data)


def ranked(n_rows: int, model: Any) -> float:
    """Return the area under the curve on other rows."""
    X, y = mixed(n_rows, seed=1)
    return auc(y, model.predict_proba(X)[:, 1])


class Categoricals:
    """LightGBM's random forest on pandas categoricals, which is the only form in which it takes strings."""

    def __init__(self, n_trees: int, jobs: int) -> None:
        share = np.sqrt(NUMBERS + STRINGS) / (NUMBERS + STRINGS)
        self.model = LIGHTGBM.LGBMClassifier(
            boosting_type="rf", n_estimators=n_trees, num_leaves=LEAVES, min_child_samples=1,
            min_child_weight=0, subsample=0.632, subsample_freq=1, feature_fraction_bynode=share,
            n_jobs=jobs, verbose=-1,
        )  # fmt: skip

    @staticmethod
    def table(X: pl.DataFrame) -> Any:
        return X.with_columns(pl.col(pl.String).cast(pl.Enum(NAMES))).to_pandas()

    def fit(self, X: pl.DataFrame, y: np.ndarray) -> Categoricals:
        self.model.fit(self.table(X), y)
        return self

    def predict_proba(self, X: pl.DataFrame) -> Any:
        return self.model.predict_proba(self.table(X))


def ordinal(model: Any) -> Any:
    """Return scikit-learn's learner behind an encoder: strings become numbers in alphabetic order."""
    strings = [f"string {j}" for j in range(STRINGS)]
    coder = make_column_transformer((OrdinalEncoder(), strings), remainder="passthrough")
    return make_pipeline(coder, model)


def contenders(n_trees: int, jobs: int) -> dict[str, dict[str, Callable[[], Any]]]:
    """Return how each learner is made: the forests, and the single trees."""
    forests = {
        "hornbook": partial(RandomForestClassifier, n_trees, random_state=0, n_jobs=jobs),
        "hornbook, 255 bins": partial(
            RandomForestClassifier, n_trees, max_bins=255, random_state=0, n_jobs=jobs
        ),
        "scikit-learn, ordinal codes": partial(_their_forest, n_trees, jobs),
    }
    if LIGHTGBM is not None:
        forests[f"LightGBM rf, pandas categoricals, at most {LEAVES:,} leaves"] = partial(
            Categoricals, n_trees, jobs
        )
    trees = {
        "hornbook": partial(DecisionTreeClassifier, n_jobs=jobs),
        "hornbook, 255 bins": partial(DecisionTreeClassifier, max_bins=255, n_jobs=jobs),
        "scikit-learn, ordinal codes": _their_tree,
    }
    return {f"forest of {n_trees} trees": forests, "one tree": trees}


def _their_forest(n_trees: int, jobs: int) -> Any:
    return ordinal(TheirForest(n_trees, random_state=0, n_jobs=jobs))


def _their_tree() -> Any:
    return ordinal(TheirTree(random_state=0))


def run(setting: Setting) -> Iterator[Table]:
    n_rows = setting.size(1_000_000, 2_000)
    judge = partial(ranked, setting.size(100_000, 1_000))
    size = (
        f"{n_rows:,} x {NUMBERS + STRINGS}, {STRINGS} columns of strings with {LEVELS} categories, "
        f"{MISSING:.0%} missing, {setting.jobs} threads"
    )
    for what, learners in contenders(setting.size(10, 2), setting.jobs).items():
        runs = {who: alone(mixed, partial(fit, make), n_rows, judge=judge) for who, make in learners.items()}
        yield table(f"{what}, from a polars frame, {size}", runs)


def table(title: str, runs: dict[str, Alone]) -> Table:
    """Return time and memory of each fit, with all conversions it needs, beside scikit-learn's."""
    reference = runs["scikit-learn, ordinal codes"].seconds
    rows = []
    for who, run in runs.items():
        memory = "" if run.extra is None else f", {run.extra / 2**20:,.0f} MB beyond the table"
        rows.append(Row(who, run.seconds, reference / run.seconds, f"test AUC {run.quality:.4f}{memory}"))
    if LIGHTGBM is None:
        rows.append(Row("LightGBM"))
    best = max(runs[who].quality for who in ("hornbook", "hornbook, 255 bins"))
    learned = Target("trains directly from the frame", f"test AUC {best:.3f}", reached=best > 0.5)
    return Table(title, rows, [learned])
