"""Importance of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color, name_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["importance"]


def importance(
    values: ArrayLike,
    names: Sequence[object],
    spread: ArrayLike | None = None,
    *,
    most: int = 20,
    ax: Axes | None = None,
) -> Axes:
    """Draw one bar for each column, the longest first.

    Parameters
    ----------
    values : array-like of shape (n,)
        How much each column matters; negative for a harmful column.
    names : sequence of length n
        The columns.
    spread : array-like of shape (n,), optional
        Half length of the error bar at the end of each bar, for instance a standard deviation.
    most : int, default 20
        How many columns are drawn; the title says how many there are.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = importance([0.02, 0.31], ["age", "income"], spread=[0.01, 0.04])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['income', 'age']
    """
    lengths = np.asarray(values, dtype=np.float64)
    reach = None if spread is None else np.asarray(spread, dtype=np.float64)
    if lengths.shape != (len(names),) or not len(names) or not np.isfinite(lengths).all():
        raise ValueError(
            f"importance: 'values' must be one finite number for each of at least 1 'names'; "
            f"got an array of shape {lengths.shape} and {len(names)} names."
        )
    if reach is not None and reach.shape != lengths.shape:
        raise ValueError(
            f"importance: 'spread' must have one number for each of the {len(names)} names; "
            f"got an array of shape {reach.shape}."
        )
    order = np.argsort(-lengths, kind="stable")[:most]
    places = np.arange(len(order))
    ax = axes(ax, size=(5.0, 1.1))
    at_least(ax, 1.1 + 0.28 * len(order))
    ax.barh(places, lengths[order], height=0.62, color=color(0))
    if reach is not None:
        ax.errorbar(lengths[order], places, xerr=reach[order], fmt="none", ecolor=GRAY, elinewidth=1.4)
    ax.axvline(0, color=GRAY, linewidth=0.8)
    name_rows(ax, [names[i] for i in order.tolist()])
    if len(names) > most:
        ax.set_title(f"The first {most} of {len(names)} columns", loc="right", fontsize=9)
    return ax
