"""Mean and individual predictions against one column, or against two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import PartialDependence
from hornbook.plots.canvas._canvas import GRAY, axes, color, name_ticks
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["partial_dependence"]

_MOST_CURVES = 100
_CONTOURS = 8


def partial_dependence(
    effect: PartialDependence, ax: Axes | None = None, *, centered: bool = False, title: str = ""
) -> Axes:
    """Draw how predictions change with one column or two, all others being as they are.

    One column: the mean as a line, individual curves in gray. Two numbers: contours of the mean. A number and
    a category: a line for each level.

    Parameters
    ----------
    effect : PartialDependence
        As `hornbook.evaluation.partial_dependence` gives it.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    centered : bool, default False
        Whether individual curves, and the mean, start at 0, so that different shapes stand out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; of more than 100 individual curves, evenly chosen ones are drawn.

    Examples
    --------
    >>> from hornbook import LinearRegression, evaluation
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 5.0]]
    >>> model = LinearRegression().fit(X, [3.0, 6.0, 12.0])
    >>> ax = partial_dependence(evaluation.partial_dependence(model, X, 0, kind="both"))
    >>> ax.get_xlabel(), len(ax.lines)
    ('x0', 4)
    """
    if centered and len(effect.columns) > 1:
        raise ValueError("partial_dependence: 'centered' is for one column; got two.")
    ax = axes(ax)
    if len(effect.columns) == 1:
        _draw_curves(ax, effect, centered=centered)
    elif all(effect.numeric):
        _draw_contours(ax, effect)
    else:
        _draw_levels(ax, effect)
    ax.set_title(title)
    return ax


def _draw_curves(ax: Axes, effect: PartialDependence, *, centered: bool) -> None:
    x, marks = _place(ax, effect, 0)
    if effect.individual is not None:
        for curve in effect.individual[thinned(len(effect.individual), _MOST_CURVES)]:
            # Centered at the first value (Goldstein et al. 2015): curves of different level become
            # comparable.
            shown = curve - curve[0] if centered else curve
            ax.plot(x, shown, color=GRAY, linewidth=0.6, alpha=0.5, **marks)
    # The mean of the individual curves is the partial dependence (Friedman 2001).
    if effect.average is not None:
        shown = effect.average - effect.average[0] if centered else effect.average
        ax.plot(x, shown, color=color(0), linewidth=2.2, **marks)
    ax.set_ylabel(f"change of the {effect.meaning}" if centered else effect.meaning)


def _draw_contours(ax: Axes, effect: PartialDependence) -> None:
    mean = _mean(effect).T
    ax.contourf(*effect.grid, mean, levels=_CONTOURS, cmap="Blues", alpha=0.7)
    # A constant surface has no contour lines, and matplotlib would warn.
    if np.ptp(mean) > 0:
        lines = ax.contour(*effect.grid, mean, levels=_CONTOURS, colors="black", linewidths=0.6)
        ax.clabel(lines, fontsize=8, fmt="%.3g")
    ax.set_xlabel(effect.columns[0])
    ax.set_ylabel(effect.columns[1])
    ax.text(0.0, 1.01, effect.meaning, fontsize=9, transform=ax.transAxes)


def _draw_levels(ax: Axes, effect: PartialDependence) -> None:
    """Lines over the number, or over the first of two categories, one for each level of the other."""
    across = effect.numeric.index(True) if any(effect.numeric) else 0
    mean = _mean(effect) if across == 0 else _mean(effect).T
    x, marks = _place(ax, effect, across)
    levels = effect.grid[1 - across].tolist()
    for curve, look in zip(mean.T, class_styles(len(levels)), strict=True):
        ax.plot(x, curve, color=look.color, linewidth=1.8, **marks)
    ax.set_ylabel(effect.meaning)
    class_legend(ax, levels, "line", title=effect.columns[1 - across])


def _mean(effect: PartialDependence) -> NDArray[np.float64]:
    if effect.average is not None:
        return effect.average
    return np.asarray(np.mean(np.asarray(effect.individual), axis=0))


def _place(ax: Axes, effect: PartialDependence, i: int) -> tuple[NDArray[Any], dict[str, Any]]:
    """Where the values of a column are on the x axis, and how points are marked."""
    ax.set_xlabel(effect.columns[i])
    if effect.numeric[i]:
        return effect.grid[i], {}
    if name_ticks(ax, effect.grid[i].tolist()):
        ax.set_xlabel(effect.columns[i])
    return np.arange(len(effect.grid[i])), {"marker": "o", "markersize": 4}
