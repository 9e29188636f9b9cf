"""Histograms with bins of a fixed width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import frame
from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._values import known_numbers, say_left_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["histogram", "readable_width"]

_MOST_OUTLINED = 50  # bars; with more, the white edges would hide them


def histogram(values: ArrayLike, width: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw how many values fall into each of the bins of a fixed width.

    The bins start at a multiple of the width, and a value on an edge counts in the bin above it, so that the
    edges are round numbers.

    Parameters
    ----------
    values : array-like of shape (n,)
        Numbers; missing ones are left out, and the plot says how many.
    width : float, optional
        Width of the bins; left out, the rule of Freedman and Diaconis (1981), rounded up to 1, 2 or 5 times a
        power of ten.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = histogram([500, 1999, 2000, 7000], width=2000)
    >>> [(float(bar.get_x()), int(bar.get_height())) for bar in ax.patches]
    [(0.0, 2), (2000.0, 1), (4000.0, 0), (6000.0, 1)]
    """
    known = known_numbers("histogram", values)
    width = readable_width(known) if width is None else width
    edges, counts = frame.histogram(known, width)
    ax = axes(ax)
    bars = ax.bar(edges[:-1], counts, np.diff(edges), align="edge", color=color(0))
    for bar in bars if len(counts) <= _MOST_OUTLINED else ():
        bar.set(edgecolor="white", linewidth=0.6)
    ax.locator_params(axis="y", integer=True)
    ax.set_xlabel(f"value, in bins of width {width:g}")
    ax.set_ylabel("count")
    say_left_out(ax, values, known)
    return ax


def readable_width(known: NDArray[np.float64]) -> float:
    """Return the width of Freedman and Diaconis (1981), rounded up, for at most about 100 bins.

    It is twice the interquartile range over the cube root of n.
    """
    low, high = float(known.min()), float(known.max())
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = np.quantile(known, [0.25, 0.75])
        # 2 IQR n^(-1/3), robust against outliers.
        wanted = float(2 * (upper - lower) / np.cbrt(len(known)))
    # Divided before the difference: a range beyond the largest double would overflow.
    wanted = max(wanted, high / 100 - low / 100)
    if low == high:  # any width shows one bar; a tenth of the value is a width that fits its digits
        wanted = abs(low) / 10 if abs(low) > 1e-9 else 1.0
    if not 1e-290 < wanted < 1e290:
        raise ValueError(
            f"histogram: 'values' from {low:g} to {high:g} have no readable bins; "
            "bring them to another scale or give 'width'."
        )
    return _rounded_up(wanted)


def _rounded_up(width: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not smaller."""
    power = int(np.floor(np.log10(width)))
    round_ones = (float(f"{step}e{power}") for step in (1, 2, 5))
    return next((candidate for candidate in round_ones if width <= candidate), float(f"1e{power + 1}"))
