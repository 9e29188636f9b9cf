"""Labelled bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots._canvas import axes, colour, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bars"]


def bars(values: ArrayLike, labels: Sequence[object], ax: Axes | None = None, *, title: str = "") -> Axes:
    """Draw one bar per label, with its value on top.

    More than 40 bars have neither names nor values: there would be no room to read them.

    Parameters
    ----------
    values : array-like of shape (n,)
        Height of each bar.
    labels : sequence of length n
        What each bar stands for.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the picture.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = bars([8, 9], ["ripe", "unripe"], title="17 watermelons")
    >>> [float(bar.get_height()) for bar in ax.patches]
    [8.0, 9.0]
    """
    heights = np.asarray(values, dtype=np.float64)
    if heights.shape != (len(labels),):
        raise ValueError(
            f"bars: 'values' must have one number for each of the {len(labels)} labels; "
            f"got an array of shape {heights.shape}."
        )
    if not np.isfinite(heights).all():
        raise ValueError("bars: 'values' must be finite numbers; got NaN or infinity, leave such bars out.")
    ax = axes(ax)
    drawn = ax.bar(np.arange(len(heights)), heights, width=0.7, color=colour(0))
    if name_ticks(ax, labels):
        ax.bar_label(drawn, fmt="{:.4g}", padding=2, fontsize=9)
        ax.margins(y=0.1)
    ax.set_title(title)
    return ax
