"""Steps that minimize a loss within regions: the leaves of a tree, or along a direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Regions", "line_minimizers", "region_quantiles"]

_MOST_STEPS = 100
_GRADIENT_LEFT = 1e-8  # share of the gradients, without their signs, at which a region counts as solved
_ROUNDING = 1e-9
_NO_CURVATURE = 1e-150  # sums of second derivatives up to here are rounding


class Derivatives(Protocol):
    """What the search needs of a loss."""

    def derivatives(self, y: NDArray[Any], z: Floats) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True)
class Regions:
    """Rows in groups that share a step.

    Parameters
    ----------
    of_row : ndarray of int of shape (n_rows,)
        Region of each row.
    count : int
        Number of regions; some may have no rows.
    w : ndarray of shape (n_rows,), optional
        Weights of the rows.

    Examples
    --------
    >>> Regions(np.array([0, 1, 1]), 2).sums(np.array([1.0, 2.0, 3.0])).tolist()
    [1.0, 5.0]
    """

    of_row: NDArray[np.integer[Any]]
    count: int
    w: Floats | None = None

    @staticmethod
    def whole(n_rows: int, w: Floats | None = None) -> Regions:
        """All rows as one region."""
        return Regions(np.zeros(n_rows, dtype=np.intp), 1, w)

    def sums(self, values: Floats) -> Floats:
        """Weighted sum of each region."""
        weighted = values if self.w is None else values * self.w
        return np.asarray(np.bincount(self.of_row, weighted, self.count), dtype=np.float64)

    def newton_steps(self, gradient: Floats, hessian: Floats) -> Floats:
        """Minus the sum of gradients over that of second derivatives; 0 where there is no curvature."""
        down, bend = -self.sums(gradient), self.sums(hessian)
        return np.divide(down, bend, out=np.zeros(self.count), where=bend > _NO_CURVATURE)


def line_minimizers(
    loss: Derivatives, y: NDArray[Any], z: Floats, regions: Regions, direction: Floats | None = None
) -> Floats:
    """For each region, the factor b for which z + b times the direction has the smallest loss.

    Newton's method in all regions at once. A step that leaves the interval known to hold the minimum is
    replaced by its middle, or by ever larger steps while it has no end, so that convex losses without
    curvature are minimized, too.
    """
    along = 1.0 if direction is None else direction
    best, reach = np.zeros(regions.count), np.ones(regions.count)
    moved = np.full(regions.count, np.inf)
    low, high = np.full(regions.count, -np.inf), np.full(regions.count, np.inf)
    first_size: Floats | None = None
    for _ in range(_MOST_STEPS):
        with np.errstate(over="ignore", invalid="ignore"):  # too long a step may overflow; it is taken back
            g, h = loss.derivatives(y, z + best[regions.of_row] * along)
            slope, bend = regions.sums(g * along), regions.sums(h * along * along)
            size = regions.sums(np.abs(g * along))
        if first_size is None:
            first_size = size
        # A slope that overflowed is on the far side of the minimum, away from 0.
        overflowed = ~(np.isfinite(slope) & np.isfinite(size))
        slope, size = np.where(overflowed, np.copysign(np.inf, best), slope), np.where(overflowed, 0.0, size)
        # Where all rows pull in one direction the minimum is infinite, and less and less pull is enough.
        one_sided = np.abs(slope) > (1.0 - _ROUNDING) * size
        enough = _GRADIENT_LEFT * np.where(one_sided, first_size, size)
        open_ = np.abs(slope) > enough
        low, high = np.where(open_ & (slope < 0), best, low), np.where(open_ & (slope > 0), best, high)
        open_ &= high - low > np.spacing(np.abs(best))
        curved = (bend > _NO_CURVATURE) & np.isfinite(bend)
        step = np.divide(-slope, bend, out=np.full(regions.count, np.nan), where=curved)
        if not open_.any():
            # A last small step makes the result independent of where the search became good enough.
            return np.where(np.abs(step) < 1e-4 * (1.0 + np.abs(best)), best + step, best)
        with np.errstate(invalid="ignore"):
            bracketed = np.isfinite(low) & np.isfinite(high)
            middle = np.where(bracketed, 0.5 * (low + high), best - np.sign(slope) * reach)
            # In an interval, Newton's steps must shrink at least as fast as bisection (Press et al. 1992).
            trusted = (best + step > low) & (best + step < high)
            trusted &= ~bracketed | (np.abs(step) < 0.5 * moved)
        reach = np.where(trusted, reach, 2.0 * reach)
        goal = np.where(open_, np.where(trusted, best + step, middle), best)
        best, moved = goal, np.abs(goal - best)
    return best


def region_quantiles(values: Floats, share: float, regions: Regions) -> Floats:
    """Weighted quantile of each region: its smallest value with at least this share of the weight up to it.

    Regions without weight get 0.
    """
    order = np.lexsort((values, regions.of_row))
    w = np.ones(len(values)) if regions.w is None else regions.w
    order = order[w[order] > 0]
    if not len(order):
        return np.zeros(regions.count)
    group, until = regions.of_row[order], np.cumsum(w[order])
    ends = np.searchsorted(group, np.arange(regions.count), side="right")
    starts = np.searchsorted(group, np.arange(regions.count), side="left")
    before = np.where(starts > 0, until[starts - 1], 0.0)
    filled = np.flatnonzero(ends > starts)
    quantiles = np.zeros(regions.count)
    if len(filled):
        total = until[ends[filled] - 1] - before[filled]
        # Cumulative sums round: what is reached up to a few units in the last place is reached.
        wanted = before[filled] + share * total * (1.0 - 1e-12)
        place = np.clip(np.searchsorted(until, wanted), starts[filled], ends[filled] - 1)
        quantiles[filled] = values[order[place]]
    return quantiles
