"""All thresholds of a column that a stump may choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import placed_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["thresholds"]


def thresholds(
    X: Any,
    y: ArrayLike,
    column: int,
    ax: Axes | None = None,
    *,
    chosen: float | None = None,
    errors: ArrayLike | None = None,
    title: str = "",
) -> Axes:
    """Draw points and a line at every midpoint between consecutive values of a column.

    Parameters
    ----------
    X : table with two numeric columns
        The points.
    y : array-like of shape (n,)
        Their classes.
    column : int
        The column that is cut, 0 or 1.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    chosen : float, optional
        The threshold that is chosen, drawn bold.
    errors : array-like of shape (n_thresholds,), optional
        The error of the best stump at each threshold from the least on, written at the end of its line.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = thresholds([[0.0, 1.0], [2.0, 0.0], [6.0, 1.0]], ["a", "b", "b"], 0, chosen=1.0)
    >>> [float(line.get_xdata()[0]) for line in ax.lines]
    [1.0, 4.0]
    """
    rows = placed_rows("thresholds", X, y, 2, "class")
    if column not in (0, 1):
        raise ValueError(f"thresholds: 'column' must be 0 or 1; got {column!r}.")
    values = np.unique(rows.points[:, column])
    cuts = (values[:-1] + values[1:]) / 2
    texts = [] if errors is None else [f"{error:.3g}" for error in np.asarray(errors, dtype=np.float64)]
    if texts and len(texts) != len(cuts):
        raise ValueError(
            f"thresholds: 'errors' must have a number for each of the {len(cuts)} thresholds; got "
            f"{len(texts)}."
        )
    ax = axes(ax, size=(4.6, 4.0))
    for i, cut in enumerate(cuts.tolist()):
        bold = chosen is not None and np.isclose(cut, chosen)
        style: dict[str, Any] = {"color": color(5), "linewidth": 3.0 if bold else 1.0, "zorder": 1}
        line = ax.axvline if column == 0 else ax.axhline
        line(cut, **style)
        if texts:
            _at_the_end(ax, texts[i], cut, column)
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title, pad=16 if texts and column == 0 else None)
    class_points(ax, rows.points, rows.y, class_order(rows.y), s=42, alpha=1.0, zorder=3)
    return ax


def _at_the_end(ax: Axes, words: str, cut: float, column: int) -> None:
    """Write above a vertical line, or to the right of a horizontal one."""
    # In units of the column along it, and of the Axes across it.
    if column == 0:
        ax.text(cut, 1.01, words, transform=ax.get_xaxis_transform(), fontsize=8, ha="center", va="bottom")
    else:
        ax.text(1.01, cut, words, transform=ax.get_yaxis_transform(), fontsize=8, ha="left", va="center")
