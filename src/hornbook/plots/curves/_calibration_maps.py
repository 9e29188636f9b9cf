"""Maps from scores to probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.curves._curve_lines import curve_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["calibration_maps"]


def calibration_maps(
    maps: Mapping[str, Sequence[tuple[ArrayLike, ArrayLike]]], ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw which probability each score becomes, for one class or several.

    Parameters
    ----------
    maps : mapping
        By the name of a class, pairs of scores and their probabilities: one for each model.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = calibration_maps({"spam": [([-2.0, 0.0, 2.0], [0.1, 0.5, 0.9])]})
    >>> ax.get_ylabel()
    'probability'
    """
    ax = axes(ax)
    lines: list[Line2D] = []
    for i, (name, curves) in enumerate(maps.items()):
        for number, (scores, values) in enumerate(curves):
            drawn = ax.plot(scores, values, color=color(i), linewidth=1.2, label=name)
            lines += drawn if number == 0 else []
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("score")
    ax.set_ylabel("probability")
    ax.set_title(title)
    if lines:
        curve_legend(ax, lines)
    return ax
