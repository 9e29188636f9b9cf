"""Newton's search for a root: where each tangent meets the axis is the next point."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._grid import span
from hornbook.plots.optimization._descent import POINTS, visited

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["tangents"]

_NAMED = 4  # later points lie too close together for names


def tangents(
    function: Callable[[Any], ArrayLike],
    points: ArrayLike,
    ax: Axes | None = None,
    *,
    name: str = "x",
    title: str = "",
) -> Axes:
    """Draw a function, and from each point of its curve the tangent down to the axis.

    Where a tangent meets the axis is the next point: x - f(x) / f'(x).

    Parameters
    ----------
    function : callable
        Gives the values for an array of places.
    points : array-like of shape (n,)
        The points of the search, beginning with the start; at least two.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    name : str, default "x"
        Name of the variable.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = tangents(lambda x: x**2 - 2, [2.0, 1.5, 1.4167])
    >>> ax.lines[3].get_xydata().tolist()  # from (2, f(2)) to the axis
    [[2.0, 2.0], [1.5, 0.0]]
    """
    places = visited("tangents", points, 2)
    heights = np.asarray(function(places), dtype=np.float64)
    x = span(places, POINTS)
    ax = axes(ax)
    ax.axhline(0.0, color=GRAY, linewidth=1)
    ax.plot(x, np.asarray(function(x), dtype=np.float64), color=color(0), linewidth=1.6)
    for i, (place, following) in enumerate(pairwise(places.tolist())):
        ax.plot([place, place], [0.0, heights[i]], color=GRAY, linestyle=":", linewidth=1)
        ax.plot([place, following], [heights[i], 0.0], color=color(3), linewidth=1.2)
    ax.plot(places, np.zeros(len(places)), "o", color="black", markersize=4)
    for i, place in enumerate(places[:_NAMED].tolist()):
        # On the other side of the axis than the curve, where nothing else is.
        below = heights[i] >= 0
        ax.annotate(
            f"${name}_{{{i}}}$",
            (place, 0.0),
            textcoords="offset points",
            xytext=(0, -6 if below else 6),
            ha="center",
            va="top" if below else "bottom",
        )
    ax.set_xlabel(name)
    ax.set_ylabel(f"f({name})")
    ax.set_title(title)
    return ax
