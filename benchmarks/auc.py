"""The area under the ROC curve: one of many scores, and many replicates of a bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook.evaluation import auc, auc_interval

REPLICATES = 10_000
TIMES_AS_FAST = 20.0


def scores(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two classes whose scores overlap."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n_rows)
    return y, rng.normal(size=n_rows) + y


def area(setting: Setting) -> Table:
    n_rows = setting.size(1_000_000, 20_000)
    y, score = scores(n_rows)
    timed = best_of(
        {"hornbook": lambda: auc(y, score), "scikit-learn": lambda: roc_auc_score(y, score)}, setting.rounds
    )
    reference = timed["scikit-learn"]
    speed = reference.seconds / timed["hornbook"].seconds
    apart = abs(timed["hornbook"].result - reference.result)
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, f"area {run.result:.6f}")
        for who, run in timed.items()
    ]
    targets = [
        Target("at least as fast as scikit-learn", f"{speed:.2f} times", judged(setting.quick, speed >= 1.0)),
        Target("the same area within 1e-12", f"{apart:.1e}", apart <= 1e-12),
    ]
    return Table(f"area of {n_rows:,} scores", rows, targets)


def loop(y: np.ndarray, score: np.ndarray, n_replicates: int) -> tuple[float, float]:
    """Return the percentile interval that a plain loop over scikit-learn's function gives."""
    rng = np.random.default_rng(0)
    areas = []
    for _ in range(n_replicates):
        drawn = rng.integers(len(y), size=len(y))
        areas.append(roc_auc_score(y[drawn], score[drawn]))
    low, high = np.quantile(areas, [0.025, 0.975])
    return float(low), float(high)


def bootstrap(setting: Setting) -> Table:
    n_rows, n_replicates = setting.size(10_000, 500), setting.size(REPLICATES, 200)
    n_loop = setting.size(200, 20)  # the loop does the same again and again: its time is taken for a part
    y, score = scores(n_rows)
    timed = best_of(
        {
            "hornbook": lambda: auc_interval(
                y, score, n_replicates=n_replicates, random_state=0, n_jobs=setting.jobs
            ),
            f"scikit-learn, {n_loop} in a loop": lambda: loop(y, score, n_loop),
        },
        setting.rounds,
    )
    ours, theirs = timed.values()
    whole = theirs.seconds * n_replicates / n_loop
    speed = whole / ours.seconds
    rows = [
        Row("hornbook", ours.seconds, speed, f"[{ours.result.low:.4f}, {ours.result.high:.4f}]"),
        Row(
            f"scikit-learn, {n_loop} in a loop, times {n_replicates // n_loop}",
            whole,
            1.0,
            f"[{theirs.result[0]:.4f}, {theirs.result[1]:.4f}]",
        ),
    ]
    target = Target(
        f"at least {TIMES_AS_FAST:g} times as fast as the loop",
        f"{speed:.1f}",
        judged(setting.quick, speed >= TIMES_AS_FAST),
    )
    return Table(f"{n_replicates:,} bootstrap replicates of the area of {n_rows:,} scores", rows, [target])


def run(setting: Setting) -> Iterator[Table]:
    yield area(setting)
    yield bootstrap(setting)
