"""Rows in a plane that a model projects them on, by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes
from hornbook.plots.canvas._class_points import class_points
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["class_plane"]


def class_plane(
    points: ArrayLike,
    groups: ArrayLike,
    classes: Sequence[object],
    ax: Axes | None = None,
    *,
    names: tuple[str, str] = ("first direction", "second direction"),
    title: str = "",
) -> Axes:
    """Draw rows in the plane that separates their classes best, and the mean of each class as a large mark.

    Parameters
    ----------
    points : array-like of shape (n, 2)
        Positions of the rows.
    groups : array-like of int of shape (n,)
        The class of each row, as a position in `classes`.
    classes : sequence
        The classes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    names : tuple of str, default ("first direction", "second direction")
        Names of the axes.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = class_plane([[0.0, 1.0], [2.0, 0.0]], [0, 1], ["a", "b"])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    places, codes = np.asarray(points, dtype=np.float64), np.asarray(groups)
    if places.ndim != 2 or places.shape[1] != 2 or codes.shape != (len(places),):
        raise ValueError(
            "class_plane: 'points' must be pairs of numbers with one class each in 'groups'; got shapes "
            f"{places.shape} and {codes.shape}."
        )
    ax = axes(ax)
    for i, look in enumerate(class_styles(len(classes))):
        if (codes == i).any() and not look.grouped:
            mean = places[codes == i].mean(axis=0)
            ax.scatter(
                mean[0], mean[1], s=90, color=look.color, marker=look.marker, edgecolor="black", zorder=4
            )
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    ax.set_title(title)
    class_points(ax, places, codes, range(len(classes)), names=classes, alpha=0.6)
    return ax
