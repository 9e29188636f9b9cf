"""A network in layers, whose lines are as wide as its weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["layers"]

WIDEST = 4.0  # points
LONGEST = 18  # letters of a name


def layers(
    weights: Sequence[ArrayLike],
    *,
    inputs: Sequence[object] = (),
    outputs: Sequence[object] = (),
    most: int = 12,
    ax: Axes | None = None,
) -> Axes:
    """Draw a network in layers: lines are as wide as weights are large, and their color shows the sign.

    Parameters
    ----------
    weights : sequence of array-like of shape (n_inputs, n_units)
        The weights between consecutive layers; those of 0 are not drawn.
    inputs, outputs : sequence, default ()
        Names of the inputs and outputs; numbers when left out.
    most : int, default 12
        Units drawn in each layer: those with the largest weights; the picture says of how many.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = layers([[[1.0, -2.0], [0.0, 0.5]], [[1.0], [3.0]]], inputs=["size", "mass"], outputs=["ripe"])
    >>> [text.get_text() for text in ax.texts]
    ['size', 'mass', 'ripe']
    >>> len(ax.lines)  # five of the six weights are not 0
    5
    """
    matrices = [np.asarray(matrix, dtype=np.float64) for matrix in weights]
    if not matrices or any(m.ndim != 2 for m in matrices) or most < 1:
        raise ValueError("layers: 'weights' must be matrices, at least one, and 'most' at least 1.")
    for before, after in pairwise(matrices):
        if before.shape[1] != after.shape[0]:
            raise ValueError(
                f"layers: a layer of {before.shape[1]} units is followed by weights for {after.shape[0]}."
            )
    ax = axes(ax, (1.6 + 2.0 * len(matrices), 4.2))
    ax.set_axis_off()
    shown = _shown(matrices, most)
    places = [_places(len(units)) for units in shown]
    largest = max(float(np.abs(m).max(initial=0.0)) for m in matrices) or 1.0
    for layer, matrix in enumerate(matrices):
        part = matrix[np.ix_(shown[layer], shown[layer + 1])]
        for i, j in zip(*np.nonzero(part), strict=True):
            size = abs(part[i, j]) / largest
            ax.plot(
                [layer, layer + 1],
                [places[layer][i], places[layer + 1][j]],
                color=color(0 if part[i, j] > 0 else 1),
                linewidth=max(0.3, WIDEST * size),
                alpha=0.3 + 0.6 * size,
                zorder=1,
            )
    sizes = [matrices[0].shape[0], *(m.shape[1] for m in matrices)]
    for layer, heights in enumerate(places):
        ax.scatter(np.full(len(heights), layer), heights, s=60, color="white", edgecolors=GRAY, zorder=2)
        if len(heights) < sizes[layer]:
            ax.annotate(
                f"{len(heights)} of {sizes[layer]}", (layer, -0.62), ha="center", fontsize=8, color=GRAY
            )
    _name(ax, inputs, shown[0], places[0], -0.08, "right")
    _name(ax, outputs, shown[-1], places[-1], len(matrices) + 0.08, "left")
    ax.set_xlim(-0.9, len(matrices) + 0.9)
    ax.set_ylim(-0.7, 0.6)
    return ax


def _shown(matrices: list[NDArray[np.float64]], most: int) -> list[NDArray[np.intp]]:
    """Units of each layer that are drawn, in their order."""
    # A unit is as important as the weights that lead to it; inputs, as those that leave them.
    strength = [np.abs(matrices[0]).sum(axis=1), *(np.abs(m).sum(axis=0) for m in matrices)]
    return [np.sort(np.argsort(-size, kind="stable")[:most]) for size in strength]


def _places(n: int) -> NDArray[np.float64]:
    return np.linspace(0.5, -0.5, n) if n > 1 else np.zeros(1)


def _name(
    ax: Axes,
    names: Sequence[object],
    units: NDArray[np.intp],
    heights: NDArray[np.float64],
    x: float,
    side: str,
) -> None:
    if not len(names):
        return
    for name, height in zip(shortened([names[i] for i in units], LONGEST), heights, strict=True):
        ax.text(x, float(height), name, ha=side, va="center", fontsize=9)
