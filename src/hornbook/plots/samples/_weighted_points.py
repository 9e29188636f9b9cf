"""Points whose areas are their weights, and the line of a simple classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._class_points import class_order
from hornbook.plots.canvas._grid import grid_like, placed_rows, span
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["weighted_points"]

AREA = 42.0  # square points of the mean weight
STEPS = 200


def weighted_points(
    X: Any,
    y: ArrayLike,
    weights: ArrayLike,
    ax: Axes | None = None,
    *,
    model: Any = None,
    title: str = "",
) -> Axes:
    """Draw points whose areas are in proportion to their weights, and the boundary of a classifier.

    Boosting enlarges the points that its members get wrong; those on the wrong side of the boundary have a
    black edge.

    Parameters
    ----------
    X : table with two numeric columns
        The points.
    y : array-like of shape (n,)
        Their classes.
    weights : array-like of shape (n,)
        Their weights, none negative and not all 0.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    model : fitted classifier, optional
        Its boundary is drawn.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = weighted_points([[0.0, 0.0], [1.0, 1.0]], ["a", "b"], [1.0, 3.0])
    >>> [float(dots.get_sizes()[0]) for dots in ax.collections]
    [21.0, 63.0]
    """
    rows = placed_rows("weighted_points", X, y, 2, "class")
    masses = np.asarray(weights, dtype=np.float64)
    if rows.left_out or masses.shape != (len(rows.points),):
        raise ValueError(
            f"weighted_points: 'weights' must have one number for each of the {len(rows.points)} complete "
            f"rows of X; got shape {masses.shape}."
        )
    if not np.isfinite(masses).all() or masses.min() < 0 or not masses.any():
        raise ValueError("weighted_points: 'weights' must be finite, none negative and not all 0.")
    ax = axes(ax, size=(4.6, 4.0))
    wrong = np.zeros(len(masses), dtype=bool)
    if model is not None:
        wrong = np.asarray(model.predict(X)) != rows.y
        _boundary(ax, model, X, rows.points)
    areas = AREA * masses / masses.mean()
    classes = class_order(rows.y, model)
    for label, look in zip(classes, class_styles(len(classes)), strict=True):
        own = rows.y == label
        if own.any():
            ax.scatter(
                rows.points[own, 0],
                rows.points[own, 1],
                s=areas[own],
                color=look.color,
                marker=look.marker,
                edgecolors=np.where(wrong[own], "black", look.color).tolist(),
                linewidths=1.2,
                alpha=0.85,
                zorder=3,
            )
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title)
    class_legend(ax, classes)
    return ax


def _boundary(ax: Axes, model: Any, X: Any, points: Any) -> None:
    """Draw where the predicted class changes."""
    across, up = span(points[:, 0], STEPS), span(points[:, 1], STEPS)
    grid = np.column_stack([side.ravel() for side in np.meshgrid(across, up)])
    predicted = np.asarray(model.predict(grid_like(X, grid))).reshape(STEPS, STEPS)
    for label in np.unique(predicted)[:-1]:
        same = (predicted == label).astype(np.float64)
        ax.contour(across, up, same, levels=[0.5], colors=color(5), linewidths=2.0, zorder=2)
