"""Classes projected on a line: how far apart a direction keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots._canvas import GREY, axes, colour, marker
from hornbook.plots._grid import numeric_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["projection"]


def projection(
    X: Any, y: ArrayLike, direction: ArrayLike, ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw points of the plane, the line through the origin in a direction, and where each point falls on it.

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
        Title of the picture.

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
    points, names = numeric_columns("projection", X, 2)
    labels, w = np.asarray(y), np.asarray(direction, dtype=np.float64)
    if labels.shape != (len(points),):
        raise ValueError(
            f"projection: 'y' must have one class for each of the {len(points)} rows of X; got shape "
            f"{labels.shape}."
        )
    if w.shape != (2,) or not np.isfinite(w).all() or not w.any():
        raise ValueError(f"projection: 'direction' must be two numbers, not both 0; got {direction!r}.")
    ax = axes(ax)
    unit = w / np.linalg.norm(w)
    feet = np.outer(points @ unit, unit)
    for point, foot in zip(points, feet, strict=True):
        ax.plot(*zip(point, foot, strict=True), color=GREY, linestyle="--", linewidth=0.6, zorder=1)
    reach = np.append(points @ unit, 0.0)
    ends = np.outer([1.1 * reach.min() - 0.1 * reach.max(), 1.1 * reach.max() - 0.1 * reach.min()], unit)
    ax.plot(ends[:, 0], ends[:, 1], color="black", linewidth=1.4, zorder=2)
    for i, label in enumerate(np.unique(labels).tolist()):
        own = labels == label
        style: dict[str, Any] = {"color": colour(i), "marker": marker(i)}
        ax.scatter(points[own, 0], points[own, 1], s=22, alpha=0.8, label=str(label), **style)
        center = feet[own].mean(axis=0)
        ax.scatter(center[0], center[1], s=110, edgecolor="black", zorder=4, **style)
    ax.set_aspect("equal", adjustable="datalim")  # otherwise right angles would not look right
    ax.set_xlabel(names[0] or "x1")
    ax.set_ylabel(names[1] or "x2")
    ax.set_title(title)
    ax.legend(frameon=False, loc="best")
    return ax
