"""K-means, twenty passes from the same centers, against scikit-learn's and scikit-learn-intelex's."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.cluster import KMeans as Theirs

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import KMeans

K = 20
COLUMNS = 16
PASSES = 20
GOAL = 1.5


def points(kind: str, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows in groups that are apart, that overlap, or in none, and rows of them to start from."""
    rng = np.random.default_rng(0)
    if kind == "uniform":
        X = rng.random((n_rows, COLUMNS))
    else:
        places = rng.normal(size=(K, COLUMNS)) * (3.0 if kind == "apart" else 1.0)
        X = places[rng.integers(K, size=n_rows)] + rng.normal(size=(n_rows, COLUMNS))
    return X, X[rng.choice(n_rows, K, replace=False)]


def work(learner: Any, X: np.ndarray) -> Callable[[], Any]:
    def fit() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # twenty passes are not enough to converge
            return learner.fit(X)

    return fit


def compare(title: str, timed: dict[str, Timed], setting: Setting) -> Table:
    ours, reference = timed["hornbook"], timed["scikit-learn"]
    rows = []
    for who, run in timed.items():
        quality = f"inertia {run.result.inertia_:.10g}, {run.result.n_iter_} passes"
        rows.append(Row(who, run.seconds, reference.seconds / run.seconds, quality))
    if "scikit-learn-intelex" not in timed:
        rows.append(Row("scikit-learn-intelex"))
    speed = min(run.seconds for who, run in timed.items() if who != "hornbook") / ours.seconds
    gap = abs(ours.result.inertia_ / reference.result.inertia_ - 1.0)
    targets = [
        Target(
            f"at least {GOAL:g} times as fast as the fastest peer",
            f"{speed:.2f}",
            judged(setting.quick, speed >= GOAL),
        ),
        Target("the inertia of scikit-learn to 1e-10", f"{gap:.1e}", gap <= 1e-10),
    ]
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    intelex = peer("sklearnex.cluster")
    n_rows = setting.size(500_000, 10_000)
    for kind in ("apart", "overlapping", "uniform"):
        X, start = points(kind, n_rows)
        options = {"init": start, "n_init": 1, "max_iter": PASSES, "tol": 0.0}
        works = {
            "hornbook": work(KMeans(K, n_jobs=setting.jobs, **options), X),
            "scikit-learn": work(Theirs(K, **options), X),
        }
        if intelex is not None:
            works["scikit-learn-intelex"] = work(intelex.KMeans(K, **options), X)
        title = f"{kind}, k={K}, {n_rows:,} x {COLUMNS} float64, {PASSES} passes, {setting.jobs} threads"
        yield compare(title, best_of(works, setting.rounds), setting)
