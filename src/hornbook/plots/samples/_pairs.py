"""Pairs of numbers as points, with a coefficient of how they go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes
from hornbook.plots.canvas._cloud import cloud, number_pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["pairs"]


def pairs(
    x: ArrayLike,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    coefficients: Mapping[str, float] | None = None,
    names: tuple[str, str] = ("x", "y"),
    title: str = "",
) -> Axes:
    """Draw pairs of numbers as points, with coefficients of their dependence above them.

    Parameters
    ----------
    x, y : array-like of shape (n,)
        The numbers; pairs that lack one are left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    coefficients : mapping of str to float, optional
        Coefficients by name, such as r.
    names : tuple of str, default ("x", "y")
        Names of the axes.
    title : str, default ""
        Title of the plot, in front of the coefficients.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = pairs([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], coefficients={"r": 0.5}, title="observed")
    >>> ax.get_title()
    'observed: r = 0.5'
    """
    across, up = number_pairs("pairs", x, y)
    ax = axes(ax, size=(4.2, 3.6))
    cloud(ax, across, up)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    texts = ", ".join(f"{name} = {value:.3g}" for name, value in (coefficients or {}).items())
    ax.set_title(": ".join(part for part in (title, texts) if part), fontsize=10)
    return ax
