"""Contributions of the columns to a score, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color, figure_of, is_own, name_rows
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.canvas._strips import scattered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["contributions"]

_ROW = 0.32  # inches of a column
_THINNEST = 0.17  # inches of a column in a figure whose size is given
_MOST_DOTS = 300  # of a column


def contributions(
    values: ArrayLike,
    names: Sequence[object],
    ax: Axes | None = None,
    *,
    groups: ArrayLike | None = None,
    classes: Sequence[object] = (),
    name: str = "contribution",
    most: int = 20,
    title: str = "",
) -> Axes:
    """Draw the contribution of each column to the score of each row, the most important columns first.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_columns)
        Contribution of the column to the score of the row.
    names : sequence of length n_columns
        The columns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    groups : array-like of int of shape (n_rows,), optional
        The class of each row, as a position in `classes`; it gives the dots their color.
    classes : sequence, default ()
        The classes.
    name : str, default "contribution"
        Name of the contributions.
    most : int, default 20
        How many columns are drawn: those with the largest mean size; the title says how many there are.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; of more than 300 rows, evenly chosen ones are drawn.

    Examples
    --------
    >>> ax = contributions([[0.1, -2.0], [0.2, 1.0]], ["size", "mass"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['mass', 'size']
    """
    added = np.asarray(values, dtype=np.float64)
    if added.ndim != 2 or added.shape[1] != len(names) or not added.size:
        raise ValueError(
            f"contributions: 'values' must have a line for each of at least 1 rows and a number for each of "
            f"the {len(names)} names; got shape {added.shape}."
        )
    codes = None if groups is None else np.asarray(groups)
    if codes is not None and codes.shape != (len(added),):
        raise ValueError(
            f"contributions: 'groups' must have one class for each of the {len(added)} rows; "
            f"got shape {codes.shape}."
        )
    ax = axes(ax, size=(5.4, 1.1))
    if not is_own(ax):
        most = min(most, max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST)))
    order = np.argsort(-np.abs(added).mean(axis=0), kind="stable")[:most].tolist()
    at_least(ax, 1.1 + _ROW * len(order))
    rows = thinned(len(added), _MOST_DOTS)
    shades: Any = color(0)
    if codes is not None:
        looks = class_styles(len(classes))
        shades = [looks[i].color for i in codes[rows].tolist()]
    ax.axvline(0, color=GRAY, linewidth=0.9, zorder=0)
    for line, j in enumerate(order):
        ax.axhline(line, color="#E6E6E6", linewidth=0.8, zorder=0)
        ax.scatter(added[rows, j], line + 0.6 * scattered(len(rows)), s=11, c=shades, alpha=0.7, linewidths=0)
    name_rows(ax, [names[j] for j in order])
    ax.set_xlabel(name)
    more = f"the first {most} of {len(names)} columns" if len(names) > most else ""
    ax.set_title(", ".join(filter(None, [title, more])))
    if codes is not None:
        class_legend(ax, classes, shown=np.unique(codes).tolist())
    return ax
