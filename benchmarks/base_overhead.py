"""What checking and converting the input costs: before a fit starts, and in the prediction of one row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import sklearn.ensemble
import sklearn.linear_model
import sklearn.tree
from sklearn.utils import check_X_y

import hornbook
from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import NaiveBayes

COLUMNS = 28
LIMIT = 0.020
ROW_LIMIT = 50e-6
# Learners that predict one row, with their settings; scikit-learn has all of them, under these names.
ROW_LEARNERS: dict[str, dict[str, Any]] = {
    "DecisionTreeClassifier": {},
    "HistGradientBoostingClassifier": {},
    "GradientBoostingClassifier": {},
    "RandomForestClassifier": {"n_jobs": 1},
    "AdaBoostClassifier": {},
    "BaggingClassifier": {},
    "LogisticRegression": {},
}
PEERS = dict.fromkeys(ROW_LEARNERS, sklearn.ensemble) | {
    "DecisionTreeClassifier": sklearn.tree,
    "LogisticRegression": sklearn.linear_model,
}


class Unlearned(NaiveBayes):
    """Naive Bayes without the learning: all that is left of a fit is the base class."""

    def _fit_blocks(self, blocks: Any) -> None:
        for block in blocks:
            assert block.X.numbers.shape[1] == COLUMNS
            assert block.y is not None


def scikit(X: np.ndarray, y: np.ndarray) -> None:
    """Do what scikit-learn's classifiers do at the start of a fit."""
    _, labels = check_X_y(X, y)
    np.unique(labels, return_inverse=True)


def one_row(setting: Setting) -> Table:
    """Predict the class of one row, again and again; scikit-learn has the same learners."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, COLUMNS))
    z = X[:, :3].sum(axis=1) + rng.normal(size=len(X))
    calls = setting.size(1000, 20)
    rows, targets = [], []
    for name, many in product(ROW_LEARNERS, (False, True)):
        ours, theirs = ((getattr(home, name))(**ROW_LEARNERS[name]) for home in (hornbook, PEERS[name]))
        y = np.digitize(z, np.linspace(-3, 3, 9) if many else [0.0])
        works = {who: _repeated(m.fit(X, y), X[:1], calls) for who, m in (("ours", ours), ("theirs", theirs))}
        timed = best_of(works, setting.rounds)
        label, seconds = f"{name}, {10 if many else 2} classes", timed["ours"].seconds / calls
        ratio = timed["theirs"].seconds / timed["ours"].seconds
        rows.append(Row(label, timed["ours"].seconds, ratio, f"{seconds * 1e6:.0f} us a row"))
        reached = judged(setting.quick, seconds <= ROW_LIMIT)
        targets.append(
            Target(f"{label}: at most {ROW_LIMIT * 1e6:.0f} us", f"{seconds * 1e6:.0f} us", reached)
        )
    return Table(
        f"{calls} predictions of 1 x {COLUMNS} float64; speed is against scikit-learn", rows, targets
    )


def _repeated(model: Any, row: np.ndarray, calls: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(calls):
            model.predict(row)

    return work


def run(setting: Setting) -> Iterator[Table]:
    yield one_row(setting)
    n_rows = setting.size(500_000, 5_000)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, COLUMNS))
    y = rng.integers(2, size=n_rows)
    timed = best_of(
        {
            "hornbook": lambda: Unlearned(n_jobs=setting.jobs).fit(X, y),
            "scikit-learn": lambda: scikit(X, y),
        },
        # Milliseconds each, so many rounds cost nothing and steady the best.
        5 * setting.rounds,
    )
    reference = timed["scikit-learn"].seconds
    rows = [Row(who, run.seconds, reference / run.seconds) for who, run in timed.items()]
    seconds = timed["hornbook"].seconds
    limit = Target(
        f"at most {LIMIT * 1e3:.0f} ms", f"{seconds * 1e3:.1f} ms", judged(setting.quick, seconds <= LIMIT)
    )
    yield Table(f"check and convert, {n_rows:,} x {COLUMNS} float64, {setting.jobs} threads", rows, [limit])
