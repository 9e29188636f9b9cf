"""A pendulum: a point on a circle has one coordinate, the angle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["pendulum"]


def pendulum(angle: float = 0.6, r: float = 1.0, ax: Axes | None = None) -> Axes:
    """Draw a rod that swings around the origin: x and y are bound to r, and the angle is free.

    The constraint x² + y² = r² disappears with the angle φ as the only coordinate: x = r sin φ,
    y = -r cos φ, measured from the vertical line downward.

    Parameters
    ----------
    angle : float, default 0.6
        φ in radians, positive to the right; between -π/2 and π/2 and not 0.
    r : float, default 1.0
        Length of the rod.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = pendulum(math.pi / 6, 2.0)
    >>> ax.lines[-1].get_xydata().round(3).tolist()  # the weight
    [[1.0, -1.732]]
    """
    if not 0 < abs(angle) < math.pi / 2 or not 0 < r < math.inf:
        raise ValueError(
            "pendulum: 'angle' must be between -π/2 and π/2 and not 0, and 'r' positive; got "
            f"{angle!r} and {r!r}."
        )
    x, y = r * math.sin(angle), -r * math.cos(angle)
    ax = axes(ax, size=(4.2, 4.2))
    ax.axhline(0.0, color=GRAY, linewidth=0.8)
    ax.axvline(0.0, color=GRAY, linewidth=0.8)
    arc = np.linspace(-math.pi / 2, math.pi / 2, 181)
    ax.plot(r * np.sin(arc), -r * np.cos(arc), color=GRAY, linestyle="--", linewidth=1)
    part = np.linspace(0.0, angle, 41)
    ax.plot(0.35 * r * np.sin(part), -0.35 * r * np.cos(part), color=color(3), linewidth=1.4)
    ax.plot([x, x], [0.0, y], color=GRAY, linestyle=":", linewidth=1.2)
    ax.plot([0.0, x], [y, y], color=GRAY, linestyle=":", linewidth=1.2)
    ax.plot([0.0, x], [0.0, y], color="black", linewidth=2.4)
    for words, place, style in (
        ("x", (x / 2, y), {"va": "top"}),
        ("y", (x + math.copysign(0.05 * r, x), y / 2), {"ha": "left" if x > 0 else "right"}),
        ("r", (x / 2 + math.copysign(0.06 * r, x), y / 2), {"ha": "left" if x > 0 else "right"}),
        ("φ", (0.45 * r * math.sin(angle / 2), -0.45 * r * math.cos(angle / 2)), {"color": color(3)}),
    ):
        usual: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 12}
        ax.text(*place, words, **(usual | style))
    ax.plot([x], [y], "o", color=color(0), markersize=16)
    ax.set(xlim=(-1.15 * r, 1.15 * r), ylim=(-1.2 * r, 0.25 * r))
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax
