"""The plot of prototypes: rows and prototypes colored by class, and regions in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.params import Floats
from hornbook.plots import voronoi

__all__ = ["draw"]


def draw(model: Any, rows: Floats | None, y: Any, ax: Any) -> Any:
    """Draw two columns as they are, and more along the two directions in which they vary most."""
    places = model.prototypes_
    points = np.empty((0, places.shape[1])) if rows is None else rows
    names, flat = [str(name) for name in model.encoded_names_], places.shape[1] == 2
    if not flat:
        middle, directions = _main_directions(points if len(points) > 1 else places)
        places, points = (places - middle) @ directions.T, (points - middle) @ directions.T
        names = ["direction of largest variance", "direction of second largest variance"]
    classes = y
    if classes is None and rows is not None:
        classes = model._answer(rows)  # noqa: SLF001 - rows that are prepared
    owners = model.prototype_classes_
    return voronoi(
        places, points, None, ax, classes=classes, center_classes=owners, names=names, regions=flat
    )


def _main_directions(points: Floats) -> tuple[Floats, Floats]:
    """The mean of points, and the two directions in which they vary most."""
    middle = np.asarray(points.mean(axis=0))
    directions = np.zeros((2, points.shape[1]))
    axes = np.linalg.svd(points - middle, full_matrices=False)[2][:2]
    directions[: len(axes)] = axes
    return middle, directions
