"""Two constraints in space: planes, the line where they meet, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import color
from hornbook.plots.space._axes3d import axes3d, name_axes
from hornbook.plots.space._feature_space import draw_plane

__all__ = ["constraint_planes"]


def constraint_planes(
    weights: ArrayLike,
    thresholds: ArrayLike,
    ax: Any = None,
    *,
    reach: float = 1.0,
    title: str = "",
) -> Any:
    """Draw two planes w·x = t, the line in which they meet, and the gradient w of each as an arrow.

    On that line both constraints hold; where a function has its extremum on it, the gradient of the function
    is a combination of the two arrows.

    Parameters
    ----------
    weights : array-like of shape (2, 3)
        w of each plane, neither parallel to the other.
    thresholds : array-like of shape (2,)
        t of each plane.
    ax : matplotlib Axes with the projection "3d", optional
        Where to draw; a new figure when left out.
    reach : float, default 1.0
        Half the width of the cube that is shown, around the point of the line closest to the origin.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = constraint_planes([[0, 0, 1], [1, 0, 0]], [0.0, 0.0])
    >>> ax.lines[0].get_data_3d()[1].tolist()  # they meet along the second axis
    [-1.0, 1.0]
    """
    normals, levels = np.asarray(weights, dtype=np.float64), np.asarray(thresholds, dtype=np.float64)
    if normals.shape != (2, 3) or levels.shape != (2,) or not np.isfinite(normals).all():
        raise ValueError(
            "constraint_planes: 'weights' must be two rows of three numbers and 'thresholds' two numbers; "
            f"got shapes {normals.shape} and {levels.shape}."
        )
    along = np.cross(*normals)
    if not np.linalg.norm(along) > 1e-9 * np.prod(np.linalg.norm(normals, axis=1)):
        raise ValueError(
            "constraint_planes: the two planes are parallel, and have no line in common: change 'weights'."
        )
    # The point of the line closest to the origin: the solution of least norm.
    middle = np.linalg.pinv(normals) @ levels
    along *= np.sign(along[np.argmax(np.abs(along))]) / np.linalg.norm(along)
    ax = axes3d("constraint_planes", ax)
    ends = np.array([middle - reach, middle + reach])
    for i, (w, t) in enumerate(zip(normals, levels.tolist(), strict=True)):
        draw_plane(ax, w, t, ends, color(i))
    ax.plot(*(middle[:, None] + np.outer(along, [-reach, reach])), color="black", linewidth=2.4)
    for i, w in enumerate(normals):
        arrow = 0.7 * reach * w / np.linalg.norm(w)
        ax.quiver(*middle, *arrow, color=color(i), linewidth=2.0, arrow_length_ratio=0.18)
        ax.text(*(middle + 1.15 * arrow), f"$\\nabla C_{i + 1}$", fontsize=10)
    for axis, side in zip("xyz", ends.T, strict=True):
        getattr(ax, f"set_{axis}lim")(*side)
    name_axes(ax, ("x", "y", "z"), title)
    return ax
