"""Points at equal distances from a center."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.distances import Metric, pairwise
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._legend import class_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["distance_contours"]

STEPS = 201


def distance_contours(
    metrics: Mapping[str, Metric],
    ax: Axes | None = None,
    *,
    center: ArrayLike = (0.0, 0.0),
    levels: Sequence[float] = (1.0,),
    reach: float = 1.5,
    X: ArrayLike | None = None,
    title: str = "",
) -> Axes:
    """Draw the points at some distances from a center, for one distance or several.

    At the distance 1 they are the unit circles: a square on its corner for L1, a circle for L2, a square for
    the largest difference, an ellipse for the Mahalanobis distance.

    Parameters
    ----------
    metrics : mapping of str to metric
        The distances by the name in the legend: a name, a distance of `hornbook.distances`, or a function of
        two points.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    center : array-like of shape (2,), default (0, 0)
        The center.
    levels : sequence of float, default (1.0,)
        The distances.
    reach : float, default 1.5
        How far around the center is shown, in units of the axes.
    X : array-like of shape (n, 2), optional
        Points to draw as well.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = distance_contours({"L1": "manhattan", "L2": "euclidean"})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['L1', 'L2']
    """
    middle = np.asarray(center, dtype=np.float64)
    steps = np.asarray(levels, dtype=np.float64)
    if middle.shape != (2,) or not metrics or not reach > 0:
        raise ValueError(
            "distance_contours: there must be a distance, a center of two numbers and a positive 'reach'; "
            f"got {len(metrics)} distances, a center of shape {middle.shape} and {reach!r}."
        )
    if steps.ndim != 1 or not len(steps) or not (np.diff(steps) > 0).all() or not steps[0] > 0:
        raise ValueError(f"distance_contours: 'levels' must be positive and ascending; got {list(levels)}.")
    ax = axes(ax, size=(4.8, 4.4))
    if X is not None:
        points = np.asarray(X, dtype=np.float64)
        ax.scatter(points[:, 0], points[:, 1], s=14, color=GRAY, alpha=0.6, linewidths=0)
    across, up = np.linspace(-reach, reach, STEPS) + middle[0], np.linspace(-reach, reach, STEPS) + middle[1]
    grid = np.column_stack([side.ravel() for side in np.meshgrid(across, up)])
    for i, metric in enumerate(metrics.values()):
        lengths = np.asarray(pairwise(grid, middle[None], metric=metric)).reshape(STEPS, STEPS)
        lines: Any = ax.contour(across, up, lengths, levels=steps, colors=color(i), linewidths=1.7)
        if len(steps) > 1:
            ax.clabel(lines, fontsize=7, fmt="%g")
    ax.plot(*middle, "+", color="black", markersize=9)
    ax.set_aspect("equal")
    ax.set(xlabel="x1", ylabel="x2", title=title)
    class_legend(ax, list(metrics), "line")
    return ax
