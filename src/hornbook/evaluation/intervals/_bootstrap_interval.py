"""Intervals of any statistic, by drawing the sample again and again from itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._samples import share, whole
from hornbook.evaluation.intervals._statistic import Statistic, takes_axis
from hornbook.params import Floats, Seed
from hornbook.random import Stream, seed_of

__all__ = ["bootstrap_interval"]

_BATCH_CELLS = 1 << 20


def bootstrap_interval(
    statistic: Statistic,
    *data: ArrayLike,
    n_replicates: int = 10_000,
    level: float = 0.95,
    paired: bool = True,
    random_state: Seed = None,
) -> Interval:
    """Compute the interval of any statistic by the bootstrap, from its percentiles over resamples.

    Each replicate draws as many rows as there are, with replacement, and computes the statistic of them; the
    interval holds the middle share of the replicates. Replicate i has random numbers of its own, so that it
    is the same however many there are.

    Parameters
    ----------
    statistic : callable
        ``statistic(*data)`` returns a number; with an ``axis`` argument it is called for many replicates at
        once.
    *data : array-like
        One or more arrays with one entry for each row.
    n_replicates : int, default 10000
        Number of resamples.
    level : float, default 0.95
        The confidence, in (0, 1).
    paired : bool, default True
        Whether the arrays are columns of the same rows, drawn together; False for samples of their own, each
        drawn by itself.
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Interval
        The estimate is the statistic of the data themselves.

    Examples
    --------
    >>> print(bootstrap_interval(np.median, [3.1, 2.7, 4.0, 3.3, 5.2, 2.9, 3.8], random_state=0))
    3.30 [2.9, 4.0] (95 %, bootstrap percentile)
    """
    count = whole("bootstrap_interval", "n_replicates", n_replicates, least=1)
    level = share("bootstrap_interval", "level", level)
    columns = _columns(data, paired=paired)
    seed = seed_of(random_state)
    estimate = float(statistic(*columns))
    draws = _replicates(statistic, columns, count, seed, paired=paired)
    wrong = int((~np.isfinite(draws)).sum()) + (not np.isfinite(estimate))
    if wrong:
        raise ValueError(
            "bootstrap_interval: 'statistic' must be a finite number for every resample; "
            f"it is not for {wrong} of {count + 1}, use one that is defined when a resample lacks a class."
        )
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), estimate, level, "bootstrap percentile")


def _columns(data: Sequence[ArrayLike], *, paired: bool) -> list[NDArray[Any]]:
    columns = [np.asarray(each) for each in data]
    if not columns or any(each.ndim == 0 or len(each) == 0 for each in columns):
        raise ValueError(
            "bootstrap_interval: 'data' must be one or more arrays with at least one row; "
            f"got {'none' if not columns else [each.shape for each in columns]}."
        )
    lengths = [len(each) for each in columns]
    if paired and len(set(lengths)) > 1:
        raise ValueError(
            f"bootstrap_interval: paired arrays must have the same number of rows; got {lengths}, "
            "say paired=False for samples of their own."
        )
    for each in columns:
        if each.dtype.kind == "f" and np.isnan(each).any():
            raise ValueError("bootstrap_interval: 'data' must not have NaN; leave such rows out.")
    return columns


def _replicates(
    statistic: Statistic, columns: list[NDArray[Any]], count: int, seed: int, *, paired: bool
) -> Floats:
    many = takes_axis(statistic) and all(each.ndim == 1 for each in columns)
    batch = max(1, _BATCH_CELLS // max(len(each) for each in columns)) if many else 1
    draws = np.empty(count)
    for start in range(0, count, batch):
        replicates = range(start, min(start + batch, count))
        drawn = []
        for j, each in enumerate(columns):
            if j == 0 or not paired:
                rows = np.stack([Stream(seed, j, i).integers(len(each), len(each)) for i in replicates])
            drawn.append(each[rows] if many else each[rows[0]])
        draws[start : start + len(replicates)] = statistic(*drawn, axis=-1) if many else statistic(*drawn)
    return draws
