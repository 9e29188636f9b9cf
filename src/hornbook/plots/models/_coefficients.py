"""Numbers of encoded columns, such as coefficients or means, grouped by the column they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color, figure_of, is_own, name_rows
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coefficients"]

_ROW = 0.24  # inches of an encoded column
_THINNEST = 0.17  # inches of it in a figure whose size is given


def coefficients(
    values: ArrayLike,
    names: Sequence[object],
    ax: Axes | None = None,
    *,
    groups: ArrayLike | None = None,
    classes: Sequence[object] = (),
    name: str = "coefficient",
    most: int = 40,
    title: str = "",
) -> Axes:
    """Draw one line for each encoded column: a bar, or a mark for each class; columns are separated.

    Parameters
    ----------
    values : array-like of shape (n_classes, n_encoded) or (n_encoded,)
        The numbers.
    names : sequence of length n_encoded
        The encoded columns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    groups : array-like of int of shape (n_encoded,), optional
        The column that each encoded column comes from; a thin line separates them.
    classes : sequence, default ()
        The classes of the rows of `values`, if there are several.
    name : str, default "coefficient"
        Name of the numbers.
    most : int, default 40
        How many encoded columns are drawn: the ones with the largest numbers, in their order; the title says
        how many there are.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = coefficients([2.0, -1.0, 0.5], ["size", "color=red", "color=blue"], groups=[0, 1, 1])
    >>> [float(bar.get_width()) for bar in ax.patches]
    [2.0, -1.0, 0.5]
    """
    numbers = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if numbers.shape[1] != len(names) or (len(numbers) > 1 and len(numbers) != len(classes)):
        raise ValueError(
            f"coefficients: 'values' must have a number for each of the {len(names)} names and a row for "
            f"each of the {len(classes)} classes; got shape {numbers.shape}."
        )
    ax = axes(ax, size=(5.4, 1.2))
    if not is_own(ax):
        most = min(most, max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST)))
    shown = np.sort(np.argsort(-np.abs(numbers).max(axis=0), kind="stable")[:most])
    at_least(ax, 1.2 + _ROW * len(shown))
    lines = np.arange(len(shown))
    ax.axvline(0, color=GRAY, linewidth=0.9, zorder=1)
    if len(numbers) == 1:
        drawn = ax.barh(lines, numbers[0, shown], height=0.62, color=color(0))
        ax.bar_label(drawn, fmt="{:.3g}", padding=3, fontsize=8)
        ax.margins(x=0.16)
    else:
        _marks(ax, numbers[:, shown], lines)
    if groups is not None:
        _separators(ax, np.asarray(groups)[shown])
    name_rows(ax, [names[j] for j in shown.tolist()])
    ax.set_xlabel(name)
    more = f"the {most} largest of {len(names)}" if len(names) > most else ""
    ax.set_title(", ".join(filter(None, [title, more])))
    if len(numbers) > 1:
        class_legend(ax, classes)
    return ax


def _marks(ax: Axes, numbers: NDArray[np.float64], lines: NDArray[np.intp]) -> None:
    for line in lines.tolist():
        ax.axhline(line, color="#E6E6E6", linewidth=0.8, zorder=0)
    for row, look in zip(numbers, class_styles(len(numbers)), strict=True):
        ax.scatter(row, lines, s=26, color=look.color, marker=look.marker, linewidths=0, zorder=2)


def _separators(ax: Axes, groups: NDArray[np.intp]) -> None:
    """Draw a line between the encoded columns of one column and those of the next, if some have several."""
    if len(np.unique(groups)) == len(groups):
        return
    for place in np.flatnonzero(np.diff(groups)).tolist():
        ax.axhline(place + 0.5, color=GRAY, linewidth=0.6, linestyle=":", zorder=0)
