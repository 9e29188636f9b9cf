"""A network in layers from left to right, with the symbols of its units and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["layered_graph"]

Connection = tuple[int, int, int]

DOTS = "⋮"
_RADIUS = 0.2
_NEAR = (0.3, 0.7)  # of the way along a line, where its label is: alternating, or they would meet


def layered_graph(
    layers: Sequence[Sequence[str]],
    ax: Axes | None = None,
    *,
    connections: Mapping[Connection, str] | None = None,
    below: Mapping[tuple[int, int], str] | None = None,
    names: Sequence[str] = (),
    title: str = "",
) -> Axes:
    """Draw units in layers with the symbols inside them, and lines with the weights beside them.

    Parameters
    ----------
    layers : sequence of sequence of str
        The symbols of the units of each layer from the top; "⋮" stands for units that are left out. The
        first layer is the input, which has no circles.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    connections : mapping of (layer, from, to) to str, optional
        The lines from units of a layer to those of the next, with their labels; all of them, without
        labels, when left out.
    below : mapping of (layer, unit) to str, optional
        Words below units, such as thresholds.
    names : sequence of str, default ()
        Names of the layers, written at the bottom.
    title : str, default ""
        Title of the diagram.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = layered_graph([["x1", "x2"], ["y1"]], connections={(0, 0, 0): "2", (0, 1, 0): "-1"})
    >>> len(ax.lines), [text.get_text() for text in ax.texts]
    (2, ['2', '-1', 'x1', 'x2', 'y1'])
    """
    if len(layers) < 2 or not all(layers):
        raise ValueError("layered_graph: 'layers' must be at least two lists of symbols, none of them empty.")
    lines = _all(layers) if connections is None else dict(connections)
    for layer, i, j in lines:
        if not (
            0 <= layer < len(layers) - 1 and 0 <= i < len(layers[layer]) and 0 <= j < len(layers[layer + 1])
        ):
            raise ValueError(
                f"layered_graph: 'connections' has {(layer, i, j)}, and there are no such units."
            )
    tallest = max(map(len, layers))
    places = [_places(len(layer), tallest) for layer in layers]
    ax = axes(ax, size=(1.5 * len(layers) + 1.0, 0.75 * tallest + 0.9))
    ax.set_axis_off()
    step = 2.0
    for k, ((layer, i, j), label) in enumerate(lines.items()):
        ends = (step * layer, places[layer][i]), (step * (layer + 1), places[layer + 1][j])
        ax.plot(*zip(*ends, strict=True), color=GRAY, linewidth=1.0, zorder=1)
        if label:
            _beside(ax, label, ends, _NEAR[k % 2])
    for layer, units in enumerate(layers):
        for i, symbol in enumerate(units):
            _unit(ax, symbol, (step * layer, places[layer][i]), circled=layer > 0)
    for (layer, i), words in (below or {}).items():
        place = step * layer, places[layer][i] - _RADIUS - 0.06
        ax.text(*place, words, ha="center", va="top", fontsize=8, zorder=4, bbox=_WHITE)
    bottom = -0.5 - (tallest - 1) / 2
    for layer, name in enumerate(names):
        ax.text(step * layer, bottom - 0.25, name, ha="center", va="top", fontsize=9, color="#444444")
    ax.set_xlim(-0.75, step * (len(layers) - 1) + 0.75)
    ax.set_ylim(bottom - (0.6 if names else 0.1), -bottom)
    ax.set_aspect("equal")
    ax.set_title(title)
    return ax


_WHITE: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}


def _all(layers: Sequence[Sequence[str]]) -> dict[Connection, str]:
    """Return every line between units of consecutive layers, but not to dots."""
    return {
        (layer, i, j): ""
        for layer in range(len(layers) - 1)
        for i, symbol in enumerate(layers[layer])
        for j, other in enumerate(layers[layer + 1])
        if DOTS not in (symbol, other) and other != "1"  # a constant 1 has no inputs
    }


def _places(count: int, tallest: int) -> list[float]:
    """Return heights of the units of a layer, around 0; few units are further apart."""
    gap = 1.0 if count < 2 else min(1.4, max(1.0, 0.8 * (tallest - 1) / (count - 1)))
    return list(np.arange(count)[::-1] * gap - gap * (count - 1) / 2)


def _unit(ax: Axes, symbol: str, place: tuple[float, float], *, circled: bool) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    if symbol == DOTS:
        ax.text(*place, symbol, ha="center", va="center", fontsize=14, zorder=3)
        return
    edge = color(0) if circled else GRAY
    radius = _RADIUS if circled else 0.75 * _RADIUS
    ax.add_patch(Circle(place, radius * 1.15, facecolor="white", edgecolor=edge, linewidth=1.4, zorder=2))
    ax.text(*place, symbol, ha="center", va="center", fontsize=8.5, zorder=3)


def _beside(ax: Axes, label: str, ends: Any, share: float) -> None:
    (x, y), (right, up) = ends
    place = x + share * (right - x), y + share * (up - y)
    ax.text(*place, label, ha="center", va="center", fontsize=8, zorder=2, bbox=_WHITE)
