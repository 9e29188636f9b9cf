"""Points in the colors of the clusters to which they belong by degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params import Floats
from hornbook.plots.canvas._canvas import axes
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["memberships"]

NOTHING = (0.88, 0.88, 0.88)  # color of a point that belongs to no cluster


def memberships(
    X: ArrayLike,
    degrees: ArrayLike,
    centers: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    classes: ArrayLike | None = None,
    names: Sequence[str] = ("x1", "x2"),
) -> Axes:
    """Draw points whose color is the mix of the colors of their clusters.

    What a point lacks to full membership is light gray, so that noise is pale.

    Parameters
    ----------
    X : array-like of shape (n, 2)
        Points.
    degrees : array-like of shape (n, n_clusters)
        Memberships from 0 to 1.
    centers : array-like of shape (n_clusters, 2), optional
        Centers of the clusters, drawn as crosses.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    classes : array-like of shape (n,), optional
        Classes of the points, shown by the marker.
    names : sequence of two str, default ("x1", "x2")
        Names of the axes.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = memberships([[0, 0], [1, 0], [2, 0]], [[1, 0], [0.5, 0.5], [0, 1]], [[0, 0], [2, 0]])
    >>> ax.collections[0].get_facecolor()[:, 0].round(2).tolist()
    [0.0, 0.45, 0.9]
    """
    points, shares = np.asarray(X, dtype=np.float64), np.asarray(degrees, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise ValueError(
            f"memberships: 'X' must be finite numbers of shape (n, 2); got shape {points.shape}, so choose "
            "two columns without missing cells."
        )
    if shares.ndim != 2 or len(shares) != len(points) or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(
            f"memberships: 'degrees' must be numbers from 0 to 1, one row for each of the {len(points)} "
            f"points and one column for each cluster; got shape {shares.shape}."
        )
    ax = axes(ax)
    looks = class_styles(shares.shape[1])
    colors = _mixed(shares, [look.color for look in looks])
    kinds = np.zeros(len(points)) if classes is None else np.asarray(classes)
    if kinds.shape != (len(points),):
        raise ValueError(
            f"memberships: 'classes' must have one entry for each of the {len(points)} points; "
            f"got shape {kinds.shape}."
        )
    for m, kind in enumerate(np.unique(kinds).tolist()):
        chosen = kinds == kind
        across, up = points[chosen].T
        ax.scatter(across, up, s=26, marker=marker(m), c=colors[chosen], linewidths=0)
    for place, look in zip([] if centers is None else _places(centers, len(looks)), looks, strict=False):
        cross: dict[str, Any] = {"linestyle": "none", "marker": "+"}
        # A black cross below a colored one: an outline that shows on any background.
        ax.plot(*place[:, None], **cross, markersize=13, markeredgewidth=2.6, color="black", zorder=4)
        ax.plot(*place[:, None], **cross, markersize=12, color=look.color, zorder=5)
    ax.set_xlabel(names[0])
    ax.set_ylabel(names[1])
    class_legend(ax, [f"cluster {i}" for i in range(len(looks))], "patch")
    return ax


def _mixed(shares: Floats, colors: Sequence[str]) -> Floats:
    from matplotlib.colors import to_rgb  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    total = shares.sum(axis=1, keepdims=True)
    # Possibilistic degrees may sum to more than 1; what lacks to 1 is the color of nothing.
    parts = np.hstack([shares / np.maximum(total, 1.0), np.maximum(1.0 - total, 0.0)])
    return np.asarray(np.clip(parts @ np.array([*map(to_rgb, colors), NOTHING]), 0.0, 1.0))


def _places(centers: ArrayLike, count: int) -> Floats:
    places = np.asarray(centers, dtype=np.float64)
    if places.shape != (count, 2):
        raise ValueError(
            f"memberships: 'centers' must have shape ({count}, 2), one row for each column of 'degrees'; "
            f"got shape {places.shape}."
        )
    return places
