"""Slices of the table in which a model is worse than elsewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hornbook.frame import Frame
from hornbook.studies._explanation import Slice
from hornbook.studies.explain._column_parts import column_parts

__all__ = ["worst_slices"]

RANGES = 4  # of a column of numbers
SMALLEST = 0.02  # of the rows: smaller slices are not worth a rule
FEWEST = 15  # rows
MOST = 8
ALPHA = 0.05


def worst_slices(table: Frame, errors: NDArray[np.float64]) -> tuple[Slice, ...]:
    """Return the parts of columns in which errors are larger than in all other rows, the worst first.

    A slice is reported if Welch's test finds its mean error larger at 0.05, corrected by Bonferroni for all
    slices that were looked at.

    Parameters
    ----------
    table : Frame
        The columns.
    errors : ndarray of shape (n_rows,)
        The error of each row: 0 or 1 for classes, how far a number is off.

    Examples
    --------
    >>> table = Frame({"x": np.arange(100.0), "y": np.zeros(100)})
    >>> [(s.column, s.part, s.n_rows) for s in worst_slices(table, np.where(np.arange(100) < 25, 1.0, 0.0))]
    [('x', '<= 24.75', 25)]
    """
    least = max(FEWEST, SMALLEST * len(errors))
    n, total, squares = len(errors), errors.sum(), (errors**2).sum()
    slices, tested = [], 0
    for place in range(len(table.schema)):
        parts = column_parts(table, place, RANGES)
        size = len(parts.names)
        counts = np.bincount(parts.codes, minlength=size)
        sums = np.bincount(parts.codes, errors, minlength=size)
        both = np.bincount(parts.codes, errors**2, minlength=size)
        for k in np.flatnonzero((counts >= least) & (n - counts >= least)).tolist():
            tested += 1
            inside = _moments(counts[k], sums[k], both[k])
            outside = _moments(n - counts[k], total - sums[k], squares - both[k])
            p = _larger(inside, outside)
            slices.append(
                Slice(parts.column, parts.names[k], int(counts[k]), float(inside[1]), float(outside[1]), p)
            )
    sure = [s for s in slices if s.p * tested <= ALPHA]
    # How many errors a slice adds: a large slice that is a little worse may cost more than a small one.
    sure.sort(key=lambda s: -s.n_rows * (s.error - s.elsewhere))
    return tuple(sure[:MOST])


def _moments(n: float, total: float, squares: float) -> tuple[float, float, float]:
    """Return number, mean, and variance of the mean."""
    mean = total / n
    variance = max(squares / n - mean**2, 0.0) * n / max(n - 1, 1)
    # Errors that are all alike still have some uncertainty, as if one more row were different.
    return n, mean, max(variance, 1.0 / n * max(abs(mean), 1e-12) ** 2) / n


def _larger(inside: tuple[float, float, float], outside: tuple[float, float, float]) -> float:
    (n, a, va), (m, b, vb) = inside, outside
    if a <= b:
        return 1.0
    freedom = (va + vb) ** 2 / (va**2 / (n - 1) + vb**2 / (m - 1)) if va + vb > 0 else n + m - 2
    spread = np.sqrt(va + vb)
    return float(stats.t.sf((a - b) / spread, freedom)) if spread > 0 else 0.0
