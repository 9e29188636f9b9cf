"""The plot of fuzzy clusters: rows in mixed colors, centers, and ellipses where clusters have a shape."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering._plot import main_directions
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.params import Floats
from hornbook.plots import ellipses, memberships

__all__ = ["draw"]


def draw(
    prototypes: FuzzyPrototypes, degrees: Floats, names: NDArray[Any], rows: Floats, y: Any, ax: Any
) -> Any:
    """Draw two columns as they are, and more along the two directions in which they vary most.

    Shapes show the classes y, if there are any. Rows with missing cells are not drawn, only counted.
    """
    complete = np.flatnonzero(~np.isnan(rows).any(axis=1))
    centers, points = prototypes.centers, rows[complete]
    if centers.shape[1] == 2:
        titles, middle, directions = [str(name) for name in names], np.zeros(2), np.eye(2)
    else:
        titles = ["direction of largest variance", "direction of second largest variance"]
        middle, directions = main_directions(points if len(complete) > 1 else centers)
    places, points = (centers - middle) @ directions.T, (points - middle) @ directions.T
    classes = None if y is None else np.asarray(y)[complete]
    ax = memberships(points, degrees[complete], places, ax, classes=classes, names=titles)
    if prototypes.shapes is not None:
        shapes = directions @ prototypes.shapes @ directions.T
        ellipses(places, shapes, [f"cluster {i}" for i in range(len(places))], levels=[1.0], ax=ax)
    if len(complete) < len(rows):
        note = f"{len(rows) - len(complete)} of {len(rows)} rows have missing values"
        ax.set_title(note, loc="right", fontsize=9)
    return ax
