"""Points in the plane by their cluster: core points, others, and noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import axes
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import GRAY, MOST_COLORS, class_styles, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["clusters"]

_WIDER = 0.03  # of the range of all points, that an outline is away from its cluster


def clusters(
    X: ArrayLike,
    labels: ArrayLike,
    core: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    classes: ArrayLike | None = None,
    outlines: bool = False,
    names: Sequence[str] = ("x1", "x2"),
) -> Axes:
    """Draw points colored by cluster: core points filled, others open, noise as gray crosses.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        The points.
    labels : array-like of int of shape (n,)
        Cluster of each point, -1 for noise, -2 for points not yet visited.
    core : array-like of bool of shape (n,), optional
        Which points are core points; all when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    classes : array-like of shape (n,), optional
        Classes of the points, shown by the marker; None for points without one.
    outlines : bool, default False
        Whether to draw a dashed line around each cluster.
    names : sequence of two str, default ("x1", "x2")
        Names of the axes.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = clusters([[0.0, 0.0], [0.1, 0.2], [3.0, 1.0]], [0, 0, -1], [True, False, False])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['cluster 0', 'core', 'not core', 'noise']
    """
    points, owner = np.asarray(X, dtype=np.float64), np.asarray(labels)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise ValueError(f"clusters: 'X' must be finite numbers of shape (n, 2); got shape {points.shape}.")
    if owner.shape != (len(points),) or (owner.size and owner.dtype.kind not in "iu"):
        raise ValueError(
            f"clusters: 'labels' must have one integer for each of the {len(points)} points; got shape "
            f"{owner.shape} of {owner.dtype}."
        )
    filled = np.ones(len(points), dtype=np.bool_) if core is None else np.asarray(core, dtype=np.bool_)
    # Object: classes may be missing for some points, which are then drawn as circles.
    kinds = np.full(len(points), None) if classes is None else np.asarray(classes, dtype=object)
    ax = axes(ax)
    n_clusters = int(owner.max(initial=-1)) + 1
    shapes = sorted({str(kind) for kind in kinds if kind is not None})
    for i in range(n_clusters if outlines else 0):
        _outline(ax, points[owner == i], np.ptp(points, axis=0))
    for i in [*range(n_clusters), -1, -2]:
        for shape in ["None", *shapes]:
            for full in (True, False):
                mine = (owner == i) & (filled == full) & (kinds.astype(str) == shape)
                if mine.any():
                    _scatter(ax, points[mine], i, n_clusters, full, shapes, shape)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    more = _more(owner, filled, core is not None) + [
        (_handle(marker(m), GRAY), name) for m, name in enumerate(shapes[:MOST_COLORS])
    ]
    class_legend(ax, [f"cluster {i}" for i in range(n_clusters)], "patch", more=more)
    return ax


def _scatter(
    ax: Axes, points: NDArray[Any], i: int, n_clusters: int, full: bool, shapes: list[str], shape: str
) -> None:
    across, up = points.T
    form = marker(shapes.index(shape)) if shape in shapes else "o"
    if i == -2:
        ax.scatter(across, up, s=9, marker=".", color=GRAY, linewidths=0)
        return
    if i == -1:
        ax.scatter(across, up, s=22, marker="x", color=GRAY, linewidths=1.0)
        return
    shade = class_styles(n_clusters)[i].color
    inside = shade if full else "none"
    ax.scatter(across, up, s=20, marker=form, facecolors=inside, edgecolors=shade, linewidths=0.9, alpha=0.8)


def _outline(ax: Axes, points: NDArray[Any], ranges: NDArray[Any]) -> None:
    """Draw the convex hull of a cluster, a little wider than its points."""
    from scipy.spatial import ConvexHull  # noqa: PLC0415  only this part of the picture needs it

    around = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = _WIDER * np.column_stack([np.cos(around), np.sin(around)]) * np.where(ranges > 0, ranges, 1.0)
    wide = (points[:, None] + circle).reshape(-1, 2)
    hull = wide[ConvexHull(wide).vertices]
    closed = np.vstack([hull, hull[:1]])
    ax.plot(closed[:, 0], closed[:, 1], color="#D55E00", linestyle="--", linewidth=1.2, zorder=1)


def _more(owner: NDArray[Any], filled: NDArray[np.bool_], cores: bool) -> list[tuple[Any, str]]:
    """Entries of the legend for the kinds of points that are there."""
    entries = []
    member = owner >= 0
    if cores and (member & filled).any():
        entries.append((_handle("o", GRAY), "core"))
    if cores and (member & ~filled).any():
        entries.append((_handle("o", GRAY, "none"), "not core"))
    if (owner == -1).any():
        entries.append((_handle("x", GRAY), "noise"))
    if (owner == -2).any():
        entries.append((_handle(".", GRAY), "not visited"))
    return entries


def _handle(form: str, shade: str, inside: str | None = None) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    face = shade if inside is None else inside
    return Line2D([], [], color=shade, marker=form, linestyle="none", markersize=6, markerfacecolor=face)
