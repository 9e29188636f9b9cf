"""What a fit costs before the learner starts: checking and converting its input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils import check_X_y

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook import NaiveBayes

COLUMNS = 28
LIMIT = 0.020


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


def run(setting: Setting) -> Iterator[Table]:
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
