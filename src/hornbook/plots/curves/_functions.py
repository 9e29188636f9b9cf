"""Functions of one variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.curves._curve_lines import curve_legend, line_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["functions"]

STEPS = 601


def functions(
    curves: Mapping[str, Callable[[Any], ArrayLike]],
    reach: tuple[float, float],
    ax: Axes | None = None,
    *,
    names: tuple[str, str] = ("z", "value"),
    cross: bool = True,
    title: str = "",
) -> Axes:
    """Draw functions of one variable: activations, densities, or any others.

    Parameters
    ----------
    curves : mapping of str to callable
        The functions by name, each of an array of numbers.
    reach : tuple of two float
        Least and greatest number.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    names : tuple of two str, default ("z", "value")
        Names of the variable and of the value.
    cross : bool, default True
        Whether to draw both axes through 0, where they are in the plot.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; one function alone has its name as the title, if there is no other.

    Examples
    --------
    >>> from hornbook.losses import logistic
    >>> ax = functions({"logistic": logistic}, (-5.0, 5.0))
    >>> ax.get_title(), ax.lines[0].get_ydata()[300].tolist()
    ('logistic', 0.5)
    """
    low, high = reach
    if not curves or not low < high:
        raise ValueError(
            f"functions: there must be at least one function, and 'reach' must be ascending; got "
            f"{len(curves)} functions and {reach!r}."
        )
    ax = axes(ax)
    x = np.linspace(low, high, STEPS)
    lines: list[Line2D] = []
    for i, (name, function) in enumerate(curves.items()):
        heights = np.asarray(function(x), dtype=np.float64)
        if heights.shape != x.shape:
            raise ValueError(
                f"functions: {name!r} must give one number for each of the {STEPS} numbers it is given; "
                f"got shape {heights.shape}."
            )
        lines += ax.plot(x, heights, linewidth=1.8, label=name, **line_look(i))
    if cross:
        for line, ends in ((ax.axvline, reach), (ax.axhline, ax.get_ylim())):
            if ends[0] <= 0 <= ends[1]:
                line(0.0, color=GRAY, linewidth=0.8, zorder=1)
    ax.margins(x=0)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    ax.set_title(title or (next(iter(curves)) if len(curves) == 1 else ""))
    if len(curves) > 1:
        curve_legend(ax, lines)
    return ax
