"""The plot of clusters of dense rows: core rows filled, others open, noise crossed."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.clustering._plot import main_directions
from hornbook.distances import Placed, Space
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.plots import bars, clusters

__all__ = ["draw"]


def draw(learner: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw core rows and given rows by two numbers, or along the two directions in which core rows vary most.

    Shapes show the classes y, if there are any. Without numbers to draw by, the sizes of the clusters are
    drawn. Rows with missing cells are not drawn, only counted.
    """
    cores = _points(learner, None)
    if cores is None or cores.shape[1] == 0 or not len(cores):
        return _sizes(learner, rows, ax)
    points = np.empty((0, cores.shape[1])) if rows is None else _points(learner, rows)
    assert points is not None
    complete = np.flatnonzero(~np.isnan(points).any(axis=1))
    known = np.flatnonzero(~np.isnan(cores).any(axis=1))
    plane, names = _plane(learner, cores[known])
    labels = np.empty(0, dtype=np.int32) if rows is None else learner.predict(rows)[complete]
    places = np.concatenate([plane(cores[known]), plane(points[complete])])
    ax = clusters(
        places,
        np.concatenate([learner.core_labels_[known], labels]),
        np.arange(len(places)) < len(known),
        ax,
        classes=None if y is None else np.concatenate([[None] * len(known), np.asarray(y)[complete]]),
        names=names,
    )
    if len(complete) < len(points):
        note = f"{len(points) - len(complete)} of {len(points)} rows have missing values"
        ax.set_title(note, loc="right", fontsize=9)
    return ax


def _points(learner: Any, rows: Frame | None) -> Floats | None:
    """Core rows or given rows as numbers in the space of the distance; None where there are none."""
    memory = learner.memory_
    if memory is None or not isinstance(memory.rows, Placed):
        return None
    placed = memory.rows if rows is None else memory.space.place(rows)
    return np.asarray(placed.numbers)


def _plane(learner: Any, cores: Floats) -> Any:
    """A function from points to the plane, and the names of its axes."""
    space, n = learner.memory_.space, cores.shape[1]
    own = not isinstance(space, Space) or space.transform.ndim == 1
    names = (
        [learner.schema_.names[int(j)] for j in space.numeric]
        if isinstance(space, Space)
        else learner.schema_.names
    )
    if n == 1:
        return lambda points: np.column_stack([points[:, 0], np.zeros(len(points))]), (names[0], "")
    if n == 2 and own:
        return lambda points: points, tuple(names)
    middle, directions = main_directions(cores)
    return lambda points: (points - middle) @ directions.T, (
        "direction of largest variance",
        "direction of second largest variance",
    )


def _sizes(learner: Any, rows: Frame | None, ax: Any) -> Any:
    """Number of rows of each cluster, of the fit or of given rows."""
    labels = learner.labels_ if rows is None else learner.predict(rows)
    counts = np.bincount(labels + 1, minlength=len(learner.cluster_sizes_) + 1).astype(np.float64)
    names = ["noise", *(f"cluster {c}" for c in range(len(counts) - 1))]
    whose = "of the fit" if rows is None else "given"
    return bars(counts, names, ax=ax, title=f"Number of rows {whose}")
