"""Axis-parallel regions of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._class_points import class_points
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Region", "partition"]

ROOM = 0.05  # fraction of the plot that a region needs in both directions for its name


@dataclass(frozen=True)
class Region:
    """A rectangle, unbounded where an end is infinite, and the prediction inside.

    Parameters
    ----------
    x, y : tuple of float
        Lower and upper end in each direction.
    answer : object
        A class, or a number.
    name : str, default ""
        Label inside the region.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    answer: Any
    name: str = ""


def partition(
    regions: Sequence[Region],
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    classes: Sequence[Any] | None = None,
    names: tuple[str, str] = ("x1", "x2"),
) -> Axes:
    """Draw the regions that a tree cuts the plane into, colored by their prediction.

    Parameters
    ----------
    regions : sequence of Region
        The regions.
    X : array-like of shape (n, 2), optional
        Points to draw; they also determine how much of the plane is shown.
    y : array-like of shape (n,), optional
        Their classes or numbers.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    classes : sequence, optional
        All classes; without them predictions and `y` are numbers, the larger the darker.
    names : tuple of str, default ("x1", "x2")
        Names of the axes.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> inf = float("inf")
    >>> left, right = Region((-inf, 1.0), (-inf, inf), "a", "R1"), Region((1.0, inf), (-inf, inf), "b", "R2")
    >>> ax = partition([left, right], [[0, 0], [2, 1]], ["a", "b"], classes=["a", "b"])
    >>> len(ax.patches), [text.get_text() for text in ax.texts]
    (2, ['R1', 'R2'])
    """
    if not regions:
        raise ValueError("partition: 'regions' must have at least one region.")
    points = None if X is None else np.asarray(X, dtype=np.float64)
    if points is not None and (points.ndim != 2 or points.shape[1] != 2):
        raise ValueError(f"partition: 'X' must have two columns; got shape {points.shape}.")
    labels = None if y is None or points is None else _checked(y, len(points), classes)
    ax = axes(ax)
    frame = _frame(regions, points)
    if classes is None:
        scale = _scale(ax, regions, labels)
        faces = [scale.to_rgba(float(region.answer)) for region in regions]
    else:
        looks = dict(zip(classes, class_styles(len(classes)), strict=True))
        faces = [_lighter(looks[region.answer].color) for region in regions]
    for region, face in zip(regions, faces, strict=True):
        _fill(ax, region, frame, face)
    if points is not None and labels is not None and classes is not None:
        class_points(ax, points, labels, classes, alpha=1.0, zorder=2)
    elif points is not None:
        shades = "black" if labels is None else scale.to_rgba(labels)
        ax.scatter(
            points[:, 0], points[:, 1], s=18, color=shades, edgecolors="black", linewidths=0.6, zorder=2
        )
    ax.set_xlim(*frame[0])
    ax.set_ylim(*frame[1])
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    if classes is not None and (points is None or labels is None):
        class_legend(ax, classes, "patch")
    return ax


def _frame(regions: Sequence[Region], points: Any) -> list[tuple[float, float]]:
    """Return the part of the plane that is shown: all points or all borders, and a margin."""
    shown = []
    for j, side in enumerate(("x", "y")):
        ends = np.array([end for region in regions for end in getattr(region, side)])
        values = ends[np.isfinite(ends)]
        if points is not None:
            values = np.concatenate([values, points[np.isfinite(points[:, j]), j]])
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        margin = 0.08 * (high - low) or 1.0
        shown.append((low - margin, high + margin))
    return shown


def _checked(y: ArrayLike, rows: int, classes: Sequence[Any] | None) -> Any:
    """Return the classes or numbers of the points, after checking that there is one for each point."""
    labels = np.asarray(y) if classes is not None else np.asarray(y, dtype=np.float64)
    if labels.shape != (rows,):
        raise ValueError(
            f"partition: 'y' must have one value for each of the {rows} points; got shape {labels.shape}."
        )
    other = [] if classes is None else [label for label in labels.tolist() if label not in classes]
    if other:
        raise ValueError(
            f"partition: 'y' holds {other[0]!r}, which is not among the classes {list(classes or ())}: draw "
            "only points of these classes, or leave 'y' out."
        )
    return labels


def _scale(ax: Axes, regions: Sequence[Region], y: Any) -> Any:
    """Return the colors of numbers, and draw their color bar."""
    from matplotlib import colormaps  # noqa: PLC0415  as above
    from matplotlib.cm import ScalarMappable  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it
    from matplotlib.colors import ListedColormap, Normalize  # noqa: PLC0415  as above

    numbers = np.array([float(region.answer) for region in regions])
    if y is not None:
        numbers = np.concatenate([numbers, y])
    # The lower 60 % of the color map.
    light = ListedColormap(colormaps["Blues"](np.linspace(0.0, 0.6, 256)))  # names can be read on all of it
    scale = ScalarMappable(Normalize(numbers.min(), numbers.max()), light)
    ax.figure.colorbar(scale, ax=ax)
    return scale


def _lighter(face: Any) -> tuple[float, float, float, float]:
    from matplotlib.colors import to_rgb  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    return (*to_rgb(face), 0.35)


def _fill(ax: Axes, region: Region, frame: list[tuple[float, float]], face: Any) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    low = [max(ends[0], shown[0]) for ends, shown in zip((region.x, region.y), frame, strict=True)]
    high = [min(ends[1], shown[1]) for ends, shown in zip((region.x, region.y), frame, strict=True)]
    size = high[0] - low[0], high[1] - low[1]
    ax.add_patch(Rectangle((low[0], low[1]), *size, facecolor=face, edgecolor=GRAY, linewidth=0.8, zorder=0))
    roomy = all(part >= ROOM * (end[1] - end[0]) for part, end in zip(size, frame, strict=True))
    if region.name and roomy:
        middle = low[0] + size[0] / 2, low[1] + size[1] / 2
        ax.text(*middle, region.name, color="#333333", ha="center", va="center", fontsize=9, zorder=1)
