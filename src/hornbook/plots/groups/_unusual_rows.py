"""The most unusual rows of a table, with their ranges over resamples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["unusual_rows"]

_ROW = 0.26  # inches


def unusual_rows(
    scores: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    names: Sequence[object],
    ax: Axes | None = None,
    *,
    filled: ArrayLike | None = None,
    threshold: float | None = None,
) -> Axes:
    """Draw how unusual rows are: a dot for each, with its range over resamples.

    Parameters
    ----------
    scores : array-like of shape (n,)
        How unusual each row is, between 0 and 1; the first is drawn at the top.
    low, high : array-like of shape (n,)
        The ranges.
    names : sequence of length n
        The rows.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    filled : array-like of bool of shape (n,), optional
        Which dots are filled; all when left out.
    threshold : float, optional
        From where on rows are called unusual.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = unusual_rows([0.99, 0.9], [0.97, 0.6], [1.0, 0.98], ["row 7", "row 3"], threshold=0.95)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['row 7', 'row 3']
    """
    values, lower, upper = (np.asarray(part, dtype=np.float64) for part in (scores, low, high))
    if not values.shape == lower.shape == upper.shape == (len(names),):
        raise ValueError(
            "unusual_rows: 'scores', 'low' and 'high' must have one number for each of the "
            f"{len(names)} names; got shapes {values.shape}, {lower.shape} and {upper.shape}."
        )
    sure = np.ones(len(values), dtype=np.bool_) if filled is None else np.asarray(filled, dtype=np.bool_)
    ax = axes(ax, (6.0, 2.4))
    places = np.arange(len(values))
    ax.hlines(places, lower, upper, color=color(0), linewidth=2.5, alpha=0.55)
    for some, face in ((sure, color(0)), (~sure, "none")):
        ax.plot(values[some], places[some], "o", color=color(0), markerfacecolor=face, zorder=3)
    if threshold is not None:
        ax.axvline(threshold, color=GRAY, linestyle=":", linewidth=1)
    ax.set_yticks(places, [str(name) for name in names])
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.set_xlabel("share of rows that are less unusual")
    at_least(ax, 0.9 + _ROW * len(values))
    return ax
