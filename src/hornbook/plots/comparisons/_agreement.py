"""Predicted against true numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._cloud import cloud, number_pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["agreement"]


def agreement(y_true: ArrayLike, y_pred: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw true numbers against predicted ones; on the dashed line both are the same.

    More than 2,000 rows are drawn as a density.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true numbers.
    y_pred : array-like of shape (n,)
        The predicted numbers; rows without one are left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = agreement([1.0, 2.0, 4.0], [1.5, 2.0, 3.0])
    >>> ax.lines[1].get_ydata().tolist()
    [1.0, 2.0, 4.0]
    """
    truth, predicted = number_pairs("agreement", y_true, y_pred)
    ax = axes(ax)
    # The diagonal only as far as both ranges reach, so that it does not stretch the plot.
    ends = [float(max(truth.min(), predicted.min())), float(min(truth.max(), predicted.max()))]
    ax.plot(ends, ends, color=GRAY, linestyle="--", linewidth=1, zorder=3)
    cloud(ax, predicted, truth)
    ax.set_xlabel("prediction")
    ax.set_ylabel("truth")
    return ax
