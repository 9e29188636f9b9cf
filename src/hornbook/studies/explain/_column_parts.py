"""A column divided into a few parts of rows: ranges of numbers, levels, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame

__all__ = ["MISSING", "ColumnParts", "column_parts"]

MISSING = "missing"
MOST_LEVELS = 12  # of a column, the most frequent ones; the others are one part
OTHERS = "other levels"


@dataclass(frozen=True, eq=False)
class ColumnParts:
    """The part of each row, and the names of the parts in their order.

    Parameters
    ----------
    column : str
        The column.
    codes : ndarray of shape (n_rows,)
        The part of each row.
    names : sequence of str
        What the parts are called.
    """

    column: str
    codes: NDArray[np.intp]
    names: Sequence[str]


def column_parts(table: Frame, place: int, n_ranges: int) -> ColumnParts:
    """Divide a column into ranges with about as many rows each, or into its levels.

    Parameters
    ----------
    table : Frame
        The table.
    place : int
        The position of the column.
    n_ranges : int
        Ranges of numbers; fewer where values repeat.

    Examples
    --------
    >>> parts = column_parts(Frame({"x": [1.0, 2.0, 3.0, 4.0, float("nan")]}), 0, 2)
    >>> parts.codes.tolist(), list(parts.names)
    ([0, 0, 1, 1, 2], ['<= 2.5', '> 2.5', 'missing'])
    """
    column = table.schema.columns[place]
    values = np.asarray(table.column(place))
    if column.kind == "numeric":
        codes, names = _ranges(values.astype(np.float64), n_ranges)
    else:
        codes, names = _levels(values.astype(np.intp), [str(level) for level in column.levels])
    if (codes < 0).any():
        codes, names = np.where(codes < 0, len(names), codes), [*names, MISSING]
    return ColumnParts(column.name, codes, names)


def _ranges(values: NDArray[np.float64], n_ranges: int) -> tuple[NDArray[np.intp], list[str]]:
    known = np.isfinite(values)
    shares = np.linspace(0, 1, n_ranges + 1)[1:-1]
    edges = np.unique(np.quantile(values[known], shares)) if known.any() else np.empty(0)
    # An edge at the largest value would leave nothing above it.
    edges = edges[edges < values[known].max()] if known.any() else edges
    codes = np.where(known, np.searchsorted(edges, values, side="left"), -1).astype(np.intp)
    texts = [f"{edge:.4g}" for edge in edges.tolist()]
    if not texts:
        return codes, ["all values"]
    inner = [f"> {a} to {b}" for a, b in pairwise(texts)]
    return codes, [f"<= {texts[0]}", *inner, f"> {texts[-1]}"]


def _levels(codes: NDArray[np.intp], levels: list[str]) -> tuple[NDArray[np.intp], list[str]]:
    if len(levels) <= MOST_LEVELS:
        return codes, levels
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_LEVELS - 1])
    place = np.full(len(levels), len(kept), dtype=np.intp)
    place[kept] = np.arange(len(kept))
    return np.where(codes >= 0, place[codes], -1), [*(levels[k] for k in kept.tolist()), OTHERS]
