"""Why several models can be better than one: three sketches of a space of models (Dietterich 2000)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["combining"]

_TURN = np.linspace(0.0, 2.0 * np.pi, 200)
_ROUND = np.column_stack([1.5 * np.cos(_TURN), np.sin(_TURN)])
_BOW = np.linspace(0.15 * np.pi, 0.85 * np.pi, 100)
_BENT = np.concatenate(
    [
        np.column_stack([radius * 1.5 * np.cos(way), radius * np.sin(way) * 1.7 - 0.9])
        for radius, way in ((1.1, _BOW), (0.75, _BOW[::-1]))
    ]
)
# The models found, and the best one, f.
_SKETCHES: dict[str, tuple[list[tuple[float, float]], tuple[float, float]]] = {
    "statistical": ([(-0.15, 0.45), (0.75, 0.3), (0.6, -0.4), (-0.1, -0.3)], (0.08, 0.14)),
    "computational": ([(-0.5, 0.35), (0.7, 0.45), (0.15, -0.6)], (0.3, 0.22)),
    "representational": ([(-1.0, 0.2), (0.0, 0.63), (1.0, 0.2)], (0.25, 0.1)),
}


def combining(
    reason: Literal["statistical", "computational", "representational"], ax: Axes | None = None
) -> Axes:
    """Sketch one of three reasons to combine models: their mean lies closer to the best than each of them.

    Parameters
    ----------
    reason : {"statistical", "computational", "representational"}
        Few rows leave several models that are equally good on them (the inner region); searches end in
        different places; or the best model lies outside the space that is searched, but not their mean.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = combining("statistical")
    >>> [text.get_text() for text in ax.texts]
    ['m1', 'm2', 'm3', 'm4', 'f', 'mean']
    """
    if reason not in _SKETCHES:
        raise ValueError(f"combining: 'reason' must be one of {', '.join(_SKETCHES)}; got {reason!r}.")
    places, best = _SKETCHES[reason]
    models = np.array(places)
    ax = axes(ax, size=(4.4, 3.2))
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.fill(*(_BENT if reason == "representational" else _ROUND).T, color="#E6E6E6", label="space of models")
    if reason == "statistical":
        inner = 0.55 * _ROUND + [0.25, 0.0]
        ax.fill(*inner.T, color=color(5), alpha=0.4, label="equally good on the rows")
    if reason == "computational":
        for place in models:
            _search(ax, place)
    ax.scatter(*models.T, color=color(0), zorder=3, label="models found")
    ax.scatter(*best, color=color(3), marker="*", s=120, zorder=3, label="best model")
    mean = models.mean(axis=0)
    ax.scatter(*mean, facecolor="white", edgecolor=color(0), zorder=3, label="their mean")
    for k, place in enumerate(places):
        ax.annotate(f"m{k + 1}", place, textcoords="offset points", xytext=(5, 3))
    ax.annotate("f", best, textcoords="offset points", xytext=(6, 4))
    ax.annotate("mean", tuple(mean), textcoords="offset points", xytext=(-14, -13))
    ax.set_title(f"{reason} reason", fontsize=10)
    return ax


def _search(ax: Axes, end: NDArray[np.float64]) -> None:
    """Draw the dashed path of a search from the edge of the space to where it ended."""
    # Ellipse with half axes 1.5 and 1: hypot(x / 1.5, y) is the share of the way to its edge.
    start = 1.25 * end / np.hypot(end[0] / 1.5, end[1]) * 0.76
    steps = np.linspace(0.0, 1.0, 30)[:, None]
    bend = 0.12 * np.sin(2.0 * np.pi * steps) * np.array([[-(end - start)[1], (end - start)[0]]])
    ax.plot(*(start + steps * (end - start) + bend).T, color=GRAY, linestyle="--", linewidth=1)
