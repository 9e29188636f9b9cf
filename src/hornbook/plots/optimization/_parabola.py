"""A function, its parabola at a point, and the apex where Newton's step leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.optimize import taylor
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._grid import span
from hornbook.plots.curves._curve_lines import curve_legend
from hornbook.plots.optimization._descent import POINTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["parabola"]


def parabola(
    function: Callable[[Any], ArrayLike],
    derivatives: Sequence[float],
    at: float,
    ax: Axes | None = None,
    *,
    reach: tuple[float, float] | None = None,
    name: str = "x",
    title: str = "",
) -> Axes:
    """Draw a function, its quadratic approximation at a point, and the apex of that parabola.

    The apex is where one step of Newton's method leads; of a parabola it is the extremum itself.

    Parameters
    ----------
    function : callable
        Gives the values for an array of places.
    derivatives : sequence of three float
        The value of the function, its slope and its curvature at the point; the curvature not 0.
    at : float
        The point.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    reach : tuple of float, optional
        The part of the axis that is shown; from the point to the apex and as far beyond when left out.
    name : str, default "x"
        Name of the variable.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> import math
    >>> ax = parabola(lambda x: (x - 1) ** 2, [1.0, -2.0, 2.0], 0.0)
    >>> ax.lines[3].get_xydata().tolist()  # the apex
    [[1.0, 0.0]]
    """
    value, slope, curvature = derivatives
    if not np.isfinite([value, slope, curvature, at]).all() or curvature == 0:
        raise ValueError(
            "parabola: 'derivatives' must be finite and the curvature not 0, or there is no apex; got "
            f"{list(derivatives)} at {at!r}."
        )
    apex = at - slope / curvature
    step = abs(apex - at) or 1.0
    ends = np.array([min(at, apex) - step, max(at, apex) + step])
    x = span(ends, POINTS) if reach is None else np.linspace(*reach, POINTS)
    ax = axes(ax)
    curve = ax.plot(x, np.asarray(function(x), dtype=np.float64), color=color(0), label=f"f({name})")
    near = [taylor(derivatives, place - at) for place in x.tolist()]
    curve += ax.plot(x, near, color=color(3), linestyle="--", label=f"to second order at {at:.3g}")
    low = taylor(derivatives, apex - at)
    ax.plot([at], [value], "o", color="black", markersize=6)
    ax.plot([apex], [low], "D", color=color(3), markersize=6)
    ax.annotate("start", (at, value), textcoords="offset points", xytext=(7, 3), fontsize=9)
    ax.annotate(f"apex {apex:.3g}", (apex, low), textcoords="offset points", xytext=(0, -16), fontsize=9)
    ax.axvline(apex, color=GRAY, linestyle=":", linewidth=1)
    ax.margins(y=0.12)
    ax.set_xlabel(name)
    ax.set_ylabel("value")
    ax.set_title(title)
    curve_legend(ax, curve)
    return ax
