"""Permutation tests against SciPy's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import permutation_test as scipy_test

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from hornbook.evaluation import permutation_test

VALUES = 1_000
BATCH = 1_000  # of SciPy: the fastest of 100, 1,000, 10,000 and all at once


def mean_difference(x, y, axis):
    return np.mean(x, axis=axis) - np.mean(y, axis=axis)


def correlation(x, y, axis):
    x = x - np.mean(x, axis=axis, keepdims=True)
    y = y - np.mean(y, axis=axis, keepdims=True)
    return np.sum(x * y, axis=axis) / np.sqrt(np.sum(x * x, axis=axis) * np.sum(y * y, axis=axis))


def compare(title: str, works: dict[str, Any], setting: Setting, least: float) -> Table:
    timed = best_of(works, setting.rounds)
    reference = timed["scipy"]
    p = {who: float(run.result) for who, run in timed.items()}
    rows = [
        Row(who, run.seconds, reference.seconds / run.seconds, f"p {p[who]:.5f}")
        for who, run in timed.items()
    ]
    speed = reference.seconds / timed["hornbook"].seconds
    # two sets of random permutations: p-values differ by a few standard errors at most
    count = setting.size(100_000, 2_000)
    near = abs(p["hornbook"] - p["scipy"]) <= 6 * np.sqrt(2 * max(p["scipy"], 1 / count) / count)
    targets = [
        Target(
            f"at least {least:g} times as fast as scipy",
            f"{speed:.1f}",
            judged(setting.quick, speed >= least),
        ),
        Target("the p-value of scipy but for chance", "near" if near else "different", bool(near)),
    ]
    return Table(title, rows, targets)


def run(setting: Setting) -> Iterator[Table]:
    rng = np.random.default_rng(0)
    count = setting.size(100_000, 2_000)
    ending = f"{count:,} permutations, {setting.jobs} threads"
    for first in (VALUES // 2, VALUES // 10):
        x, y = rng.normal(0.1, 1, size=first), rng.normal(size=VALUES - first)
        works = {
            "hornbook": lambda x=x, y=y: (
                permutation_test(x, y, n_permutations=count, random_state=0, n_jobs=setting.jobs).p
            ),
            "scipy": lambda x=x, y=y: (
                scipy_test(
                    (x, y), mean_difference, vectorized=True, n_resamples=count, batch=BATCH, rng=0
                ).pvalue
            ),
        }
        title = f"two-sample mean, {first} and {VALUES - first} values, {ending}"
        yield compare(title, works, setting, 5)

    x = rng.normal(size=VALUES)
    y = 0.05 * x + rng.normal(size=VALUES)
    works = {
        "hornbook": lambda: (
            permutation_test(
                x, y, statistic="pearson", n_permutations=count, random_state=0, n_jobs=setting.jobs
            ).p
        ),
        "scipy": lambda: (
            scipy_test(
                (x, y),
                correlation,
                permutation_type="pairings",
                vectorized=True,
                n_resamples=count,
                batch=BATCH,
                rng=0,
            ).pvalue
        ),
    }
    yield compare(f"Pearson's correlation, {VALUES} pairs, {ending}", works, setting, 5)
