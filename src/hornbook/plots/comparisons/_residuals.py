"""Errors of predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._cloud import cloud, number_pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["residuals"]


def residuals(y_true: ArrayLike, y_pred: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the residuals, truth minus prediction, against the prediction.

    A good model leaves a band of even width around zero. A curved band means that the model misses a
    nonlinearity, a funnel that its errors grow. More than 2,000 rows are drawn as a density.

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
    >>> ax = residuals([1.0, 2.0, 4.0], [1.5, 2.0, 3.0])
    >>> ax.lines[1].get_ydata().tolist()
    [-0.5, 0.0, 1.0]
    """
    truth, predicted = number_pairs("residuals", y_true, y_pred)
    ax = axes(ax)
    ax.axhline(0, color=GRAY, linestyle="--", linewidth=1)
    cloud(ax, predicted, truth - predicted)
    ax.set_xlabel("prediction")
    ax.set_ylabel("truth minus prediction")
    return ax
