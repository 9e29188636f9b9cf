"""The boundary of a linear classifier in the plane: its weights, its threshold, distances from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import placed_rows
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["linear_boundary"]

ARROW = 0.2  # length of the arrow, as a fraction of the width of the points


def linear_boundary(
    X: Any,
    y: ArrayLike,
    w: ArrayLike,
    t: float,
    ax: Axes | None = None,
    *,
    means: bool = False,
    margins: bool = False,
    title: str = "",
) -> Axes:
    """Draw points of the plane, the line w·x = t, and the arrow w at a right angle to it.

    The line is t / |w| from the origin, on the side to which w points if t is above 0.

    Parameters
    ----------
    X : table with two numeric columns
        The points.
    y : array-like of shape (n,)
        Their classes.
    w : array-like of shape (2,)
        The weights; only their direction shows.
    t : float
        The threshold.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    means : bool, default False
        Whether to draw the mean of each class, and a dotted line between two.
    margins : bool, default False
        Whether to draw the perpendicular from each point to the line, dashed: as long as its margin.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = linear_boundary([[0.0, 0.0], [3.0, 2.0]], ["-", "+"], [3.0, 2.0], 6.5, margins=True)
    >>> perpendicular, other, line = ax.lines
    >>> perpendicular.get_xydata()[1].tolist()  # where the perpendicular from the origin meets the line
    [1.5, 1.0]
    """
    rows = placed_rows("linear_boundary", X, y, 2, "class")
    points, labels, weights = rows.points, rows.y, np.asarray(w, dtype=np.float64)
    _check(weights, t)
    ax = axes(ax)
    # x - ((w x - t) / |w|^2) w, the projection onto the line.
    feet = points - np.outer((points @ weights - t) / (weights @ weights), weights)
    if margins:
        for point, foot in zip(points, feet, strict=True):
            ax.plot(*zip(point, foot, strict=True), color=GRAY, linestyle="--", linewidth=0.8, zorder=1)
    classes = class_order(labels)
    if means:
        _means(ax, points, labels, classes)
    _line(ax, points, feet, weights)
    ax.set_aspect("equal", adjustable="datalim")  # otherwise right angles would not look right
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    class_points(ax, points, labels, classes)
    return ax


def _means(ax: Axes, points: NDArray[np.float64], labels: NDArray[Any], classes: list[Any]) -> None:
    """Draw the mean of each class, and a dotted line between two."""
    centers = np.array([points[labels == label].mean(axis=0) for label in classes])
    for center, look in zip(centers, class_styles(len(classes)), strict=True):
        ax.scatter(
            center[0], center[1], s=110, edgecolor="black", zorder=4, color=look.color, marker=look.marker
        )
    if len(classes) == 2:
        ax.plot(centers[:, 0], centers[:, 1], color="black", linestyle=":", linewidth=1.0)


def _line(ax: Axes, points: NDArray[np.float64], feet: NDArray[np.float64], w: NDArray[np.float64]) -> None:
    """Draw the line as far as points are projected on it and a bit beyond, and the arrow in its middle."""
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    places = feet @ along
    width = float(np.ptp(points, axis=0).max()) or 1.0
    start = feet[int(np.argmin(places))] - 0.1 * width * along
    stop = feet[int(np.argmax(places))] + 0.1 * width * along
    ax.plot(*zip(start, stop, strict=True), color="black", linewidth=1.4, zorder=2)
    middle = (start + stop) / 2
    tip = middle + ARROW * width * w / np.linalg.norm(w)
    ax.annotate("", xy=(tip[0], tip[1]), xytext=(middle[0], middle[1]), arrowprops={"arrowstyle": "->"})
    # Beyond the tip, so that the arrow does not cross it.
    away = 9.0 * w / np.linalg.norm(w)
    style: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}
    ax.annotate("w", xy=(tip[0], tip[1]), xytext=(float(away[0]), float(away[1])), **style)


def _check(w: NDArray[np.float64], t: float) -> None:
    if w.shape != (2,) or not np.isfinite(w).all() or not w.any():
        raise ValueError(f"linear_boundary: 'w' must be two numbers, not both 0; got {w.tolist()!r}.")
    if not np.isfinite(t):
        raise ValueError(f"linear_boundary: 't' must be a finite number; got {t!r}.")
