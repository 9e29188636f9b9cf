"""Bayes classifiers, fit and predict: against scikit-learn where it has one, and how they grow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import AODE, SPODE, TAN, BayesClassifier, BayesianNetwork, Frame

COLUMNS = 28
COUNTED = 20
LEVELS = 8


def normals(n_rows: int, columns: int = COLUMNS) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes with their own means and correlations."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows)
    mix = rng.normal(size=(2, columns, columns)) / np.sqrt(columns) + np.eye(columns)
    X = rng.normal(size=(n_rows, columns))
    X = np.where(y[:, None] == 0, X @ mix[0], X @ mix[1] + rng.uniform(0.0, 0.6, size=columns))
    return X, y


def full(setting: Setting) -> Table:
    """Multivariate normal densities against quadratic discriminant analysis."""
    n_rows = setting.size(500_000, 5_000)
    X, y = normals(n_rows)
    works: dict[str, Any] = {
        "hornbook": lambda: BayesClassifier(var_smoothing=0.0, n_jobs=setting.jobs).fit(X, y).predict(X),
        "scikit-learn": lambda: QuadraticDiscriminantAnalysis().fit(X, y).predict(X),
    }
    timed = best_of(works, setting.rounds)
    reference = timed["scikit-learn"]
    rows = [
        Row(
            who,
            run.seconds,
            reference.seconds / run.seconds,
            f"accuracy {np.mean(run.result == y):.6f}",
        )
        for who, run in timed.items()
    ]
    speed = reference.seconds / timed["hornbook"].seconds
    equal = bool(np.mean(timed["hornbook"].result == reference.result) > 0.99999)
    targets = [
        Target("at least 2 times as fast as scikit-learn", f"{speed:.2f}", judged(setting.quick, speed >= 2)),
        Target("the predictions of scikit-learn", "equal" if equal else "different", equal),
    ]
    title = f"full Bayes, fit and predict, {n_rows:,} x {COLUMNS} float64, 2 classes, {setting.jobs} threads"
    return Table(title, rows, targets)


def growth(setting: Setting) -> Table:
    """Twice the rows, twice the columns, a hundred times the levels."""
    n_rows = setting.size(100_000, 4_000)
    small, wide = normals(n_rows), normals(n_rows, 2 * COLUMNS)
    large = normals(2 * n_rows)
    rng = np.random.default_rng(1)
    few, many = (rng.integers(0, m, (n_rows, 3)).astype(float) for m in (10, 1000))

    def fitted(data: tuple[np.ndarray, np.ndarray]) -> Any:
        return BayesClassifier(n_jobs=setting.jobs).fit(*data).predict(data[0])

    def counted(codes: np.ndarray) -> Any:
        table = Frame(codes, kinds=dict.fromkeys(range(3), "nominal"))
        return BayesClassifier(n_jobs=setting.jobs).fit(table, small[1]).predict(table)

    works: dict[str, Any] = {
        f"{n_rows:,} x {COLUMNS} numbers": lambda: fitted(small),
        f"{2 * n_rows:,} x {COLUMNS} numbers": lambda: fitted(large),
        f"{n_rows:,} x {2 * COLUMNS} numbers": lambda: fitted(wide),
        f"{n_rows:,} x 3 categories of 10": lambda: counted(few),
        f"{n_rows:,} x 3 categories of 1000": lambda: counted(many),
    }
    timed = best_of(works, setting.rounds)
    base = next(iter(timed.values())).seconds
    rows = [Row(who, run.seconds, base / run.seconds) for who, run in timed.items()]
    return Table("full Bayes as rows, columns and levels grow", rows, [])


def categories(n_rows: int, columns: int, levels: int) -> tuple[Frame, np.ndarray, np.ndarray]:
    """Return codes whose shares differ between two classes, as a Frame and as an array, and the classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows).astype(np.int32)
    draw = rng.uniform(size=(n_rows, columns)) ** (1.0 + y[:, None] * rng.uniform(0.0, 0.4, size=columns))
    codes = (draw * levels).astype(np.int32)
    kinds: Any = dict.fromkeys(range(columns), "nominal")
    return Frame(codes, kinds=kinds), codes, y


