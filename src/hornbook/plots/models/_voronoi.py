"""Points, the centers they belong to, and the regions of the centers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats
from hornbook.plots.canvas._canvas import axes
from hornbook.plots.canvas._grid import span
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import GRAY, MOST_COLORS, class_styles, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["voronoi"]

STEPS = 200


def voronoi(
    centers: ArrayLike,
    X: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    classes: ArrayLike | None = None,
    center_classes: ArrayLike | None = None,
    names: Sequence[str] = ("x1", "x2"),
    regions: bool = True,
) -> Axes:
    """Draw centers in the plane, the points that belong to them, and the borders of their regions.

    The region of a center is the set of points nearer to it than to any other: a Voronoi tessellation.

    Parameters
    ----------
    centers : array-like of shape (n_centers, 2)
        The centers, drawn as crosses.
    X : array-like of shape (n, 2), optional
        Points.
    labels : array-like of shape (n,), optional
        The center of each point, by number; the nearest when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    classes : array-like of shape (n,), optional
        Classes of the points, shown by the marker.
    center_classes : array-like of shape (n_centers,), optional
        Classes of the centers; colors then show classes: of the centers, and of the points, which have the
        class of their center where ``classes`` is left out.
    names : sequence of two str, default ("x1", "x2")
        Names of the axes.
    regions : bool, default True
        Whether to draw the borders, dashed.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = voronoi([[0.0, 0.0], [2.0, 0.0]], [[0.1, 0.2], [1.8, 0.0]])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['cluster 0', 'cluster 1']
    """
    places, points = _plane("centers", centers), _plane("X", X if X is not None else np.empty((0, 2)))
    owner = _nearest(points, places) if labels is None else _one_each("labels", labels, points)
    kinds = np.zeros(len(points)) if classes is None else _one_each("classes", classes, points)
    ax = axes(ax)
    if center_classes is not None:
        owners = _one_each("center_classes", center_classes, places, "centers")
        labels_of_points = owners[owner.astype(np.intp)] if classes is None else kinds
        _draw_classes(ax, places, owners, points, labels_of_points)
        return _finished(ax, places, points, names, regions=regions)
    looks = class_styles(len(places))
    shapes = np.unique(kinds).tolist()
    for i in np.unique(owner).tolist():
        for m, kind in enumerate(shapes):
            across, up = points[(owner == i) & (kinds == kind)].T
            ax.scatter(across, up, s=20, marker=marker(m), color=looks[i].color, alpha=0.7, linewidths=0)
    _crosses(ax, places, [look.color for look in looks])
    _finished(ax, places, points, names, regions=regions)
    shown = [] if classes is None else shapes
    names_of_shapes = [(_shape(m), str(kind)) for m, kind in enumerate(shown[:MOST_COLORS])]
    class_legend(ax, [f"cluster {i}" for i in range(len(places))], "patch", more=names_of_shapes)
    return ax


def _draw_classes(
    ax: Axes, places: Floats, owners: NDArray[Any], points: Floats, kinds: NDArray[Any]
) -> None:
    """Draw points and centers in the colors of their classes."""
    codes = np.unique(np.concatenate([owners, kinds]), return_inverse=True)
    labels, looks = codes[0].tolist(), class_styles(len(codes[0]))
    of_centers, of_points = np.split(codes[1], [len(owners)])
    for i, look in enumerate(looks):
        across, up = points[of_points == i].T
        ax.scatter(across, up, s=20, marker=look.marker, color=look.color, alpha=0.7, linewidths=0)
    _crosses(ax, places, [looks[i].color for i in of_centers.tolist()])
    class_legend(ax, labels)


def _crosses(ax: Axes, places: Floats, colors: Sequence[str]) -> None:
    for (x, y), shade in zip(places.tolist(), colors, strict=True):
        cross: dict[str, Any] = {"linestyle": "none", "marker": "+"}
        ax.plot([x], [y], **cross, markersize=13, markeredgewidth=2.6, color="black", zorder=4)
        ax.plot([x], [y], **cross, markersize=12, color=shade, zorder=5)


def _finished(ax: Axes, places: Floats, points: Floats, names: Sequence[str], *, regions: bool) -> Axes:
    """Draw the borders and name the axes."""
    if regions and len(places) > 1:
        _borders(ax, places, np.concatenate([places, points]))
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    return ax


def _shape(i: int) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    return Line2D([], [], color=GRAY, marker=marker(i), linestyle="none", markersize=6)


def _plane(name: str, values: ArrayLike) -> Floats:
    points = np.asarray(values, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise ValueError(
            f"voronoi: '{name}' must be finite numbers of shape (n, 2); got shape {points.shape}, so choose "
            "two columns without missing cells."
        )
    return points


def _one_each(name: str, values: ArrayLike, points: Floats, what: str = "points") -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape != (len(points),):
        raise ValueError(
            f"voronoi: '{name}' must have one entry for each of the {len(points)} {what}; "
            f"got shape {array.shape}."
        )
    return array


def _squares(points: Floats, places: Floats) -> Floats:
    return np.asarray(np.square(points[:, None] - places).sum(axis=2))


def _nearest(points: Floats, places: Floats) -> NDArray[np.intp]:
    return np.asarray(_squares(points, places).argmin(axis=1))


def _borders(ax: Axes, places: Floats, shown: Floats) -> None:
    """Draw the border of each region but the last: where another center is equally near."""
    across, up = span(shown[:, 0], STEPS), span(shown[:, 1], STEPS)
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(across, up)])
    squares = _squares(grid, places)
    # Contours on a grid instead of polygons: the outer regions are unbounded and would have to be clipped.
    for i in range(len(places) - 1):
        lead = np.delete(squares, i, axis=1).min(axis=1) - squares[:, i]
        # A center whose region is outside the grid has no border to draw.
        if lead.min() < 0 < lead.max():
            lead = lead.reshape(STEPS, STEPS)
            ax.contour(across, up, lead, levels=[0.0], colors="#D55E00", linestyles="dashed", linewidths=1.2)
