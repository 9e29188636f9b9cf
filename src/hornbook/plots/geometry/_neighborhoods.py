"""Points and circles around some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import placed_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["neighborhoods"]


def neighborhoods(
    X: Any,
    y: ArrayLike,
    centers: ArrayLike,
    radii: ArrayLike,
    ax: Axes | None = None,
    *,
    labels: Sequence[str] = (),
    asked: bool = False,
    title: str = "",
) -> Axes:
    """Draw points by class, and dashed circles: the neighborhoods of some places.

    Parameters
    ----------
    X : table with two numeric columns
        The points.
    y : array-like of shape (n,)
        Their classes, or what else distinguishes them.
    centers : array-like of shape (n_circles, 2)
        Centers of the circles.
    radii : float or array-like of shape (n_circles,)
        Their radii.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    labels : sequence of str, default ()
        Names beside the first points.
    asked : bool, default False
        Whether the centers are query points, drawn as white squares, whose neighbors are ringed.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = neighborhoods([[0, 0], [1, 0], [5, 5]], ["a", "a", "b"], [[0.5, 0.5]], 1.0, asked=True)
    >>> len(ax.patches), len(ax.collections[0].get_offsets())  # one circle, two neighbors
    (1, 2)
    """
    rows = placed_rows("neighborhoods", X, y, 2, "class")
    places = np.asarray(centers, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2 or not np.isfinite(places).all():
        raise ValueError(
            f"neighborhoods: 'centers' must be finite numbers of shape (n, 2); got {places.shape}."
        )
    sizes = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(places),))
    if not (sizes > 0).all():
        raise ValueError(f"neighborhoods: 'radii' must be above 0; got {np.asarray(radii).tolist()!r}.")
    ax = axes(ax)
    _circles(ax, places, sizes)
    if asked:
        # A neighbor on the circle itself belongs to it: the radius is often the distance of the last.
        near = np.linalg.norm(rows.points[:, None] - places, axis=2) <= sizes * (1 + 1e-12)
        inside = rows.points[near.any(axis=1)]
        ax.scatter(inside[:, 0], inside[:, 1], s=95, facecolors="none", edgecolors="black", linewidths=0.9)
        style: dict[str, Any] = {"color": "white", "markeredgecolor": "black", "markersize": 8, "zorder": 4}
        ax.plot(places[:, 0], places[:, 1], "s", **style)
    for name, (x, up) in zip(labels, rows.points, strict=False):
        ax.annotate(name, (x, up), xytext=(5, 5), textcoords="offset points", zorder=5)
    ax.set_aspect("equal", adjustable="datalim")  # circles look like circles
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    class_points(ax, rows.points, rows.y, class_order(rows.y))
    return ax


def _circles(ax: Axes, places: Any, sizes: Any) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    for (x, y), radius in zip(places.tolist(), sizes.tolist(), strict=True):
        ax.add_patch(Circle((x, y), radius, fill=False, linestyle="--", edgecolor=GRAY, linewidth=1.1))
