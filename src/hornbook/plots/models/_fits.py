"""Curves through points: the fits of learners of one variable to the same data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._grid import grid_like, placed_rows, span
from hornbook.plots.canvas._legend import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["fits"]

STEPS = 400
_DASHES = ("-", "--", "-.", ":")


def fits(
    models: Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    truth: Callable[[Any], ArrayLike] | None = None,
    title: str = "",
) -> Axes:
    """Draw points and the curve of each fitted model of one variable, to see underfitting and overfitting.

    Parameters
    ----------
    models : mapping of str to fitted estimator
        The models, by the name in the legend.
    X : table with one numeric column
        The points.
    y : array-like of shape (n,)
        Their targets.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    truth : callable, optional
        The true function of an array of x values, drawn in gray.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0]], [0.1, 0.9, 2.1]
    >>> ax = fits({"line": LinearRegression().fit(X, y)}, X, y)
    >>> [line.get_label() for line in ax.lines]
    ['line']
    """
    rows = placed_rows("fits", X, y, 1, "number")
    column, targets = rows.points[:, 0], np.asarray(rows.y, dtype=np.float64)
    ax = axes(ax)
    ax.scatter(column, targets, s=24, facecolor="white", edgecolor="black", linewidth=0.9, zorder=3)
    x = span(column, STEPS)
    if truth is not None:
        ax.plot(x, np.asarray(truth(x)), color=GRAY, linewidth=3, alpha=0.6, label="truth")
    for i, (label, model) in enumerate(models.items()):
        predicted = np.asarray(model.predict(grid_like(X, x[:, None])))
        ax.plot(x, predicted, color=color(i), linestyle=_DASHES[i % len(_DASHES)], label=label)
    _stay_near(ax, targets)
    ax.set_xlabel(rows.names[0] or "x")
    ax.set_ylabel("y")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    if models or truth is not None:
        legend(ax, *ax.get_legend_handles_labels())
    return ax


def _stay_near(ax: Axes, targets: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    """Limit the axis, so that curves with large oscillations do not flatten everything else."""
    low, high = float(targets.min()), float(targets.max())
    # Half of the range of the targets beyond them on each side.
    room = 0.5 * (high - low) or 1.0
    bottom, top = ax.get_ylim()
    ax.set_ylim(max(bottom, low - room), min(top, high + room))
