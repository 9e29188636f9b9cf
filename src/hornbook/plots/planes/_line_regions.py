"""The regions that lines cut the plane into, each with its code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import distance_transform_edt

from hornbook.plots.canvas._canvas import axes, color
from hornbook.plots.canvas._legend import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["line_regions"]

STEPS = 241


def line_regions(
    weights: ArrayLike,
    thresholds: ArrayLike,
    x: tuple[float, float],
    y: tuple[float, float],
    ax: Axes | None = None,
    *,
    shaded: Collection[str] = (),
    points: Mapping[str, ArrayLike] | None = None,
    names: Sequence[str] = (),
    codes: bool = True,
    title: str = "",
) -> Axes:
    """Draw the lines w·x = t, the code of every region between them, and some regions in color.

    Position i of a code is 1 on the positive side of line i, where w·x > t, and 0 on the other. Threshold
    units with these weights output the code: it is the vertex of a cube that the region is mapped on.

    Parameters
    ----------
    weights : array-like of shape (n_lines, 2)
        w of each line.
    thresholds : array-like of shape (n_lines,)
        t of each line.
    x, y : tuple of float
        Lower and upper end of each axis.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    shaded : collection of str, default ()
        Codes of regions that are filled, such as those of a class.
    points : mapping of str to array-like of shape (n, 2), optional
        Points by the name of their class.
    names : sequence of str, default ()
        Names of the lines; g1, g2, ... when left out.
    codes : bool, default True
        Whether to write the codes.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = line_regions([[1, 1], [1, 1]], [0.5, 1.5], (-0.5, 1.5), (-0.5, 1.5), shaded=["10"])
    >>> sorted(text.get_text() for text in ax.texts)
    ['00', '10', '11', 'g1', 'g2']
    """
    slopes, levels = np.asarray(weights, dtype=np.float64), np.asarray(thresholds, dtype=np.float64)
    if slopes.ndim != 2 or slopes.shape != (len(levels), 2) or not slopes.any(axis=1).all():
        raise ValueError(
            "line_regions: 'weights' must be two numbers for each of the 'thresholds', not both 0; got "
            f"shapes {slopes.shape} and {levels.shape}."
        )
    ax = axes(ax, size=(5.0, 4.4))
    across, up = np.linspace(*x, STEPS), np.linspace(*y, STEPS)
    grid = np.stack(np.meshgrid(across, up), axis=-1)
    sides = grid @ slopes.T > levels
    for region, inside in _regions(sides).items():
        if region in shaded:
            ax.contourf(across, up, inside.astype(float), levels=[0.5, 1.5], colors=[color(5)], alpha=0.35)
        if codes:
            ax.text(*_middle(inside, across, up), region, ha="center", va="center", fontsize=10)
    for i, (w, t) in enumerate(zip(slopes, levels, strict=True)):
        ends = _ends(w, float(t), x, y)
        if len(ends) == 2:
            ax.plot(*ends.T, color=color(0), linewidth=1.6)
            # On the line, near its upper end, where it is farthest from the names of the axes.
            upper, lower = sorted(ends.tolist(), key=lambda end: (-end[1], end[0]))
            across_at, up_at = 0.93 * np.array(upper) + 0.07 * np.array(lower)
            ax.text(
                float(across_at),
                float(up_at),
                names[i] if names else f"g{i + 1}",
                ha="center",
                va="center",
                color=color(0),
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            )
    _points(ax, points or {})
    ax.set(xlim=x, ylim=y, xlabel="x1", ylabel="x2", title=title)
    return ax


def _regions(sides: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """Return the codes that occur on the grid, and where."""
    values = sides @ (1 << np.arange(sides.shape[-1])[::-1])
    return {format(int(value), f"0{sides.shape[-1]}b"): values == value for value in np.unique(values)}


def _middle(
    inside: NDArray[np.bool_], across: NDArray[np.float64], up: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the point of a region that is farthest from all others, where a label has the most room."""
    # A border of False: the edge of the picture counts as the end of the region.
    room = distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1]
    row, column = np.unravel_index(int(np.argmax(room)), room.shape)
    return float(across[column]), float(up[row])


def _ends(
    w: NDArray[np.float64], t: float, x: tuple[float, float], y: tuple[float, float]
) -> NDArray[np.float64]:
    """Return where a line enters and leaves the rectangle, from left to right."""
    crossings = [(a, (t - w[0] * a) / w[1]) for a in x if w[1]] + [
        ((t - w[1] * b) / w[0], b) for b in y if w[0]
    ]
    inside = {(round(a, 9), round(b, 9)) for a, b in crossings if x[0] <= a <= x[1] and y[0] <= b <= y[1]}
    ends = sorted(inside)
    return np.array([ends[0], ends[-1]]) if len(ends) > 1 else np.zeros((0, 2))


def _points(ax: Axes, points: Mapping[str, ArrayLike]) -> None:
    shown: list[Any] = []
    for i, (name, places) in enumerate(points.items()):
        rows = np.asarray(places, dtype=np.float64).reshape(-1, 2)
        look = ("o", color(3)) if i == 0 else ("s", "black")
        shown += ax.plot(*rows.T, look[0], color=look[1], markersize=8, label=name, zorder=4)
    if shown:
        legend(ax, shown, list(points))
