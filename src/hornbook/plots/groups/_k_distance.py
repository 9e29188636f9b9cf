"""Distances to the k-th nearest row, sorted: where they begin to rise steeply, noise begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.distances import Metric, nearest
from hornbook.frame import as_frame
from hornbook.params import Floats
from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bend", "k_distance"]


def k_distance(
    X: Any,
    min_samples: int = 5,
    ax: Axes | None = None,
    *,
    metric: Metric = "euclidean",
    p: float = 2.0,
    n_jobs: int | None = None,
) -> Axes:
    """Draw how far away the row is that makes each neighborhood dense, which helps to choose ``eps``.

    With ``eps`` at some height, the rows to the right of where the curve crosses it are the core rows of
    `hornbook.DBSCAN`. Rows are sorted by falling distance; noise rises steeply on the left. The dashed line
    is at the bend, the point of the curve that is farthest below the line from its first to its last point.

    Parameters
    ----------
    X : table of shape (n, n_columns)
        The rows.
    min_samples : int, default 5
        Rows that make a neighborhood dense, the row itself included: the distance is that of the nearest
        row, itself included, with this number.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    metric : str, Distance or callable, default "euclidean"
        As in `hornbook.distances.pairwise`.
    p : float, default 2.0
        The power of "minkowski".
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    Axes
        The Axes drawn on; the label of the dashed line has its height.

    Examples
    --------
    >>> ax = k_distance([[0.0], [0.1], [0.2], [0.3], [5.0]], min_samples=2)
    >>> ax.lines[1].get_label()
    'bend: eps = 0.1'
    """
    features = as_frame(X).features
    if isinstance(min_samples, bool) or not 1 <= min_samples <= len(features):
        raise ValueError(
            f"k_distance: 'min_samples' must be from 1 to the {len(features)} rows of X; got {min_samples!r}."
        )
    far = nearest(features, features, min_samples, metric, p=p, n_jobs=n_jobs)[0][:, -1]
    # The sorted k-distance graph of Ester, Kriegel, Sander and Xu (1996).
    heights = np.sort(far[np.isfinite(far)])[::-1]
    ax = axes(ax)
    ax.plot(np.arange(1, len(heights) + 1), heights, color=color(0), linewidth=1.6, label="distance")
    if len(heights):
        eps = float(heights[bend(heights)])
        ax.axhline(eps, color=GRAY, linestyle="dashed", linewidth=1.0, label=f"bend: eps = {eps:.4g}")
        ax.set_title(f"bend: eps = {eps:.4g}", loc="right", fontsize=9)
    ax.set_xlabel("rows, the farthest first")
    ax.set_ylabel(f"distance to row {min_samples} of the neighborhood")
    return ax


def bend(heights: Floats) -> int:
    """Return the position of the point farthest below the line from the first to the last."""
    across = np.linspace(0.0, 1.0, len(heights))
    span = heights[0] - heights[-1]
    # Largest vertical gap between chord and curve: the elbow of Satopaa et al. (2011), without
    # smoothing.
    return int(((1.0 - across) * span - (heights - heights[-1])).argmax())
