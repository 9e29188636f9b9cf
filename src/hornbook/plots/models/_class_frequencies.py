"""How many rows of each class lie at or below each value of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["class_frequencies"]


def class_frequencies(
    values: ArrayLike,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    threshold: float | None = None,
    name: str = "value",
) -> Axes:
    """Draw for each class how many of its rows have a value up to v, over all v.

    A good threshold lies where one line has nearly reached its maximum and the others have hardly begun to
    rise.

    Parameters
    ----------
    values : array-like of shape (n,)
        The column; rows without a value count nowhere.
    y : array-like of shape (n,)
        The classes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    threshold : float, optional
        A threshold to mark, with the count of each class up to it.
    name : str, default "value"
        Name of the column.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = class_frequencies([1, 2, 2, 3, 4], ["a", "a", "b", "b", "b"], threshold=2.5)
    >>> [text.get_text() for text in ax.texts]
    ['2', '1']
    """
    cells, labels = np.asarray(values, dtype=np.float64), np.asarray(y)
    if cells.ndim != 1 or cells.shape != labels.shape or np.isnan(cells).all():
        raise ValueError(
            "class_frequencies: 'values' and 'y' must be two lists of one length, with a value in at least "
            f"one row; got shapes {cells.shape} and {labels.shape}."
        )
    ax = axes(ax)
    low, high = np.nanmin(cells), np.nanmax(cells)
    classes = np.unique(labels)
    for label, look in zip(classes, class_styles(len(classes)), strict=True):
        own = np.sort(cells[(labels == label) & ~np.isnan(cells)])
        ends = np.concatenate([[low], own, [high]])
        # A step up at each row; both ends are extended to the range of all classes.
        heights = np.concatenate([[0], np.arange(1, len(own) + 1), [len(own)]])
        ax.step(ends, heights, where="post", color=look.color)
        if threshold is not None:
            below = int(np.searchsorted(own, threshold, side="right"))
            ax.plot([threshold], [below], "o", color=look.color, markersize=4)
            ax.annotate(str(below), (threshold, below), textcoords="offset points", xytext=(5, 3))
    if threshold is not None:
        ax.axvline(threshold, color=GRAY, linewidth=1, linestyle=":")
    ax.set_xlabel(name)
    ax.set_ylabel("rows up to the value")
    class_legend(ax, classes.tolist(), "line")
    return ax
