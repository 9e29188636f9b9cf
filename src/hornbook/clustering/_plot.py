"""The plot of clusters: rows colored by cluster, centers, and regions in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats
from hornbook.plots import voronoi

__all__ = ["draw", "main_directions"]


def draw(centers: Floats, names: NDArray[Any], rows: Floats, y: Any, ax: Any) -> Any:
    """Draw two columns as they are, and more along the two directions in which they vary most.

    Shapes show the classes y, if there are any. Rows with missing cells are not drawn, only counted.
    """
    complete = np.flatnonzero(~np.isnan(rows).any(axis=1))
    classes = None if y is None else np.asarray(y)[complete]
    labels = _native.nearest_centers(rows, centers, 1)[0][complete]
    if centers.shape[1] == 2:
        titles = [str(name) for name in names]
        ax = voronoi(centers, rows[complete], labels, ax, classes=classes, names=titles)
    else:
        middle, directions = main_directions(rows[complete] if len(complete) > 1 else centers)
        places, points = (centers - middle) @ directions.T, (rows[complete] - middle) @ directions.T
        titles = ["direction of largest variance", "direction of second largest variance"]
        ax = voronoi(places, points, labels, ax, classes=classes, names=titles, regions=False)
    if len(complete) < len(rows):
        note = f"{len(rows) - len(complete)} of {len(rows)} rows have missing values"
        ax.set_title(note, loc="right", fontsize=9)
    return ax


def main_directions(points: Floats) -> tuple[Floats, Floats]:
    """The mean of points, and the two directions in which they vary most."""
    middle = points.mean(axis=0)
    directions = np.zeros((2, points.shape[1]))
    # Right singular vectors of centered points: the first two principal axes. Fewer rows than two
    # leave zeros.
    axes = np.linalg.svd(points - middle, full_matrices=False)[2][:2]
    directions[: len(axes)] = axes
    return np.asarray(middle), directions
