"""Boundary and margins of a support vector machine in the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import PlacedRows, grid_like, placed_rows, span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["margins"]

STEPS = 200
_ON_MARGIN = 1e-3


def margins(
    model: Any,
    X: Any,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    columns: tuple[int, int] | None = None,
    violations: bool = False,
    title: str = "",
) -> Axes:
    """Draw where the score of a classifier is 0 and, dotted, -1 and +1; circles are support vectors.

    With more than two columns it is a cut through the space: two columns vary, the others have their means.

    Parameters
    ----------
    model : fitted classifier
        For two classes, with ``decision_function``; rows of ``support_vectors_`` are circled if it has them.
    X : table with numeric columns
        The points; rows with a missing number cannot be drawn and are counted above the plot.
    y : array-like of shape (n,)
        Their classes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    columns : tuple of two int, optional
        The columns that vary, the first two when left out.
    violations : bool, default False
        Whether to mark in red the rows inside the margin and on the wrong side, whose hinge loss is above 0.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import SVC
    >>> X, y = np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [4.0, 3.0]]), ["a", "a", "b", "b"]
    >>> ax = margins(SVC(kernel="linear").fit(X, y), X, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['a', 'b']
    """
    count = len(np.shape(X)) and np.shape(X)[1]
    rows = placed_rows("margins", X, y, count, "class")
    first, second = _checked(columns, rows)
    ax = axes(ax)
    across, up = span(rows.points[:, first], STEPS), span(rows.points[:, second], STEPS)
    # Other columns are held at their means: a cut through the score, not a projection.
    grid = np.tile(rows.points.mean(axis=0), (STEPS * STEPS, 1))
    grid[:, first], grid[:, second] = (side.ravel() for side in np.meshgrid(across, up))
    scores = np.asarray(model.decision_function(grid_like(X, grid)))
    if scores.ndim != 1:
        raise ValueError("margins: the model must be for two classes: draw 'boundaries' of others.")
    field = scores.reshape(STEPS, STEPS)
    ax.contour(across, up, field, levels=[0.0], colors="black", linewidths=2.0)
    ax.contour(across, up, field, levels=[-1.0, 1.0], colors=GRAY, linestyles="dotted", linewidths=1.4)
    ax.set_xlabel(rows.names[first] or f"x{first + 1}")
    ax.set_ylabel(rows.names[second] or f"x{second + 1}")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    vectors = np.asarray(getattr(model, "support_vectors_", np.empty((0, count))))
    if vectors.shape[1:] == (count,):
        ax.scatter(
            vectors[:, first], vectors[:, second], s=90, facecolors="none", edgecolors="black", linewidths=0.8
        )
    classes = class_order(rows.y, model)
    class_points(ax, rows.points[:, [first, second]], rows.y, classes)
    if violations:
        # Scores are positive for the second class. The solver meets a margin of 1 up to its tolerance.
        side = np.where(rows.y == classes[-1], 1.0, -1.0)
        loose = side * np.asarray(model.decision_function(grid_like(X, rows.points))) < 1 - _ON_MARGIN
        wrong = rows.points[loose]
        ax.scatter(wrong[:, first], wrong[:, second], s=30, color="red", marker="o", zorder=4)
    return ax


def _checked(columns: tuple[int, int] | None, rows: PlacedRows) -> tuple[int, int]:
    count = rows.points.shape[1]
    if count < 2:
        raise ValueError("margins: X must have at least 2 numeric columns; got 1.")
    first, second = (0, 1) if columns is None else columns
    if first == second or not all(0 <= j < count for j in (first, second)):
        raise ValueError(
            f"margins: 'columns' must be two different columns from 0 to {count - 1}; got {columns!r}."
        )
    return first, second
