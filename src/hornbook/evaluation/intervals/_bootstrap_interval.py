"""Bootstrap intervals of any statistic."""

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

_BATCH_CELLS = 1 << 20  # numbers resampled at once, 8 MB


def bootstrap_interval(
    statistic: Statistic,
    *data: ArrayLike,
    n_replicates: int = 10_000,
    level: float = 0.95,
    paired: bool = True,
    random_state: Seed = None,
) -> Interval:
    """Compute the confidence interval of any statistic by the percentile bootstrap (Efron, 1979).

    Each replicate draws as many rows as there are, with replacement, and computes their statistic; the
    interval holds the central part of the replicates. Replicate i has its own random stream, so it is the
    same however many there are.

    Parameters
    ----------
    statistic : callable
        ``statistic(*data)`` returns a number; if it takes ``axis``, it is called for many replicates at once.
    *data : array-like
        One or more arrays with one entry for each row.
    n_replicates : int, default 10000
        Number of resamples.
    level : float, default 0.95
        The confidence, in (0, 1).
    paired : bool, default True
        Whether the arrays are columns of the same rows and resampled together; False for independent samples.
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Interval
        The estimate is the statistic of the original data.

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
    # Percentiles of the replicates themselves: invariant under monotone transformations of the
    # statistic, but not corrected for bias.
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), estimate, level, "bootstrap percentile")


def _columns(data: Sequence[ArrayLike], *, paired: bool) -> list[NDArray[Any]]:
    columns = [np.asarray(column) for column in data]
    if not columns or any(column.ndim == 0 or len(column) == 0 for column in columns):
        raise ValueError(
            "bootstrap_interval: 'data' must be one or more arrays with at least one row; "
            f"got {'none' if not columns else [column.shape for column in columns]}."
        )
    lengths = [len(column) for column in columns]
    if paired and len(set(lengths)) > 1:
        raise ValueError(
            f"bootstrap_interval: paired arrays must have the same number of rows; got {lengths}, "
            "set paired=False for independent samples."
        )
    for column in columns:
        if column.dtype.kind == "f" and np.isnan(column).any():
            raise ValueError("bootstrap_interval: 'data' must not have NaN; leave such rows out.")
    return columns


def _replicates(
    statistic: Statistic, columns: list[NDArray[Any]], count: int, seed: int, *, paired: bool
) -> Floats:
    # Rows of a matrix are resampled as a whole, which `axis` of a user's function does not express.
    many = takes_axis(statistic) and all(column.ndim == 1 for column in columns)
    batch = max(1, _BATCH_CELLS // max(len(column) for column in columns)) if many else 1
    draws = np.empty(count)
    for start in range(0, count, batch):
        replicates = range(start, min(start + batch, count))
        drawn = []
        for j, column in enumerate(columns):
            if j == 0 or not paired:  # paired columns share the rows of the first
                # Stream j draws for the j-th sample; in the paired case there is only one, so that
                # rows stay together.
                rows = np.stack([Stream(seed, j, i).integers(len(column), len(column)) for i in replicates])
            drawn.append(column[rows] if many else column[rows[0]])
        draws[start : start + len(replicates)] = statistic(*drawn, axis=-1) if many else statistic(*drawn)
    return draws
