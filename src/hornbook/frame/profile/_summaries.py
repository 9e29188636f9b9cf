"""One column in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._schema import Column, Kind, Label, Role
from hornbook.frame.convert._date_text import date_text
from hornbook.frame.encode._bins import bin_edges

__all__ = ["ColumnProfile", "Spread", "counted", "interpolated", "numbers_profile", "summary"]

HISTOGRAM_BINS = 20
MOST_FREQUENT = 10


@dataclass(frozen=True)
class Spread:
    """How the numbers of a column are spread, infinite ones left out.

    Parameters
    ----------
    low, quartile_1, median, quartile_3, high : float
        Least value, quartiles (linear interpolation), greatest value.
    mean, sd : float
        Mean and standard deviation (divisor n - 1; 0 for one value).
    edges, counts : tuple
        Histogram of 20 bins of equal width; the first is closed, the others open on the left.
    """

    low: float
    quartile_1: float
    median: float
    quartile_3: float
    high: float
    mean: float
    sd: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class ColumnProfile:
    """What one column holds.

    Parameters
    ----------
    name, kind, role, source : str
        As in the schema.
    n_missing : int
        Missing cells.
    missing_share : float
        Their share of all rows.
    n_infinite : int
        Infinite cells.
    n_distinct : int
        Different values that occur.
    all_whole : bool
        Whether all are whole numbers.
    note : str
        How the column was read, where that is not obvious.
    spread : Spread, optional
        For numbers.
    frequent : tuple of (level, count)
        The most frequent levels, for categories.
    """

    name: str
    kind: Kind
    role: Role
    source: str
    n_missing: int
    missing_share: float
    n_infinite: int
    n_distinct: int
    all_whole: bool = False
    note: str = ""
    spread: Spread | None = None
    frequent: tuple[tuple[Label, int], ...] = ()

    @property
    def dates(self) -> str:
        """Least, greatest and middle date in words; empty where the column has no dates."""
        if self.source != "date" or (s := self.spread) is None:
            return ""
        with_time = not self.all_whole
        low, high, median = (date_text(days, with_time=with_time) for days in (s.low, s.high, s.median))
        return f"{low} to {high}, median {median}"


def summary(column: Column, values: NDArray[Any]) -> ColumnProfile:
    """Profile of one column."""
    if column.kind == "numeric":
        return _of_numbers(column, values)
    return counted(column, np.bincount(values + 1, minlength=len(column.levels) + 1))


def counted(column: Column, counts: NDArray[np.int64]) -> ColumnProfile:
    """Profile of categories, by how often each code occurs, missing ones first."""
    n_rows, missing, counts = int(counts.sum()), int(counts[0]), counts[1:]
    # Stable: among equally frequent levels the order of the levels decides, not that of the sort.
    order = np.argsort(-counts, kind="stable")[:MOST_FREQUENT].tolist()
    frequent = tuple((column.levels[code], int(counts[code])) for code in order if counts[code])
    return ColumnProfile(
        column.name,
        column.kind,
        column.role,
        column.source,
        missing,
        missing / max(n_rows, 1),
        0,
        int(np.count_nonzero(counts)),
        frequent=frequent,
    )


def _of_numbers(column: Column, values: NDArray[Any]) -> ColumnProfile:
    ordered = np.sort(values.astype(np.float64))  # NaN comes last
    known = ordered[: int(np.searchsorted(ordered, np.nan))]
    first, last = np.searchsorted(known, -np.inf, side="right"), np.searchsorted(known, np.inf)
    finite = known[int(first) : int(last)]
    return numbers_profile(
        column,
        len(values),
        n_missing=len(values) - len(known),
        n_infinite=len(known) - len(finite),
        n_distinct=int(np.count_nonzero(known[1:] != known[:-1])) + 1 if len(known) else 0,
        all_whole=len(finite) > 0 and bool((finite == np.round(finite)).all()),
        spread=_spread(finite) if len(finite) else None,
    )


def numbers_profile(
    column: Column,
    n_rows: int,
    *,
    n_missing: int,
    n_infinite: int,
    n_distinct: int,
    all_whole: bool,
    spread: Spread | None,
) -> ColumnProfile:
    """Profile of numbers, by what is known of all rows."""
    return ColumnProfile(
        column.name,
        column.kind,
        column.role,
        column.source,
        n_missing,
        n_missing / max(n_rows, 1),
        n_infinite,
        n_distinct,
        all_whole,
        note="dates are read as days since 1970" if column.source == "date" else "",
        spread=spread,
    )


def _spread(ordered: NDArray[np.float64]) -> Spread:
    edges = bin_edges(ordered[[0, -1]], HISTOGRAM_BINS)
    # The values are sorted already, so that a histogram is a few binary searches.
    upto = np.searchsorted(ordered, edges[1:-1], side="right")
    counts = np.diff(upto, prepend=0, append=len(ordered))
    # Sums of huge finite numbers may overflow; an infinite mean is the honest summary of them.
    with np.errstate(over="ignore", invalid="ignore"):
        mean, sd = ordered.mean(), ordered.std(ddof=1) if len(ordered) > 1 else 0.0
        return Spread(
            float(ordered[0]),
            _quantile(ordered, 0.25),
            _quantile(ordered, 0.5),
            _quantile(ordered, 0.75),
            float(ordered[-1]),
            float(mean),
            float(sd),
            tuple(edges.tolist()),
            tuple(counts.tolist()),
        )


def _quantile(ordered: NDArray[np.float64], share: float) -> float:
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return interpolated(ordered[low], ordered[high], place - low)


def interpolated(low: float, high: float, share: float) -> float:
    """The number with this share of the way from one to the other."""
    return float(low + (high - low) * share)
