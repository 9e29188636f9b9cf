"""The empirical distribution function: the percentage of the data below a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook import frame
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._values import known_numbers, say_left_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["percentiles"]


def percentiles(values: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw for every value the percentage of the data below it.

    The curve is a staircase that rises just above each value, from 0 to 100 percent.

    Parameters
    ----------
    values : array-like of shape (n,)
        Numbers; missing ones are left out, and the plot says how many.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = percentiles([30.0, 10.0, 20.0, 20.0])
    >>> ax.lines[0].get_xydata().tolist()
    [[10.0, 0.0], [20.0, 25.0], [30.0, 75.0], [30.0, 100.0]]
    """
    known = known_numbers("percentiles", values)
    x, percent = frame.percentiles(known)
    # The first of equal values has the percentage strictly below it.
    x, first = np.unique(x, return_index=True)
    ax = axes(ax)
    ax.plot(
        np.append(x, x[-1]),
        np.append(percent[first], 100),
        drawstyle="steps-pre",
        color=color(0),
        linewidth=1.8,
    )
    ax.set_yticks([0, 25, 50, 75, 100])
    ax.grid(axis="y", color=GRAY, alpha=0.35, linewidth=0.8)
    ax.set_xlabel("value")
    ax.set_ylabel("percentage of the data below")
    say_left_out(ax, values, known)
    return ax
