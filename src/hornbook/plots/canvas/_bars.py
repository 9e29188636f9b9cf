"""Labeled bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import (
    GRAY,
    at_least,
    axes,
    color,
    figure_of,
    fits_under,
    is_own,
    name_rows,
    name_ticks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bars"]

_ROW = 0.24  # inches of a horizontal bar, with its gap
_THINNEST = 0.17  # inches of a row in a figure whose size is given


def bars(
    values: ArrayLike, labels: Sequence[object], ax: Axes | None = None, *, title: str = "", most: int = 40
) -> Axes:
    """Draw one bar per label, with its value at its end.

    The bars are vertical as long as their names fit below them, and horizontal otherwise.

    Parameters
    ----------
    values : array-like of shape (n,)
        Height of each bar.
    labels : sequence of length n
        Names of the bars.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.
    most : int, default 40
        How many bars are drawn: the largest ones, in their order; the plot says how many there are.

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
    vertical = fits_under(ax, labels)
    if not vertical and not is_own(ax):
        # A given figure cannot grow, so that fewer bars are drawn instead of thinner ones.
        most = min(most, max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST)))
    # The largest by size, but in the order that the caller gave.
    chosen = np.sort(np.argsort(-np.abs(heights), kind="stable")[:most])
    names = [labels[i] for i in chosen.tolist()]
    (_vertical if vertical else _horizontal)(ax, heights[chosen], names)
    more = f"the {most} largest of {len(heights)}" if len(heights) > most else ""
    ax.set_title(", ".join(filter(None, [title, more])))
    return ax


def _vertical(ax: Axes, heights: NDArray[np.float64], names: list[object]) -> None:
    drawn = ax.bar(np.arange(len(heights)), heights, width=0.7, color=color(0))
    name_ticks(ax, names)
    ax.bar_label(drawn, fmt="{:.4g}", padding=2, fontsize=9 if len(heights) <= 12 else 7)
    ax.margins(y=0.1)


def _horizontal(ax: Axes, lengths: NDArray[np.float64], names: list[object]) -> None:
    at_least(ax, 1.0 + _ROW * len(names))
    drawn = ax.barh(np.arange(len(lengths)), lengths, height=0.66, color=color(0))
    ax.bar_label(drawn, fmt="{:.4g}", padding=3, fontsize=8)
    ax.axvline(0, color=GRAY, linewidth=0.8)
    ax.margins(x=0.16)
    name_rows(ax, names)
