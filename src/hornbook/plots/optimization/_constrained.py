"""An extremum under a constraint: level curves, the constraint, and the gradients of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.optimize import NumericDerivatives
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._legend import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["constrained"]

STEPS = 61
ARROWS = 9  # of a field, in each direction
LEVELS = 9


def constrained(
    function: Any,
    constraint: Any,
    optimum: ArrayLike,
    x: tuple[float, float],
    y: tuple[float, float],
    ax: Axes | None = None,
    *,
    field: bool = False,
    title: str = "",
) -> Axes:
    """Draw the level curves of a function, the curve of a constraint, and the gradients at the optimum.

    There the gradient of the function is a multiple of the gradient of the constraint: the multiplier.

    Parameters
    ----------
    function, constraint : callable
        f and C: give a number for a point of two coordinates; the constraint is satisfied where it is 0.
    optimum : array-like of shape (2,)
        The optimum, as `hornbook.optimize.stationary_point` computes it.
    x, y : tuple of float
        Lower and upper end of each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    field : bool, default False
        Draw the gradient of the function as a field of small arrows too.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = constrained(lambda v: v @ v, lambda v: v.sum() - 1, [0.5, 0.5], (-1, 2), (-1, 2))
    >>> ax.texts[-1].get_text()
    '(0.5, 0.5)'
    """
    place = np.asarray(optimum, dtype=np.float64)
    if place.shape != (2,) or not np.isfinite(place).all():
        raise ValueError(f"constrained: 'optimum' must be two finite numbers; got {place.tolist()!r}.")
    ax = axes(ax, size=(5.6, 4.4))
    across, up = np.linspace(*x, STEPS), np.linspace(*y, STEPS)
    ax.contour(across, up, _heights(function, across, up), LEVELS, colors=GRAY, linewidths=0.8)
    ax.contour(across, up, _heights(constraint, across, up), [0.0], colors=color(0), linewidths=2.2)
    if field:
        _field(ax, function, x, y)
    lengths = 0.22 * min(x[1] - x[0], y[1] - y[0])
    shown = [
        ("gradient of f", function, color(3), 1.0),
        ("gradient of C", constraint, color(2), 0.6),
    ]
    arrows = []
    for _, values, shade, share in shown:
        slope = _gradient(values, place)
        # Only directions are compared: the second arrow is the shorter one, so that both can be seen.
        way = slope * share * lengths / (float(np.linalg.norm(slope)) or 1.0)
        arrows.append(
            ax.quiver(
                *place, *way, color=shade, angles="xy", scale_units="xy", scale=1, width=0.012, zorder=4
            )
        )
    ax.plot(*place, "o", color="black", markersize=6, zorder=5)
    ax.annotate(
        f"({place[0]:.3g}, {place[1]:.3g})",
        place.tolist(),
        textcoords="offset points",
        xytext=(-8, -14),
        ha="right",
    )
    ax.set(xlim=x, ylim=y, xlabel="x", ylabel="y", title=title)
    ax.set_aspect("equal")
    legend(ax, arrows, [name for name, *_ in shown])
    return ax


def _heights(values: Any, across: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[float(values(np.array([a, b]))) for a in across] for b in up])


def _gradient(values: Any, place: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(NumericDerivatives(values).second(place)[1], dtype=np.float64)


def _field(ax: Axes, function: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Draw gradients as arrows whose lengths are in proportion."""
    grid = [np.linspace(*ends, ARROWS + 2)[1:-1] for ends in (x, y)]
    places = np.array([[a, b] for b in grid[1] for a in grid[0]])
    slopes = np.array([_gradient(function, place) for place in places])
    ax.quiver(*places.T, *slopes.T, color=GRAY, alpha=0.7, width=0.004, zorder=2)
