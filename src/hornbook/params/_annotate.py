"""Markers written inside ``Annotated``: what a parameter may be, and where to search for a good value."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, TypeAlias

import numpy as np

__all__ = ["Jobs", "MaxDepth", "MaxIter", "NEstimators", "Range", "Seed", "Tol", "Tune", "Verbose"]


@dataclass(frozen=True)
class Range:
    """An interval that must contain a number; none contains NaN.

    Parameters
    ----------
    low, high : float, optional
        The ends, which are included. An end that is left out is infinite and excluded;
        write ``high=math.inf`` to include infinity.
    open_low, open_high : bool, default False
        Whether that end is excluded.

    Examples
    --------
    >>> print(Range(low=0), Range(0, 1, open_low=True))
    [0, inf) (0, 1]
    >>> 0.5 in Range(low=0), float("nan") in Range()
    (True, False)
    """

    low: float | None = None
    high: float | None = None
    _: KW_ONLY
    open_low: bool = False
    open_high: bool = False

    def __post_init__(self) -> None:
        low, high = self._ends
        if not low <= high:
            raise ValueError(f"Range: low must not be above high; got low={self.low} and high={self.high}.")

    @property
    def _ends(self) -> tuple[float, float]:
        return (-math.inf if self.low is None else self.low, math.inf if self.high is None else self.high)

    def __contains__(self, value: float) -> bool:
        # Comparisons with NaN are false, so that no interval contains it.
        low, high = self._ends
        above = value > low if self.low is None or self.open_low else value >= low
        below = value < high if self.high is None or self.open_high else value <= high
        return bool(above and below)

    def __str__(self) -> str:
        low, high = self._ends
        opening = "(" if self.low is None or self.open_low else "["
        closing = ")" if self.high is None or self.open_high else "]"
        # Formatted the same for 0 and 0.0: they compare equal, so ``Annotated`` may have cached either one.
        return f"{opening}{low:.12g}, {high:.12g}{closing}"


@dataclass(frozen=True)
class Tune:
    """Where to search for a good value of a parameter: an interval, or a list of values.

    Parameters
    ----------
    low, high : float, optional
        Ends of the interval. Two integers make an interval of integers.
    log : bool, default False
        Whether the grid is geometric; both ends must then be positive.
    values : tuple, optional
        The values to try, instead of an interval.

    Examples
    --------
    >>> Tune(0.01, 100.0, log=True).grid(5)
    (0.01, 0.1, 1.0, 10.0, 100.0)
    >>> Tune(1, 10, log=True).grid(4)
    (1, 2, 5, 10)
    >>> Tune(values=("gini", "entropy")).grid(5)
    ('gini', 'entropy')
    """

    low: float | None = None
    high: float | None = None
    log: bool = False
    _: KW_ONLY
    values: tuple[Hashable, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.values) == (self.low is not None or self.high is not None):
            raise ValueError("Tune: give either low and high, or values.")
        if self.values:
            return
        if self.low is None or self.high is None or not -math.inf < self.low < self.high < math.inf:
            raise ValueError(f"Tune: low must be below high, both finite; got {self.low} and {self.high}.")
        if self.log and self.low <= 0:
            raise ValueError(f"Tune: log steps need a positive low; got {self.low}.")

    def grid(self, n: int) -> tuple[Hashable, ...]:
        """Spread ``n`` values over the interval or the list, or return all if there are fewer.

        One value is the middle; two or more include both ends.
        """
        if n < 1:
            raise ValueError(f"Tune.grid: n must be at least 1; got {n}.")
        if self.values:
            places = _spread_integers(_spaced(0, len(self.values) - 1, n, log=False), 0, len(self.values) - 1)
            return tuple(self.values[i] for i in places)
        # Impossible after __post_init__, but the type checker cannot know.
        if self.low is None or self.high is None:
            raise ValueError("Tune: give either low and high, or values.")
        points = _spaced(self.low, self.high, n, log=self.log)
        if isinstance(self.low, int) and isinstance(self.high, int):
            return tuple(_spread_integers(points, self.low, self.high))
        return tuple(points.tolist())


def _spaced(low: float, high: float, n: int, *, log: bool) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """``n`` points from ``low`` to ``high``, both included; the middle one for n = 1."""
    if n == 1:
        return np.array([math.sqrt(low * high) if log else (low + high) / 2])
    return np.geomspace(low, high, n) if log else np.linspace(low, high, n)


def _spread_integers(points: np.ndarray[tuple[int], np.dtype[np.float64]], low: int, high: int) -> list[int]:
    """Round ascending points to distinct integers in [low, high], or return all if there are fewer."""
    if len(points) > high - low:
        return list(range(low, high + 1))
    step = np.arange(len(points))
    # Rounding may make neighbors equal: each is pushed at least one above the one before, then below the end.
    apart = np.maximum.accumulate(np.rint(points).astype(np.int64) - step) + step
    return [int(point) for point in np.minimum(apart, high - step[::-1])]


NEstimators: TypeAlias = Annotated[int, Range(low=1), Tune(50, 500, log=True)]
MaxDepth: TypeAlias = Annotated[int | None, Range(low=1), Tune(2, 32, log=True)]
MaxIter: TypeAlias = Annotated[int, Range(low=1), Tune(100, 1000, log=True)]
Tol: TypeAlias = Annotated[float, Range(low=0), Tune(1e-6, 1e-2, log=True)]
Verbose: TypeAlias = Annotated[bool | int, Range(low=0)]
Jobs: TypeAlias = Annotated[int, Range(high=-1)] | Annotated[int, Range(low=1)] | None
Seed: TypeAlias = Annotated[int, Range(low=0)] | np.random.RandomState | None
