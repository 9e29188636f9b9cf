"""Gradient boosting of ours and of the peers, with equal settings, under one interface."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import sklearn.ensemble as scikit_learn

import hornbook
from benchmarks._measure import peer

LIGHTGBM: Any = peer("lightgbm")
XGBOOST: Any = peer("xgboost")
OURS = "hornbook"
# What LightGBM can be told to do, all of which are tried: which is fastest depends on the table.
WAYS_OF_LIGHTGBM = {
    "LightGBM": {},
    "LightGBM, row-wise": {"force_row_wise": True},
    "LightGBM, quantized": {"use_quantized_grad": True},
}


class OnPandas:
    """A peer that takes strings as pandas categoricals only."""

    def __init__(self, model: Any) -> None:
        self.model = model

    @staticmethod
    def table(X: Any) -> Any:
        if not isinstance(X, pl.DataFrame):
            return X
        texts = [name for name, kind in X.schema.items() if kind == pl.String]
        levels = {name: pl.Enum(X[name].drop_nulls().unique().sort()) for name in texts}
        return X.with_columns(pl.col(name).cast(kind) for name, kind in levels.items()).to_pandas()

    def fit(self, X: Any, y: Any) -> OnPandas:
        # XGBoost wants classes without gaps between them.
        self.classes = np.unique(y) if hasattr(self.model, "predict_proba") else None
        self.model.fit(self.table(X), y if self.classes is None else np.searchsorted(self.classes, y))
        return self

    def predict(self, X: Any) -> Any:
        answer = self.model.predict(self.table(X))
        return answer if self.classes is None else self.classes[answer]

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(self.table(X))

    def score(self, X: Any, y: Any) -> float:
        answer = self.predict(X)
        if self.classes is None:
            return float(1.0 - ((answer - y) ** 2).mean() / y.var())
        return float((answer == y).mean())


def boosters(kind: str, n_trees: int, jobs: int, *, ways: bool = False) -> dict[str, Callable[[], Any]]:
    """Return how each contender is made: trees of 31 leaves, 255 bins, at least 20 rows in a leaf.

    Parameters
    ----------
    kind : {"Classifier", "Regressor"}
        What is predicted.
    n_trees : int
        Rounds of boosting.
    jobs : int
        Threads.
    ways : bool, default False
        Whether LightGBM is tried in all its ways.
    """
    ours = getattr(hornbook, f"HistGradientBoosting{kind}")
    theirs = getattr(scikit_learn, f"HistGradientBoosting{kind}")
    makers = {
        OURS: partial(ours, max_iter=n_trees, early_stopping=False, random_state=0, n_jobs=jobs),
        "scikit-learn": partial(
            theirs, max_iter=n_trees, early_stopping=False, random_state=0, categorical_features="from_dtype"
        ),
    }
    if LIGHTGBM is not None:
        for name, way in WAYS_OF_LIGHTGBM.items() if ways else [("LightGBM", {})]:
            options = {"n_estimators": n_trees, "n_jobs": jobs, "verbose": -1, "random_state": 0, **way}
            makers[name] = partial(getattr(LIGHTGBM, f"LGBM{kind}"), **options)
    if XGBOOST is not None:
        makers["XGBoost"] = partial(
            getattr(XGBOOST, f"XGB{kind}"), n_estimators=n_trees, tree_method="hist", max_bin=255,
            max_leaves=31, max_depth=0, grow_policy="lossguide", learning_rate=0.1,
            n_jobs=jobs, enable_categorical=True, random_state=0,
        )  # fmt: skip
    return {who: make if who == OURS else partial(_on_pandas, make) for who, make in makers.items()}


def _on_pandas(make: Callable[[], Any]) -> OnPandas:
    return OnPandas(make())
