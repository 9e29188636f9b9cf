"""The picture of neighbours: the plane with its boundaries, a curve, or how far neighbours are."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Floats
from hornbook.distances import Placed, Space
from hornbook.frame import Frame, Schema
from hornbook.neighbors._memory import Memory
from hornbook.plots import bars, boundaries, fits

__all__ = ["draw"]

RANKS = 20  # neighbours of which the distance is shown
ROWS = 200  # training rows that stand for all


def draw(learner: Any, memory: Memory, labels: Any, X: Any, y: Any, ax: Any, k: int) -> Any:
    """Draw two numbers as a plane and one number with a numeric target as a curve, else distances."""
    schema: Schema = learner.schema_
    plain = len(schema.numeric) == len(schema.columns) and isinstance(memory.space, Space)
    plain = plain and isinstance(memory.rows, Placed)
    classes = hasattr(learner, "classes_")
    if not plain or len(schema.columns) != (2 if classes else 1) or not memory.rows.complete:
        return _distances(learner, memory, X, ax, k)
    table = Frame.from_columns(schema, _values(memory)) if schema.named else _values(memory)
    asked = None if X is None else learner._prepared(X)  # noqa: SLF001 - the learner's own rows
    if not classes:
        name = f"{type(learner).__name__}, {len(memory)} rows"
        return fits({name: learner}, *_shown(table, labels, asked, y), ax=ax)
    if asked is None or len(asked) != 1:
        return boundaries([], *_shown(table, labels, asked, y), ax=ax, bold=learner)
    ax = boundaries([], table, labels, ax=ax, bold=learner)
    _neighborhood(ax, memory, _values(memory), learner, asked, k)
    return ax


def _shown(table: Any, labels: Any, asked: Frame | None, y: Any) -> tuple[Any, Any]:
    """Return the rows the user gave with their target, or those of the model."""
    if asked is None or y is None:
        return table, labels
    return (asked if asked.schema.named else asked.numbers), np.asarray(y)


def _values(memory: Memory) -> Floats:
    """Return the numbers as they were in the table."""
    assert isinstance(memory.space, Space)
    assert isinstance(memory.rows, Placed)
    transform = memory.space.transform
    matrix = transform if transform.ndim == 2 else np.diag(transform)
    return np.asarray(memory.rows.numbers @ np.linalg.inv(matrix))


def _neighborhood(ax: Any, memory: Memory, values: Floats, learner: Any, asked: Frame, k: int) -> None:
    """Join a row with its neighbours, and draw the circle of the last where the distance is Euclidean."""
    distances, indices = memory.nearest(memory.space.place(asked), min(k, len(memory)), 1)
    x = asked.numbers[0]
    for i in indices[0][indices[0] >= 0]:
        ax.plot([x[0], values[i, 0]], [x[1], values[i, 1]], color="black", linewidth=0.7)
    ax.plot([x[0]], [x[1]], marker="*", markersize=13, color="black", linestyle="none")
    space = memory.space
    if isinstance(space, Space) and space.power == 2 and (space.transform == 1).all():
        from matplotlib.patches import Circle  # noqa: PLC0415 - only people who draw should wait for it

        ax.add_patch(Circle((float(x[0]), float(x[1])), float(distances[0, -1]), fill=False))
    ax.set_title(f"{len(indices[0])} neighbours: {learner.predict(asked)[0]}")


def _distances(learner: Any, memory: Memory, X: Any, ax: Any, k: int) -> Any:
    """Draw the mean distance to the first, second, ... neighbour."""
    rows = memory.rows[:ROWS] if X is None else memory.space.place(learner._prepared(X))  # noqa: SLF001
    found, _ = memory.nearest(rows, min(k, RANKS, len(memory)), 1)
    known = np.isfinite(found)
    means = np.where(known, found, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    names = [str(rank) for rank in range(1, len(means) + 1)]
    return bars(means, names, ax=ax, title="Mean distance to the first, second, ... neighbour")
