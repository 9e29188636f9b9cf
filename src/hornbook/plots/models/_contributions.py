"""Contributions of the columns to a score, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.effects._dot_rows import dot_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["contributions"]


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
    looks = class_styles(len(classes))

    def shades(_: int, rows: NDArray[np.intp]) -> Any:
        return color(0) if codes is None else [looks[i].color for i in codes[rows].tolist()]

    more = dot_rows(ax, added, names, most, shades)
    ax.set_xlabel(name)
    ax.set_title(", ".join(filter(None, [title, more])))
    if codes is not None:
        class_legend(ax, classes, shown=np.unique(codes).tolist())
    return ax
