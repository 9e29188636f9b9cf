"""Points of the plane with the axes of their principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["turned_axes"]


def turned_axes(
    X: ArrayLike,
    center: ArrayLike,
    directions: ArrayLike,
    deviations: ArrayLike,
    ax: Axes | None = None,
    *,
    lines: bool = True,
    names: Sequence[str] = ("PC1", "PC2"),
    title: str = "",
) -> Axes:
    """Draw points, the original axes through their center, and the principal axes in green.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        The points.
    center : array-like of shape (2,)
        Their mean, such as ``PCA.mean_``.
    directions : array-like of shape (2, 2)
        A principal direction in each row, such as ``PCA.components_``.
    deviations : array-like of shape (2,)
        Standard deviations of the points along them; arrows are twice as long.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    lines : bool, default True
        Whether to draw the axes as lines through the whole plot as well.
    names : sequence of two str, default ("PC1", "PC2")
        Names of the directions.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = turned_axes([[1, 0], [-1, 0]], [0, 0], [[1, 0], [0, 1]], [1.0, 0.0])
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['PC1', 'PC2']
    """
    points, middle = np.asarray(X, dtype=np.float64), np.asarray(center, dtype=np.float64)
    ways, lengths = np.asarray(directions, dtype=np.float64), np.asarray(deviations, dtype=np.float64)
    shapes = points.shape[1:], middle.shape, ways.shape, lengths.shape
    if shapes != ((2,), (2,), (2, 2), (2,)):
        raise ValueError(
            "turned_axes: 'X', 'center', 'directions' and 'deviations' must have two columns, two numbers, "
            f"two rows of two and two numbers; got shapes {(points.shape, *shapes[1:])}."
        )
    ax = axes(ax, size=(4.8, 4.4))
    ax.scatter(points[:, 0], points[:, 1], s=14, color=color(0), alpha=0.55, linewidths=0)
    if lines:
        ax.axvline(middle[0], color=GRAY, linewidth=1.0)
        ax.axhline(middle[1], color=GRAY, linewidth=1.0)
        for way in ways:
            ax.axline(tuple(middle), tuple(middle + way), color=color(2), linewidth=1.0, linestyle="--")
    for way, length, name in zip(ways, lengths.tolist(), names, strict=True):
        tip = middle + 2.0 * length * way
        ax.annotate(
            "",
            xy=tip,
            xytext=(middle[0], middle[1]),
            arrowprops={"arrowstyle": "-|>", "color": color(2), "linewidth": 2},
        )
        # Beyond the tip, by a fixed distance on the page.
        away = (12.0 * float(way[0]), 12.0 * float(way[1]))
        ax.annotate(
            name,
            xy=tip,
            xytext=away,
            textcoords="offset points",
            ha="center",
            va="center",
            color=color(2),
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
        )
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="x1", ylabel="x2", title=title)
    return ax
