"""Numbers cut into bins of equal width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.frame._cells import Cells
from hornbook.frame._schema import Column, Schema

__all__ = ["bin_codes", "bin_edges", "binned", "interval_names", "rounded"]

Table = TypeVar("Table", bound=Cells)


def bin_edges(values: ArrayLike, n_bins: int) -> NDArray[np.float64]:
    """Edges of bins of equal width over the range of the values.

    Inner edges are rounded to a billionth of the width, so that bins of decimal numbers begin and end at
    decimal numbers: 4.3 + 0.9 is 5.2.

    Parameters
    ----------
    values : array-like
        Numbers; missing ones do not count.
    n_bins : int
        How many bins.

    Returns
    -------
    ndarray of shape (n_bins + 1,)
        From the least to the greatest value.

    Examples
    --------
    >>> bin_edges([4.3, 6.0, 7.9], 4).tolist()
    [4.3, 5.2, 6.1, 7.0, 7.9]
    """
    if n_bins < 1:
        raise ValueError(f"There must be at least 1 bin; got n_bins={n_bins}.")
    numbers = np.asarray(values, dtype=np.float64)
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        raise ValueError("There is no value to take the range of: all are missing or infinite.")
    low, high = float(known.min()), float(known.max())
    width = high / n_bins - low / n_bins
    share = np.arange(n_bins + 1) / n_bins
    edges = low * (1.0 - share) + high * share  # low + i * width would overflow where the range does
    if width > 0:
        edges = rounded(edges, width)
    # Exactly the range: rounding could otherwise leave the smallest or the largest value outside.
    edges[0], edges[-1] = low, high
    return np.minimum(np.maximum.accumulate(edges), high)


def bin_codes(values: ArrayLike, edges: ArrayLike) -> NDArray[np.int32]:
    """Say in which bin each value lies.

    The first bin is closed on both sides, every other one open on the left and closed on the right. Values
    outside all bins go to the first or the last; a missing value gets -1.

    Parameters
    ----------
    values : array-like
        Numbers.
    edges : array-like
        Edges of the bins, ascending.

    Returns
    -------
    ndarray of int32
        Positions of the bins, from 0.

    Examples
    --------
    >>> bin_codes([4.3, 5.2, 5.3, 99.0, float("nan")], [4.3, 5.2, 6.1]).tolist()
    [0, 0, 1, 1, -1]
    """
    numbers = np.asarray(values, dtype=np.float64)
    inner = np.asarray(edges, dtype=np.float64)[1:-1]
    # Without the outer edges, so that new values beyond the range fall into the first or the last bin.
    codes = np.searchsorted(inner, numbers, side="left").astype(np.int32)
    codes[np.isnan(numbers)] = -1
    return codes


def binned(frame: Table, bins: Mapping[Any, int | Sequence[str]]) -> Table:
    """Return the frame with the named columns cut into bins."""
    described = list(frame.schema.columns)
    columns = [frame.column(j) for j in range(len(described))]
    for key, wanted in bins.items():
        j = frame.schema.position(key)
        old = described[j]
        if old.kind != "numeric":
            raise ValueError(f"Column {old.name!r} is {old.kind}: only numeric columns can be cut into bins.")
        edges, names = _edges_and_names(old.name, columns[j], wanted)
        columns[j] = bin_codes(columns[j], edges)
        described[j] = Column(old.name, "ordinal", old.role, names, old.source)
    return frame.from_columns(Schema(tuple(described), frame.schema.named), columns, len(frame))


def _edges_and_names(
    column: str, values: NDArray[Any], wanted: int | Sequence[str]
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    if not np.isfinite(values).any():
        raise ValueError(
            f"Column {column!r} has no values, so it has no range to cut into bins: leave it out."
        )
    if isinstance(wanted, int | np.integer) and not isinstance(wanted, bool):
        edges = np.unique(bin_edges(values, int(wanted)))  # a constant column gets one bin
        edges = edges if len(edges) > 1 else np.repeat(edges, 2)
        return edges, interval_names(edges)
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        raise TypeError(f"The bins of column {column!r} must be a number or a list of names; got {wanted!r}.")
    names = tuple(str(name) for name in wanted)
    if len(set(names)) < len(names) or not names:
        raise ValueError(f"The names of the bins of column {column!r} must all differ; got {list(names)}.")
    return bin_edges(values, len(names)), names


def interval_names(edges: NDArray[np.float64]) -> tuple[str, ...]:
    """Name the intervals between edges, with as many digits as it takes to tell the edges apart.

    Parameters
    ----------
    edges : ndarray of shape (n + 1,)
        Ascending ends of the intervals.

    Returns
    -------
    tuple of str
        One name for each of the n intervals.

    Examples
    --------
    >>> interval_names(np.array([0.0, 0.5, 1.0]))
    ('[0, 0.5]', '(0.5, 1]')
    """
    for digits in range(4, 18):
        shown = [f"{edge:.{digits}g}" for edge in edges]
        if len(set(shown)) == len(shown):
            break
    names = [f"({low}, {high}]" for low, high in pairwise(shown)]
    return (f"[{names[0][1:]}", *names[1:])


def rounded(edges: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Round edges to a billionth of the width, so that 4.3 + 0.9 is 5.2."""
    decimals = 9 - int(np.floor(np.log10(width)))
    if abs(decimals) > 300:
        return edges
    with np.errstate(over="ignore", invalid="ignore"):
        near = np.round(edges, decimals)
    # np.round multiplies by a power of ten, which overflows for huge edges.
    return np.where(np.isfinite(near), near, edges)
