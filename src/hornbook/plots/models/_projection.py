"""Classes projected onto a line: how well a direction separates them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import placed_rows
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["projection"]


def projection(
    X: Any, y: ArrayLike, direction: ArrayLike, ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw points of the plane, a line through the origin, and the projection of each point onto it.

    Parameters
    ----------
    X : table with two numeric columns
        The points.
    y : array-like of shape (n,)
        Their classes.
    direction : array-like of shape (2,)
        Direction of the line, such as ``LinearDiscriminant.direction_``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on. Dashed lines lead from each point to the line; a large mark shows the mean of each
        class on it.

    Examples
    --------
    >>> ax = projection([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]], ["a", "a", "b"], [1.0, -1.0])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    rows = placed_rows("projection", X, y, 2, "class")
    points, labels, w = rows.points, rows.y, np.asarray(direction, dtype=np.float64)
    if w.shape != (2,) or not np.isfinite(w).all() or not w.any():
        raise ValueError(f"projection: 'direction' must be two numbers, not both 0; got {direction!r}.")
    ax = axes(ax)
    unit = w / np.linalg.norm(w)
    feet = np.outer(points @ unit, unit)
    for point, foot in zip(points, feet, strict=True):
        ax.plot(*zip(point, foot, strict=True), color=GRAY, linestyle="--", linewidth=0.6, zorder=1)
    # The line passes through the origin, which is drawn even if all points are far from it.
    reach = np.append(points @ unit, 0.0)
    ends = np.outer([1.1 * reach.min() - 0.1 * reach.max(), 1.1 * reach.max() - 0.1 * reach.min()], unit)
    ax.plot(ends[:, 0], ends[:, 1], color="black", linewidth=1.4, zorder=2)
    classes = class_order(labels)
    for label, look in zip(classes, class_styles(len(classes)), strict=True):
        center = feet[labels == label].mean(axis=0)
        ax.scatter(
            center[0], center[1], s=110, edgecolor="black", zorder=4, color=look.color, marker=look.marker
        )
    ax.set_aspect("equal", adjustable="datalim")  # otherwise right angles would not look right
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    class_points(ax, points, labels, classes)
    return ax
