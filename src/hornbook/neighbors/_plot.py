"""Plots of neighbors: the plane with its boundaries, a curve, or distances to the neighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import draw_beside_rows, in_plane, on_line
from hornbook.distances import Placed, Space
from hornbook.frame import Frame, Schema
from hornbook.neighbors._memory import Memory
from hornbook.params import Floats
from hornbook.plots import bars, boundaries, fits

__all__ = ["draw", "draw_distances"]

RANKS = 20  # neighbors of which the distance is shown
ROWS = 200  # training rows that represent all


def draw(
    learner: Any,
    memory: Memory,
    targets: NDArray[Any],
    rows: Frame | None,
    y: NDArray[Any] | None,
    ax: Any,
    k: int,
) -> Any:
    """Draw two numbers as a plane and one number with a numeric target as a curve, else distances.

    A single row is drawn with its neighbors.
    """
    drawn = _remembered(learner, memory) if rows is None or len(rows) == 1 else rows
    classes = hasattr(learner, "classes_")
    if drawn is None or not (in_plane(drawn) if classes else on_line(drawn)):
        if rows is not None and len(rows) == 1:
            return _nearest(learner, memory, targets, rows, ax, k)
        return draw_beside_rows(learner, lambda place: draw_distances(memory, rows, place, k), rows, y, ax)
    shown = targets if drawn is not rows else np.asarray(learner.predict(rows) if y is None else y)
    if not classes:
        name = f"{type(learner).__name__}, {len(memory)} rows"
        return fits({name: learner}, drawn, shown, ax=ax)
    ax = boundaries([], drawn, shown, ax=ax, bold=learner)
    if rows is not None and len(rows) == 1 and in_plane(rows):
        _neighborhood(ax, memory, drawn.matrix, learner, rows, k)
    return ax


def _remembered(learner: Any, memory: Memory) -> Frame | None:
    """Return the training rows as they were in the table, if they are dense numbers without missing cells."""
    schema: Schema = learner.schema_
    placed = isinstance(memory.space, Space) and isinstance(memory.rows, Placed) and memory.rows.complete
    if not placed or len(schema.numeric) < len(schema.columns):
        return None
    assert isinstance(memory.space, Space)
    assert isinstance(memory.rows, Placed)
    # Placed rows are scaled or whitened; the inverse gives back the table's own units.
    transform = memory.space.transform
    matrix = transform if transform.ndim == 2 else np.diag(transform)
    return Frame.from_columns(schema, np.asarray(memory.rows.numbers @ np.linalg.inv(matrix)))


def _neighborhood(ax: Any, memory: Memory, values: Floats, learner: Any, row: Frame, k: int) -> None:
    """Join a row with its neighbors, and draw the circle of the last where the distance is Euclidean."""
    distances, indices = memory.nearest(memory.space.place(row), min(k, len(memory)), 1)
    x = row.matrix[0]
    for i in indices[0][indices[0] >= 0]:
        ax.plot([x[0], values[i, 0]], [x[1], values[i, 1]], color="black", linewidth=0.7)
    ax.plot([x[0]], [x[1]], marker="*", markersize=13, color="black", linestyle="none")
    space = memory.space
    if isinstance(space, Space) and space.power == 2 and (space.transform == 1).all():
        from matplotlib.patches import Circle  # noqa: PLC0415 - only plotting should wait for the import

        ax.add_patch(Circle((float(x[0]), float(x[1])), float(distances[0, -1]), fill=False))
    ax.set_title(f"{len(indices[0])} neighbors: {learner.predict(row)[0]}")


def _nearest(learner: Any, memory: Memory, targets: NDArray[Any], row: Frame, ax: Any, k: int) -> Any:
    """Draw how far the neighbors of one row are, with their targets."""
    distances, indices = memory.nearest(memory.space.place(row), min(k, RANKS, len(memory)), 1)
    known = (indices[0] >= 0) & np.isfinite(distances[0])
    mine = indices[0][known]
    sources = memory.source(mine).tolist()
    names = [f"row {i}: {_short(target)}" for i, target in zip(sources, targets[mine].tolist(), strict=True)]
    title = f"Distance of the nearest rows; prediction {_short(learner.predict(row)[0])}"
    return bars(distances[0][known], names, ax=ax, title=title)


def _short(target: Any) -> str:
    return f"{target:.4g}" if isinstance(target, float) else str(target)


def draw_distances(memory: Memory, rows: Frame | None, ax: Any, k: int) -> Any:
    """Draw the mean distance to the first, second, ... neighbor; training rows look among the others."""
    if rows is None and len(memory) > 1:
        own = np.arange(min(ROWS, len(memory)))
        distances, _ = memory.others(own, min(k, RANKS, len(memory) - 1), 1)
    else:
        placed = memory.rows if rows is None else memory.space.place(rows)
        distances, _ = memory.nearest(placed, min(k, RANKS, len(memory)), 1)
    known = np.isfinite(distances)
    means = np.where(known, distances, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    names = [str(rank) for rank in range(1, len(means) + 1)]
    return bars(means, names, ax=ax, title="Mean distance to the first, second, ... neighbor")
