"""The plot of a normal mixture: rows colored by component, means, and ellipses of 1 and 2 deviations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._plot import main_directions
from hornbook.clustering.mixture._components import MixtureModel, NormalComponents
from hornbook.params import Floats
from hornbook.plots import ellipses, voronoi

__all__ = ["draw"]


def draw(
    components: NormalComponents, model: MixtureModel, names: NDArray[Any], rows: Floats, y: Any, ax: Any
) -> Any:
    """Draw two columns as they are, and more along the two directions in which they vary most.

    Rows have the color of their most probable component; shapes show the classes y, if there are any. Rows
    with missing cells are not drawn, only counted.
    """
    k, d = components.means.shape
    complete = np.flatnonzero(~np.isnan(rows).any(axis=1))
    points = rows[complete]
    labels = _native.mixture_joint(points, *components.arguments(model), 1).argmax(axis=1)
    if d == 2:
        middle, directions, titles = np.zeros(2), np.eye(2), [str(name) for name in names]
    else:
        middle, directions = main_directions(points if len(points) > 1 else components.means)
        titles = ["direction of largest variance", "direction of second largest variance"]
    flat = directions @ model.matrices(components) @ directions.T
    means, places = (components.means - middle) @ directions.T, (points - middle) @ directions.T
    classes = None if y is None else np.asarray(y)[complete]
    ax = ellipses(means, flat, list(range(k)), ax=ax)
    ax = voronoi(means, places, labels, ax, classes=classes, names=titles, regions=False)
    if len(complete) < len(rows):
        note = f"{len(rows) - len(complete)} of {len(rows)} rows have missing values"
        ax.set_title(note, loc="right", fontsize=9)
    return ax
