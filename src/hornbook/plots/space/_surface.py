"""A function of two variables as a surface, with points, curves and arrows on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY, color
from hornbook.plots.space._axes3d import axes3d, name_axes

__all__ = ["surface"]

STEPS = 41
BETWEEN = 20  # steps from one corner of a path to the next


def surface(
    function: Callable[[Any, Any], ArrayLike],
    x: tuple[float, float],
    y: tuple[float, float],
    ax: Any = None,
    *,
    points: Mapping[str, Sequence[float]] | None = None,
    curves: Sequence[ArrayLike] = (),
    arrows: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    names: tuple[str, str, str] = ("x", "y", "f(x, y)"),
    title: str = "",
) -> Any:
    """Draw z = f(x, y) as a surface, with marked points, curves and arrows.

    Parameters
    ----------
    function : callable
        Gives z for two arrays of the same shape.
    x, y : tuple of float
        Lower and upper end of each axis.
    ax : matplotlib Axes with the projection "3d", optional
        Where to draw; a new figure when left out.
    points : mapping of str to (x, y), optional
        Points that are marked on the surface, by the name written beside them.
    curves : sequence of array-like of shape (n, 2), default ()
        Paths in the plane of x and y, drawn on the surface: a constraint, or the steps of a search.
    arrows : mapping of str to ((x, y), (dx, dy)), optional
        Arrows in the plane below the surface, by name, each from a point into a direction: a gradient. The
        point is marked on the surface as well, with a line down to the plane.
    names : tuple of str, default ("x", "y", "f(x, y)")
        Names of the axes.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = surface(lambda x, y: x**2 + y**2, (-1, 1), (-1, 1), points={"minimum": (0, 0)})
    >>> ax.get_zlabel(), [text.get_text() for text in ax.texts]
    ('f(x, y)', ['minimum'])
    """
    if not (x[0] < x[1] and y[0] < y[1]):
        raise ValueError(
            f"surface: 'x' and 'y' must be ranges from a lower to an upper end; got {x} and {y}."
        )
    across, up = np.meshgrid(np.linspace(*x, STEPS), np.linspace(*y, STEPS))
    heights = np.asarray(function(across, up), dtype=np.float64)
    if heights.shape != across.shape or not np.isfinite(heights).all():
        raise ValueError(
            "surface: 'function' must give a finite number for each pair of coordinates; got an array of "
            f"shape {heights.shape}: choose 'x' and 'y' where it is defined."
        )
    ax = axes3d("surface", ax)
    # Transparent, so that what lies behind a hill stays visible.
    ax.plot_surface(
        across, up, heights, cmap="Blues", alpha=0.6, linewidth=0.2, edgecolor=GRAY, rstride=2, cstride=2
    )
    floor = float(heights.min() - 0.15 * (np.ptp(heights) or 1.0))

    def raised(places: ArrayLike) -> Any:
        path = np.asarray(places, dtype=np.float64).reshape(-1, 2)
        return path[:, 0], path[:, 1], np.asarray(function(path[:, 0], path[:, 1]), dtype=np.float64)

    for k, curve in enumerate(curves):
        ax.plot(*raised(_dense(curve)), color=color(3 + k), linewidth=2.2, zorder=5)
    for name, place in (points or {}).items():
        _mark(ax, raised(place), name)
    for name, (start, way) in (arrows or {}).items():
        (a,), (b,), (height,) = raised(start)
        ax.plot([a, a], [b, b], [floor, height], color=GRAY, linestyle=":", zorder=5)
        ax.quiver(a, b, floor, way[0], way[1], 0.0, color=color(3), linewidth=2.0, arrow_length_ratio=0.2)
        ax.text(a + 1.15 * way[0], b + 1.15 * way[1], floor, name, fontsize=9, zorder=7)
        _mark(ax, ([a], [b], [height]), "")
    if arrows:
        ax.set_zlim(bottom=floor)
    name_axes(ax, names, title)
    return ax


def _dense(curve: ArrayLike) -> NDArray[np.float64]:
    """Return a path with points between its corners, so that it stays on the surface."""
    corners = np.asarray(curve, dtype=np.float64).reshape(-1, 2)
    places = np.arange(len(corners))
    fine = np.linspace(0, len(corners) - 1, BETWEEN * max(1, len(corners) - 1) + 1)
    return np.column_stack([np.interp(fine, places, side) for side in corners.T])


def _mark(ax: Any, place: Any, name: str) -> None:
    ax.plot(*place, "o", color="black", markersize=6, zorder=6)
    if name:
        ax.text(*(side[0] for side in place), name, fontsize=9, va="bottom", zorder=7)
