"""Points of two classes in three dimensions, and the plane between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY
from hornbook.plots.canvas._class_points import class_order
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.space._axes3d import axes3d, name_axes

__all__ = ["draw_plane", "feature_space"]


def feature_space(
    X: ArrayLike,
    y: ArrayLike,
    w: ArrayLike | None = None,
    t: float = 0.0,
    ax: Any = None,
    *,
    direction: bool = False,
    names: tuple[str, str, str] = ("x1", "x2", "x3"),
    title: str = "",
) -> Any:
    """Draw points of three columns by class, and the plane w·x = t or the direction of w.

    Parameters
    ----------
    X : array-like of shape (n, 3)
        The points, such as rows mapped into a feature space.
    y : array-like of shape (n,)
        Their classes.
    w : array-like of shape (3,), optional
        Weights of a linear classifier in that space.
    t : float, default 0.0
        Its threshold.
    ax : matplotlib Axes with the projection "3d", optional
        Where to draw; a new figure when left out.
    direction : bool, default False
        Draw the line through the origin in the direction of w instead of the plane.
    names : tuple of str, default ("x1", "x2", "x3")
        Names of the axes.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> corners = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]]
    >>> ax = feature_space(corners, ["B", "A", "A", "B"], [1, 1, -2], 0.25)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['A', 'B']
    """
    points, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    if points.ndim != 2 or points.shape[1] != 3 or labels.shape != (len(points),) or not len(points):
        raise ValueError(
            "feature_space: 'X' must have three columns and 'y' one class for each row; got shapes "
            f"{points.shape} and {labels.shape}."
        )
    ax = axes3d("feature_space", ax)
    if w is not None:
        weights = np.asarray(w, dtype=np.float64)
        if weights.shape != (3,) or not weights.any() or not np.isfinite([*weights, t]).all():
            raise ValueError(f"feature_space: 'w' must be three numbers, not all 0; got {weights.tolist()}.")
        if direction:
            _draw_direction(ax, points, weights)
        else:
            draw_plane(ax, weights, t, np.array([points.min(axis=0), points.max(axis=0)]))
    classes = class_order(labels)
    for label, look in zip(classes, class_styles(len(classes)), strict=True):
        own = points[labels == label]
        ax.scatter(*own.T, color=look.color, marker=look.marker, s=34, label=str(label), depthshade=False)
    ax.legend(loc="upper left", frameon=False, fontsize=9)
    name_axes(ax, names, title)
    return ax


def draw_plane(
    ax: Any, w: NDArray[np.float64], t: float, ends: NDArray[np.float64], shade: str = GRAY
) -> None:
    """Draw the part of the plane w·x = t that lies in a box, given by its lowest and highest corner."""
    corners = np.array(list(product(*ends.T)))
    heights = corners @ w - t
    cuts = [
        (heights[j] * corners[i] - heights[i] * corners[j]) / (heights[j] - heights[i])
        for i, j in combinations(range(8), 2)
        # Edges of the box, whose ends differ in one coordinate, that the plane crosses.
        if (corners[i] != corners[j]).sum() == 1 and heights[i] * heights[j] <= 0 and heights[i] != heights[j]
    ]
    if len(cuts) < 3:
        return
    points = np.array(cuts)
    # In the order of the angle around their middle, seen along w.
    spokes = points - points.mean(axis=0)
    first = spokes[int(np.argmax((spokes**2).sum(axis=1)))]
    angle = np.arctan2(spokes @ np.cross(w / np.linalg.norm(w), first), spokes @ first)
    outline = points[np.argsort(angle)]
    # A convex outline is a fan of triangles around its first corner.
    fan = [[0, i, i + 1] for i in range(1, len(outline) - 1)]
    ax.plot_trisurf(*outline.T, triangles=fan, color=shade, alpha=0.3, linewidth=0, shade=False)


def _draw_direction(ax: Any, points: NDArray[np.float64], w: NDArray[np.float64]) -> None:
    """Draw the line through the origin along w as far as points are projected on it."""
    unit = w / np.linalg.norm(w)
    places = points @ unit
    ends: Sequence[float] = (min(0.0, float(places.min())), max(0.0, float(places.max())))
    ax.plot(*np.outer(ends, unit).T, color="black", linewidth=2.0)
    ax.text(*(ends[1] * unit), " w", fontsize=10)
