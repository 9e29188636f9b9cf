"""Rows and columns in the plane of two principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["biplot"]

MOST_ARROWS = 12  # the longest, so that names can be read
REACH = 0.8  # of the farthest point: length of the longest arrow


def biplot(
    scores: ArrayLike,
    loadings: ArrayLike,
    names: Sequence[str],
    *,
    classes: ArrayLike | None = None,
    titles: Sequence[str] = ("component 0", "component 1"),
    ax: Axes | None = None,
) -> Axes:
    """Draw rows as points and columns as arrows in the plane of two components (Gabriel 1971).

    An arrow shows the direction in which its column grows; columns whose arrows point the same way rise
    together. Of many columns only the twelve with the longest arrows are drawn.

    Parameters
    ----------
    scores : array-like of shape (n_rows, 2)
        Coordinates of the rows.
    loadings : array-like of shape (n_columns, 2)
        Entries of the two components for each column.
    names : sequence of length n_columns
        Names of the columns.
    classes : array-like of shape (n_rows,), optional
        Classes of the rows, which give them their colors.
    titles : sequence of two str, default ("component 0", "component 1")
        Titles of the axes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = biplot([[0.0, 1.0], [2.0, 0.5]], [[1.0, 0.0], [0.6, 0.8]], ["size", "mass"])
    >>> [text.get_text() for text in ax.texts]
    ['size', 'mass']
    """
    points, arrows = _plane("scores", scores), _plane("loadings", loadings)
    if len(names) != len(arrows):
        raise ValueError(
            f"biplot: 'names' must have one name for each of {len(arrows)} columns; got {len(names)}."
        )
    ax = axes(ax)
    _points(ax, points, classes)
    lengths = np.hypot(*arrows.T)
    # Arrows and points have different units; only directions and relative lengths of arrows count.
    reach = (
        REACH
        * max(float(np.abs(points).max(initial=0.0)), 1e-12)
        / max(float(lengths.max(initial=0.0)), 1e-12)
    )
    for i in np.argsort(-lengths, kind="stable")[:MOST_ARROWS]:
        x, y = (arrows[i] * reach).tolist()
        head = 0.03 * reach * float(lengths.max())
        ax.arrow(0.0, 0.0, x, y, color="black", linewidth=0.9, head_width=head, length_includes_head=True)
        ax.text(x, y, str(names[i]), fontsize=8, color="black")
    for draw in (ax.axhline, ax.axvline):
        draw(0.0, color=GRAY, linewidth=0.5, zorder=0)
    ax.set_xlabel(titles[0])
    ax.set_ylabel(titles[1])
    return ax


def _plane(name: str, values: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2 or not np.isfinite(table).all():
        raise ValueError(f"biplot: '{name}' must be finite numbers in two columns; got shape {table.shape}.")
    return table


def _points(ax: Axes, points: NDArray[np.float64], classes: ArrayLike | None) -> None:
    if classes is None:
        ax.scatter(points[:, 0], points[:, 1], s=14, color=GRAY, alpha=0.7, linewidths=0)
        return
    labels = np.asarray(classes)
    if labels.shape != (len(points),):
        raise ValueError(f"biplot: 'classes' must have one entry for each of {len(points)} rows.")
    kinds = np.unique(labels)
    for kind, look in zip(kinds, class_styles(len(kinds)), strict=True):
        own = points[labels == kind]
        ax.scatter(own[:, 0], own[:, 1], s=14, color=look.color, alpha=0.7, linewidths=0)
    class_legend(ax, kinds.tolist(), "patch")
