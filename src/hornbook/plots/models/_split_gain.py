"""The gain of every threshold of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["split_gain"]


def split_gain(
    thresholds: ArrayLike, gains: ArrayLike, ax: Axes | None = None, *, name: str = "threshold"
) -> Axes:
    """Draw the gain of each threshold of a column, and mark the best.

    Parameters
    ----------
    thresholds : array-like of shape (n,)
        The thresholds, in ascending order.
    gains : array-like of shape (n,)
        The gain of each.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    name : str, default "threshold"
        Name of the column.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = split_gain([1.5, 2.5, 3.5], [0.1, 0.5, 0.2], name="size")
    >>> [text.get_text() for text in ax.texts]
    ['2.5: 0.5']
    """
    cuts, heights = np.asarray(thresholds, dtype=np.float64), np.asarray(gains, dtype=np.float64)
    if cuts.ndim != 1 or cuts.shape != heights.shape or not len(cuts):
        raise ValueError(
            "split_gain: 'thresholds' and 'gains' must be two lists of one length, at least 1; got shapes "
            f"{cuts.shape} and {heights.shape}."
        )
    ax = axes(ax)
    best = int(np.argmax(heights))
    ax.plot(cuts, heights, color=color(0), marker="o", markersize=3, linewidth=1)
    ax.axvline(cuts[best], color=GRAY, linewidth=1, linestyle=":")
    ax.annotate(
        f"{cuts[best]:.4g}: {heights[best]:.3g}",
        (cuts[best], heights[best]),
        textcoords="offset points",
        xytext=(6, 2),
    )
    ax.set_xlabel(name)
    ax.set_ylabel("gain")
    return ax
