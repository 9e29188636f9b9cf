"""Fits on two Dask workers against the same fits in memory, with more rows and workers, and against peers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client, LocalCluster, wait

import hornbook
from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook.evaluation import auc

XGBOOST: Any = peer("xgboost.dask")
LIGHTGBM: Any = peer("lightgbm.dask")
DASK_ML: Any = peer("dask_ml.linear_model")
COLUMNS = 28
PART = 250_000  # rows of a partition
NEW = 10_000  # seed of rows that nobody has learned from
TREES = 20
OVERHEAD = 1.3  # times the fit in memory with as many threads
LINEAR = 1.25  # seconds a row of all rows, relative to those of a quarter of them
HERE, THERE = "in memory, 2 threads", "2 workers of 1 thread"
PREPARED = f"{THERE}, prepared"

Arrays = tuple[Any, ...]
Makers = dict[str, Callable[[], Any]]


def part(place: int, n_rows: int) -> np.ndarray:
    """Return one partition: numbers, and in the last column the class."""
    draw = np.random.default_rng(place)
    X = draw.normal(size=(n_rows, COLUMNS))
    z = X[:, 0] * X[:, 1] + X[:, 2] ** 2 - 1 + X[:, 3:8].sum(axis=1) + draw.normal(size=n_rows)
    return np.column_stack([X, z > 0])


def lengths(n_rows: int) -> list[int]:
    """Return the rows of all partitions; there are at least eight, so that both workers have some."""
    size = min(PART, max(1, n_rows // 8))
    return [min(size, n_rows - start) for start in range(0, n_rows, size)]


def here(n_rows: int, seed: int = 0) -> Arrays:
    table = np.concatenate([part(seed + i, n) for i, n in enumerate(lengths(n_rows))])
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.int64)


def there(client: Any, n_rows: int) -> Arrays:
    """Return the same rows as collections, in the memory of the workers."""
    parts = [
        da.from_delayed(delayed(part)(i, n), (n, COLUMNS + 1), dtype=np.float64)
        for i, n in enumerate(lengths(n_rows))
    ]
    table = da.concatenate(parts)
    X, y = client.persist([table[:, :-1].map_blocks(np.ascontiguousarray), table[:, -1].astype(np.int64)])
    wait([X, y])
    return X, y


@contextmanager
def workers(n_workers: int) -> Iterator[Any]:
    options = {"dashboard_address": None, "worker_dashboard_address": None}
    with (
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, silence_logs=logging.CRITICAL, **options
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def learners(n_trees: int) -> Makers:
    return {
        "naive Bayes": partial(hornbook.NaiveBayes, n_jobs=2),
        "logistic regression": partial(hornbook.LogisticRegression, n_jobs=2),
        f"boosting, {n_trees} rounds": partial(
            hornbook.HistGradientBoostingClassifier,
            max_iter=n_trees,
            early_stopping=False,
            random_state=0,
            n_jobs=2,
        ),
    }


def fit(make: Callable[[], Any], data: Arrays) -> Any:
    return make().fit(*data)


def overhead(setting: Setting, client: Any, n_rows: int, n_trees: int) -> Iterator[Table]:
    """What Dask costs: passes over prepared blocks, and all from collections, against arrays."""
    X, y = there(client, n_rows)
    whole = da.concatenate([X, y[:, None]], axis=1)
    prepared = hornbook.cluster.blocks(whole, target=COLUMNS, kinds={COLUMNS: "nominal"}, client=client)
    tables: dict[str, Arrays] = {HERE: here(n_rows), PREPARED: (prepared,), THERE: (X, y)}
    new = here(2_000, NEW)[0]
    for name, make in learners(n_trees).items():
        fits = best_of({who: partial(fit, make, data) for who, data in tables.items()}, 1)
        first = fits[HERE].seconds
        rows = [Row(who, timed.seconds, first / timed.seconds) for who, timed in fits.items()]
        answers = [timed.result.predict_proba(new) for timed in fits.values()]
        same = all(np.array_equal(answers[0], other) for other in answers[1:])
        ratio = fits[PREPARED].seconds / first
        yield Table(
            f"{name}, {n_rows:,} x {COLUMNS}",
            rows,
            [
                Target("the same to the last bit", "the same" if same else "others", same),
                Target(
                    f"passes take at most {OVERHEAD} times the fit in memory",
                    f"{ratio:.2f}",
                    judged(setting.quick, ratio <= OVERHEAD),
                ),
            ],
        )


def growth(setting: Setting, n_rows: int, n_trees: int) -> Iterator[Table]:
    """Time by rows on two workers, and by workers for all rows."""
    seconds: dict[tuple[str, int, int], float] = {}
    runs = [(1, n_rows), (2, n_rows // 4), (2, n_rows // 2), (2, n_rows)]
    for n_workers in (1, 2):
        with workers(n_workers) as client:
            for size in [size for count, size in runs if count == n_workers]:
                data = there(client, size)
                fits = {name: partial(fit, make, data) for name, make in learners(n_trees).items()}
                for name, timed in best_of(fits, 1).items():
                    seconds[name, n_workers, size] = timed.seconds
    for name in learners(n_trees):
        base = seconds[name, 1, n_rows]
        rows = [
            Row(
                f"{size:,} rows, {count} worker{'s' * (count > 1)}",
                seconds[name, count, size],
                base / seconds[name, count, size] if size == n_rows else None,
                f"{seconds[name, count, size] / size * 1e6:.3f} s for a million rows",
            )
            for count, size in runs
        ]
        more = seconds[name, 2, n_rows] / n_rows / (seconds[name, 2, n_rows // 4] / (n_rows // 4))
        target = Target(
            f"a row of all takes at most {LINEAR} times as long as one of a quarter",
            f"{more:.2f}",
            judged(setting.quick, more <= LINEAR),
        )
        yield Table(f"{name}, growth", rows, [target])


def boosters(client: Any, n_trees: int) -> dict[str, Callable[[], Any] | None]:
    """Return how each contender is made: trees of 31 leaves, 255 bins, at least 20 rows in a leaf."""
    ours = list(learners(n_trees).values())[-1]
    makers: dict[str, Callable[[], Any] | None] = {"hornbook": ours, "XGBoost": None, "LightGBM": None}
    if XGBOOST is not None:
        makers["XGBoost"] = partial(
            XGBOOST.DaskXGBClassifier, n_estimators=n_trees, tree_method="hist", max_bin=255, max_leaves=31,
            max_depth=0, grow_policy="lossguide", learning_rate=0.1, random_state=0,
        )  # fmt: skip
    if LIGHTGBM is not None:
        makers["LightGBM"] = partial(
            LIGHTGBM.DaskLGBMClassifier, n_estimators=n_trees, verbose=-1, random_state=0, client=client
        )
    return makers


def linear_peers() -> dict[str, Callable[[], Any] | None]:
    makers: dict[str, Callable[[], Any] | None] = {
        "hornbook": hornbook.LogisticRegression,
        "dask-ml": None,
    }
    if DASK_ML is not None:
        makers["dask-ml"] = partial(DASK_ML.LogisticRegression, solver="lbfgs", C=1.0)
    return makers


def probabilities(model: Any, X: np.ndarray) -> np.ndarray:
    """Predict here where a model can, and else where the workers are: XGBoost takes collections only."""
    if hasattr(model, "to_local"):
        return np.asarray(model.to_local().predict_proba(X))
    return np.asarray(model.predict_proba(da.from_array(X, chunks=len(X))))


def against_peers(
    setting: Setting, title: str, makers: dict[str, Callable[[], Any] | None], data: Arrays
) -> Table:
    """The same rows, on the same two workers."""
    known = {who: make for who, make in makers.items() if make is not None}
    fits = best_of({who: partial(fit, make, data) for who, make in known.items()}, 1)
    X, truth = here(20_000, NEW)
    ours = fits["hornbook"].seconds
    rows = []
    for who in makers:
        if who not in fits:
            rows.append(Row(who))
            continue
        area = auc(truth, probabilities(fits[who].result, X)[:, 1])
        rows.append(Row(who, fits[who].seconds, ours / fits[who].seconds, f"AUC {area:.4f}"))
    others = [timed.seconds for who, timed in fits.items() if who != "hornbook"]
    if not others:
        return Table(title, rows)
    ratio = min(others) / ours
    target = Target("not slower than any peer", f"{ratio:.2f}x", judged(setting.quick, ratio >= 1))
    return Table(title, rows, [target])


def run(setting: Setting) -> Iterator[Table]:
    n_rows, n_trees = setting.size(5_000_000, 20_000), setting.size(TREES, 2)
    with workers(2) as client:
        yield from overhead(setting, client, n_rows, n_trees)
        some = setting.size(1_000_000, 20_000)
        data = there(client, some)
        size = f"{some:,} x {COLUMNS}, {THERE}"
        yield against_peers(setting, f"boosting, {n_trees} rounds, {size}", boosters(client, n_trees), data)
        yield against_peers(setting, f"logistic regression, {size}", linear_peers(), data)
    yield from growth(setting, setting.size(4_000_000, 20_000), n_trees)