def by_bincount(codes: np.ndarray, y: np.ndarray, levels: int) -> list[np.ndarray]:
    """Count all pairs of columns within each class, one pair after the other."""
    columns = [np.ascontiguousarray(column) for column in codes.T]
    return [
        np.bincount((y * levels + columns[i]) * levels + columns[j], minlength=2 * levels**2)
        for i in range(len(columns))
        for j in range(i)
    ]


def pairs(setting: Setting) -> Table:
    """Fit AODE against counting the same pairs in NumPy."""
    n_rows = setting.size(200_000, 4_000)
    table, codes, y = categories(n_rows, COUNTED, LEVELS)
    model = AODE(n_jobs=setting.jobs).fit(table, y)
    works: dict[str, Any] = {
        "hornbook AODE, fit": lambda: AODE(n_jobs=setting.jobs).fit(table, y),
        "hornbook AODE, predict": lambda: model.predict(table),
        "hornbook TAN, fit": lambda: TAN(n_jobs=setting.jobs).fit(table, y),
        "hornbook SPODE, fit": lambda: SPODE(n_jobs=setting.jobs).fit(table, y),
        "NumPy bincount of all pairs": lambda: by_bincount(codes, y, LEVELS),
    }
    timed = best_of(works, setting.rounds)
    reference = timed["NumPy bincount of all pairs"].seconds
    rows = [Row(who, run.seconds, reference / run.seconds) for who, run in timed.items()]
    share = timed["hornbook AODE, fit"].seconds / reference
    both = share + timed["hornbook AODE, predict"].seconds / reference
    pairs = model.statistics_.pairs[:, LEVELS : 2 * LEVELS, :LEVELS].astype(np.int64).ravel()
    equal = bool(np.array_equal(pairs, timed["NumPy bincount of all pairs"].result[0]))
    targets = [
        Target("fit under the time of bincount", f"{share:.2f}", judged(setting.quick, share < 1)),
        Target("fit and predict under 2 times it", f"{both:.2f}", judged(setting.quick, both < 2)),
        Target("the counts of bincount", "equal" if equal else "different", equal),
    ]
    title = f"{n_rows:,} x {COUNTED} categories of {LEVELS}, 2 classes, {setting.jobs} threads"
    return Table(title, rows, targets)


def pair_growth(setting: Setting) -> Iterator[Table]:
    """Each learner of pairs with twice the rows, twice the columns, twice the levels."""
    n_rows = setting.size(50_000, 2_000)
    shapes = [
        (n_rows, COUNTED, LEVELS),
        (2 * n_rows, COUNTED, LEVELS),
        (n_rows, 2 * COUNTED, LEVELS),
        (n_rows, COUNTED, 2 * LEVELS),
    ]
    tables = {f"{n:,} x {d} categories of {m}": categories(n, d, m) for n, d, m in shapes}
    for learner in (AODE(), TAN(), SPODE(super_parent=0), SPODE(), BayesianNetwork()):
        learner.set_params(n_jobs=setting.jobs)
        works: dict[str, Any] = {
            name: partial(fitted_and_asked, learner, table, y) for name, (table, _, y) in tables.items()
        }
        timed = best_of(works, setting.rounds)
        base = next(iter(timed.values())).seconds
        rows = [Row(who, run.seconds, base / run.seconds) for who, run in timed.items()]
        yield Table(f"{learner}, fit and predict, as rows, columns and levels grow", rows, [])


def fitted_and_asked(learner: Any, table: Frame, y: np.ndarray) -> Any:
    return learner.fit(table, y).predict(table)


def run(setting: Setting) -> Iterator[Table]:
    yield full(setting)
    yield growth(setting)
    yield pairs(setting)
    yield from pair_growth(setting)
