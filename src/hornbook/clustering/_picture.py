"""The picture of clusters: rows coloured by cluster, centres, and regions in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import Floats
from hornbook.plots import voronoi

__all__ = ["draw"]


def draw(centres: Floats, names: NDArray[Any], rows: Floats, y: Any, ax: Any) -> Any:
    """Draw two columns as they are, and more along the two directions in which they vary most.

    Shapes show the classes y, if there are any. Rows with missing cells have no place and are left out.
    """
    there = np.flatnonzero(~np.isnan(rows).any(axis=1))
    classes = None if y is None else np.asarray(y)[there]
    labels = _native.nearest_centres(rows, centres, 1)[0][there]
    if centres.shape[1] == 2:
        titles = [str(name) for name in names]
        return voronoi(centres, rows[there], labels, ax, classes=classes, names=titles)
    spread = rows[there] if len(there) > 1 else centres
    middle = spread.mean(axis=0)
    directions = np.zeros((2, centres.shape[1]))
    found = np.linalg.svd(spread - middle, full_matrices=False)[2][:2]
    directions[: len(found)] = found
    places, points = (centres - middle) @ directions.T, (rows[there] - middle) @ directions.T
    titles = ["direction of most variance", "direction of second most variance"]
    return voronoi(places, points, labels, ax, classes=classes, names=titles, regions=False)
