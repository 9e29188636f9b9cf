"""Points in the plane and straight lines between or through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["lines"]

_ROOM = 0.35  # around the points, of their range


def lines(
    points: ArrayLike,
    weights: ArrayLike,
    thresholds: ArrayLike,
    *,
    names: Sequence[str] = (),
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw points and the lines w·x = t.

    Parameters
    ----------
    points : array-like of shape (n_points, 2)
        The points.
    weights : array-like of shape (n_lines, 2)
        w of each line; one without direction is left out.
    thresholds : array-like of shape (n_lines,)
        t of each line.
    names : sequence of str, default ()
        Names next to the points.
    title : str, default ""
        Title of the plot.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = lines([[0, 0], [1, 1]], [[1, 1]], [1.0], names=["A", "B"])
    >>> len(ax.lines), [text.get_text() for text in ax.texts]
    (2, ['A', 'B'])
    """
    places, slopes = np.asarray(points, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    levels = np.asarray(thresholds, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2 or slopes.shape != (len(levels), 2):
        raise ValueError(
            "lines: points and weights must have two columns, and there must be a threshold for each line; "
            f"got shapes {places.shape}, {slopes.shape} and {levels.shape}."
        )
    ax = axes(ax)
    ax.plot(places[:, 0], places[:, 1], "o", color="black", markersize=5)
    for name, (x, y) in zip(names, places, strict=False):
        ax.annotate(name, (x, y), xytext=(5, 5), textcoords="offset points")
    for i, (w, t) in enumerate(zip(slopes, levels, strict=True)):
        length = float(w @ w)
        if length > 0:
            # The foot of the perpendicular from the origin: the point of the line w x = t closest to
            # it.
            foot = w * (t / length)
            ahead = foot + np.array([-w[1], w[0]])
            ax.axline(tuple(foot), tuple(ahead), color=color(i), linewidth=1.2)
    low, high = places.min(axis=0), places.max(axis=0)
    room = _ROOM * np.where(high > low, high - low, 1.0)
    ax.set_xlim(low[0] - room[0], high[0] + room[0])
    ax.set_ylim(low[1] - room[1], high[1] + room[1])
    ax.set_title(title)
    return ax
