"""The geometry of a line w·x + b = 0: its distance from the origin and from points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["hyperplane"]

_ROOM = 0.2  # around everything, of its range
_ON = 1e-9  # distance of a point that is on the line


def hyperplane(
    w: ArrayLike, b: float, points: Mapping[str, ArrayLike], ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw a line of the plane with its weight vector, the distance of the origin, and that of each point.

    The signed distance of x is r = (w·x + b) / ‖w‖; that of the origin is b / ‖w‖.

    Parameters
    ----------
    w : array-like of shape (2,)
        The weights.
    b : float
        The bias.
    points : mapping of str to array-like of shape (2,)
        Points by name; those on the line are only marked.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot; the equation of the line when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = hyperplane([5, 2], -20, {"p": [4, 0], "x": [6, 4]})
    >>> [text.get_text() for text in ax.texts]
    ['0', '3.71', '', 'w', 'p', 'x', 'r = 3.34']
    """
    weights = np.asarray(w, dtype=np.float64)
    if weights.shape != (2,) or not np.isfinite([*weights, b]).all() or not weights.any():
        raise ValueError(
            f"hyperplane: 'w' must be two numbers, not both 0, and 'b' a number; got "
            f"{weights.tolist()!r} and {b!r}."
        )
    places = {name: np.asarray(place, dtype=np.float64) for name, place in points.items()}
    for name, place in places.items():
        if place.shape != (2,) or not np.isfinite(place).all():
            raise ValueError(
                f"hyperplane: the point {name!r} must be two finite numbers; got {place.tolist()!r}."
            )
    ax = axes(ax)
    size = float(np.linalg.norm(weights))
    origin, unit = np.zeros(2), weights / size
    feet = {name: place - (place @ weights + b) / size * unit for name, place in places.items()}
    foot = -b / size * unit
    shown = np.array([origin, foot, *places.values(), *feet.values()])
    width = float(np.ptp(shown, axis=0).max()) or 1.0
    _line(ax, np.array([foot, *feet.values()]), unit, width)
    _mark(ax, "0", origin, (-10, -12))
    if abs(b) > _ON * size:
        _distance(ax, origin, foot, f"{abs(b) / size:.3g}")
    # Where nothing else is drawn: at the end of the line.
    start = np.array([foot, *feet.values()])[np.argmax(np.array([foot, *feet.values()])[:, 1])]
    tip = start + 0.28 * width * unit
    ax.annotate("", xy=(tip[0], tip[1]), xytext=(start[0], start[1]), arrowprops={"arrowstyle": "-|>"})
    ax.annotate("w", (tip[0], tip[1]), xytext=(4, 2), textcoords="offset points", weight="bold")
    for name, place in places.items():
        _mark(ax, name, place, (6, 5))
        r = float(place @ weights + b) / size
        if abs(r) > _ON * max(1.0, size):
            ax.plot(*feet[name][:, None], "o", color="white", markeredgecolor="black", markersize=5, zorder=4)
            _distance(ax, place, feet[name], f"r = {r:.3g}")
    shown = np.vstack([shown, tip])
    low, high = shown.min(axis=0), shown.max(axis=0)
    ax.set_xlim(low[0] - _ROOM * width, high[0] + _ROOM * width)
    ax.set_ylim(low[1] - _ROOM * width, high[1] + _ROOM * width)
    ax.set_aspect("equal")  # otherwise right angles would not look right
    ax.set_xlabel("x1")
    ax.set_ylabel("x2")
    ax.set_title(title or f"{weights[0]:.4g} x1 {_signed(weights[1])} x2 {_signed(b)} = 0")
    return ax


def _signed(number: float) -> str:
    return f"{'-' if number < 0 else '+'} {abs(number):.4g}"


def _line(ax: Axes, feet: NDArray[np.float64], unit: NDArray[np.float64], width: float) -> None:
    along = np.array([-unit[1], unit[0]])
    places = feet @ along
    ends = feet[0] + np.outer(
        [places.min() - 0.35 * width, places.max() + 0.35 * width] - feet[0] @ along, along
    )
    ax.plot(ends[:, 0], ends[:, 1], color="black", linewidth=1.6, zorder=2)


def _mark(ax: Axes, name: str, place: NDArray[Any], shift: tuple[float, float]) -> None:
    ax.plot(*place[:, None], "o", color="black", markersize=5, zorder=4)
    ax.annotate(name, (float(place[0]), float(place[1])), xytext=shift, textcoords="offset points")


def _distance(ax: Axes, start: NDArray[Any], stop: NDArray[Any], words: str) -> None:
    ax.plot(*zip(start, stop, strict=True), color=color(3), linestyle="--", linewidth=1.1, zorder=1)
    middle = (start + stop) / 2
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.8}
    ax.text(middle[0], middle[1], words, color=color(3), fontsize=9, ha="center", va="center", bbox=box)
