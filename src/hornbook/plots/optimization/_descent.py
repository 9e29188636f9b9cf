"""A function of one variable and the points a search visits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._grid import span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["descent", "visited"]

POINTS = 401


def visited(function: str, points: ArrayLike, least: int = 1) -> NDArray[np.float64]:
    """Return the points of a search as numbers; reject what is not a list of at least so many."""
    places = np.asarray(points, dtype=np.float64)
    if places.ndim != 1 or len(places) < least or not np.isfinite(places).all():
        raise ValueError(
            f"{function}: 'points' must be a list of finite numbers, at least {least}; got an array of shape "
            f"{places.shape}."
        )
    return places


def descent(
    function: Callable[[Any], ArrayLike],
    points: ArrayLike,
    ax: Axes | None = None,
    *,
    reach: tuple[float, float] | None = None,
    name: str = "x",
    title: str = "",
) -> Axes:
    """Draw a function of one variable and, on its curve, the points that a search visits.

    Parameters
    ----------
    function : callable
        Gives the values for an array of places.
    points : array-like of shape (n,)
        The places visited, beginning with the start.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    reach : tuple of float, optional
        The part of the axis that is shown; that of the points when left out.
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
    >>> ax = descent(lambda u: u**2, [1.0, 0.5, 0.25], name="u")
    >>> ax.lines[1].get_ydata().tolist(), ax.get_ylabel()
    ([1.0, 0.25, 0.0625], 'f(u)')
    """
    places = visited("descent", points)
    x = span(places, POINTS) if reach is None else np.linspace(*reach, POINTS)
    ax = axes(ax)
    ax.plot(x, np.asarray(function(x), dtype=np.float64), color=color(0), linewidth=1.6)
    heights = np.asarray(function(places), dtype=np.float64)
    ax.plot(places, heights, "o-", color=color(3), markersize=4.5, linewidth=0.9, markeredgecolor="white")
    for i in dict.fromkeys((0, len(places) - 1)):
        ax.annotate(
            f"step {i}" if i else "start",
            (places[i], heights[i]),
            textcoords="offset points",
            xytext=(8, 4),
            fontsize=9,
        )
    ax.set_xlabel(name)
    ax.set_ylabel(f"f({name})")
    ax.set_title(title)
    return ax
