"""Plots of threshold networks: regions and hyperplanes in the plane, else the units and their connections."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import draw_beside_rows, in_plane
from hornbook.frame import Frame
from hornbook.plots import bars, boundaries, network

__all__ = ["draw"]

MOST_UNITS = 24  # that are drawn one by one


def draw(model: Any, rows: Frame | None, y: NDArray[Any] | None, ax: Any) -> Any:
    """Draw the boundary and the hyperplanes among points of the plane, else the network."""
    if rows is None or not in_plane(rows):
        return draw_beside_rows(model, lambda place: _graph(model, place), rows, y, ax)
    labels = np.asarray(model.predict(rows) if y is None else y)
    ax = boundaries([], rows, labels, ax, bold=model)
    sides = ax.get_xlim(), ax.get_ylim()
    weights, thresholds = model.layers_.matrices()[0]
    for (a, b), end in zip(weights.tolist(), thresholds.tolist(), strict=True):
        if a or b:  # the foot of the perpendicular from the origin is on the line
            foot = np.array([a, b]) * end / (a * a + b * b)
            ax.axline(foot, foot + np.array([-b, a]), color="#8C8C8C", linestyle="--", linewidth=0.8)
    ax.set_xlim(sides[0])
    ax.set_ylim(sides[1])
    return ax


def _graph(model: Any, ax: Any) -> Any:
    sizes = model.layers_.sizes.tolist()
    if sum(sizes) > MOST_UNITS:
        names = ["inputs", *(f"layer {k + 1}" for k in range(len(sizes) - 1))]
        return bars(sizes, names, ax, title="Units")
    own = {f"x{j + 1}": str(name) for j, name in enumerate(model.encoded_names_)}
    arrows = [(own.get(start, start), end) for start, end in model.layers_.connections()]
    return network(arrows, nodes=own.values(), ax=ax)
