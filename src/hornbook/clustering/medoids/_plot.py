"""The plot of medoids: rows colored by cluster, in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering._plot import main_directions
from hornbook.clustering.medoids._prototypes import Prototypes
from hornbook.distances import Placed, Space
from hornbook.frame import Frame, Schema
from hornbook.params import Floats
from hornbook.plots import voronoi

__all__ = ["draw_medoids"]


def draw_medoids(
    prototypes: Prototypes,
    schema: Schema,
    rows: Frame | None,
    labels: NDArray[np.int32] | None,
    y: Any,
    ax: Any,
) -> Any:
    """Draw two columns of numbers as they are, and others along the two directions in which they vary most.

    Missing cells are drawn at the mean of their column, and counted.
    """
    space = prototypes.space
    if space is None:
        raise ValueError(
            "KMedoids: a matrix of distances has no coordinates to draw: fit on rows with a named metric."
        )
    plane = len(schema) == 2 and all(kind == "numeric" for kind in schema.kinds)
    if plane:
        medoids = prototypes.cells
        points = np.empty((0, 2)) if rows is None else rows.matrix
    else:
        medoids = _points(space, prototypes.rows)
        points = medoids[:0] if rows is None else _points(space, space.place(rows))
    gaps = int(np.isnan(points).any(axis=1).sum())
    means = _column_means(np.concatenate([points, medoids]))
    medoids, points = (np.where(np.isnan(part), means, part) for part in (medoids, points))
    names = [str(name) for name in schema.names]
    if not plane:
        middle, directions = main_directions(points if len(points) > 1 else medoids)
        medoids, points = (medoids - middle) @ directions.T, (points - middle) @ directions.T
        names = ["direction of largest variance", "direction of second largest variance"]
    regions = plane and isinstance(space, Space) and space.power == 2 and bool((space.transform == 1).all())
    ax = voronoi(medoids, points, labels, ax, classes=y, names=names, regions=regions)
    if gaps:
        ax.set_title(f"{gaps} of {len(points)} rows have missing values", loc="right", fontsize=9)
    return ax


def _points(space: Any, rows: Placed) -> Floats:
    """Rows in the space of the distance, with an indicator for each level of a category."""
    levels = space.n_levels.tolist() if isinstance(space, Space) else []
    indicators = [rows.codes[:, [j]] == np.arange(n) for j, n in enumerate(levels)]
    return np.concatenate([rows.numbers, *indicators], axis=1, dtype=np.float64)


def _column_means(points: Floats) -> Floats:
    known = ~np.isnan(points)
    return np.asarray(np.where(known, points, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))
