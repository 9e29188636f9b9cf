"""Numbers of many columns as rows of dots, the columns with the largest numbers first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.plots.canvas._canvas import GRAY, at_least, figure_of, is_own, name_rows
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._strips import scattered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MOST_DOTS", "dot_rows"]

_ROW = 0.32  # inches of a column
_THINNEST = 0.17  # inches of a column in a figure whose size is given
MOST_DOTS = 300  # of a column


def dot_rows(
    ax: Axes,
    values: NDArray[np.float64],
    names: Sequence[object],
    most: int,
    shades: Callable[[int, NDArray[np.intp]], Any],
    spread: Callable[[NDArray[np.float64]], NDArray[np.float64]] = np.ones_like,
) -> str:
    """Draw the rows; say in the result how many columns are left out.

    `shades` gives the colors of some rows in a column, `spread` how far each dot may leave its line.
    """
    if not is_own(ax):
        most = min(most, max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST)))
    order = np.argsort(-np.abs(values).mean(axis=0), kind="stable")[:most].tolist()
    at_least(ax, 1.1 + _ROW * len(order))
    rows = thinned(len(values), MOST_DOTS)
    ax.axvline(0, color=GRAY, linewidth=0.9, zorder=0)
    for line, j in enumerate(order):
        ax.axhline(line, color="#E6E6E6", linewidth=0.8, zorder=0)
        x = values[rows, j]
        y = line + 0.6 * scattered(len(rows)) * spread(x)
        ax.scatter(x, y, s=11, c=shades(j, rows), alpha=0.7, linewidths=0)
    name_rows(ax, [names[j] for j in order])
    return f"the first {most} of {len(names)} columns" if len(names) > most else ""
