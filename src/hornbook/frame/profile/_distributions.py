"""How the values of one column are spread: histogram and percentiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.frame.encode._bins import rounded

__all__ = ["histogram", "percent_below", "percentiles"]

MOST_BINS = 100_000
FUZZ = 1e-9  # of a width: 0.3 is a multiple of 0.1, whatever binary fractions say


def histogram(
    values: ArrayLike, width: float, start: float | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Count the values in bins of a fixed width.

    A value on an edge counts in the bin above it.

    Parameters
    ----------
    values : array-like
        Numbers; missing ones are left out.
    width : float
        Width of every bin.
    start : float, optional
        Lower edge of the first bin; the last multiple of the width that is not above any value when left out.

    Returns
    -------
    edges : ndarray of shape (n_bins + 1,)
        Edges of the bins.
    counts : ndarray of shape (n_bins,)
        Values in each bin.

    Examples
    --------
    >>> edges, counts = histogram([500, 1999, 2000, 7000], width=2000)
    >>> edges.tolist(), counts.tolist()
    ([0.0, 2000.0, 4000.0, 6000.0, 8000.0], [2, 1, 0, 1])
    """
    if not 0 < width < np.inf:
        raise ValueError(f"The width of the bins must be a positive number; got width={width}.")
    known = _known(values)
    low = float(known[0])
    if start is not None and not start <= low:
        raise ValueError(f"The first bin must not start above the least value {low:g}; got start={start:g}.")
    # Bins are numbered once, so that a value a hair below an edge is counted where the edges expect it.
    number = np.floor((known if start is None else known - start) / width + FUZZ)
    least = number[0] if start is None else 0.0
    n_bins = int(number[-1] - least) + 1
    if n_bins > MOST_BINS:
        raise ValueError(
            f"A width of {width:g} makes {n_bins} bins, more than {MOST_BINS}: choose a larger one."
        )
    first = least * width if start is None else float(start)
    edges = rounded(first + np.arange(n_bins + 1, dtype=np.float64) * width, width)
    return edges, np.bincount((number - least).astype(np.intp), minlength=n_bins)


def percent_below(values: ArrayLike, at: ArrayLike) -> NDArray[np.float64]:
    """Percent of the values that are below given ones.

    Parameters
    ----------
    values : array-like
        Numbers; missing ones are left out.
    at : array-like
        Where to look.

    Returns
    -------
    ndarray
        A percentage for each entry of ``at``.

    Examples
    --------
    >>> percent_below([1, 2, 2, 5], [2, 6]).tolist()
    [25.0, 100.0]
    """
    known = _known(values)
    below = np.searchsorted(known, np.asarray(at, dtype=np.float64), side="left")
    return np.asarray(100.0 * below / len(known))


def percentiles(values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sort the values and say for each what percent of all values are below it.

    Parameters
    ----------
    values : array-like
        Numbers; missing ones are left out.

    Returns
    -------
    values : ndarray
        Sorted.
    percent : ndarray
        Percent of all values below each.

    Examples
    --------
    >>> sorted_values, percent = percentiles([30.0, 10.0, 20.0, 20.0])
    >>> sorted_values.tolist(), percent.tolist()
    ([10.0, 20.0, 20.0, 30.0], [0.0, 25.0, 25.0, 75.0])
    """
    known = _known(values)
    return known, percent_below(known, known)


def _known(values: ArrayLike) -> NDArray[np.float64]:
    numbers = np.asarray(values, dtype=np.float64)
    known = np.sort(numbers[np.isfinite(numbers)])
    if not len(known):
        raise ValueError("There are no values: all are missing or infinite.")
    return known
