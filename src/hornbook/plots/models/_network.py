"""A directed acyclic graph, drawn in layers from the top."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color, figure_of, grow, is_own
from hornbook.plots.canvas._text import shortened, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["network"]

Edge = tuple[Hashable, Hashable]

_NODE = 1.45  # inches from one node to the next
_MOST_ABREAST = 9  # nodes of a row; a layer of more takes several rows
_MOST_BESIDE = 5  # nodes of a row beside another plot
_LINE = 16  # letters of a line of a name
_MOST_LINES = 3


def network(
    edges: Iterable[Edge],
    *,
    nodes: Iterable[Hashable] = (),
    faint: Iterable[Hashable] = (),
    labels: Mapping[Edge, str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a directed network without cycles: every arrow points down.

    Parameters
    ----------
    edges : iterable of pairs
        Arrows, from parent to child.
    nodes : iterable, default ()
        Further nodes, which may have no arrows.
    faint : iterable, default ()
        Nodes whose arrows are gray, such as a class that is the parent of every column.
    labels : mapping of pair to str, optional
        Labels of arrows.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = network([("class", "color"), ("class", "root"), ("color", "root")])
    >>> {text.get_text(): text.get_position()[1] for text in ax.texts if text.get_text()}
    {'class': 0.0, 'color': -1.0, 'root': -2.0}
    """
    arrows = [(parent, child) for parent, child in edges]
    names = list(dict.fromkeys([*(end for arrow in arrows for end in arrow), *nodes]))
    if not names:
        raise ValueError("network: there must be at least one node; got no edges and no nodes.")
    ax = axes(ax)
    ax.set_axis_off()
    alone = is_own(ax) and len(figure_of(ax).axes) == 1
    room = int(ax.get_window_extent().width / figure_of(ax).dpi / _NODE)
    most = _MOST_ABREAST if alone else max(room, _MOST_BESIDE if is_own(ax) else 2)
    places = _places(_layers(names, arrows), arrows, most)
    widest = max(x for x, _ in places.values()) + 1
    deepest = 1 - min(y for _, y in places.values())
    if alone:
        figure_of(ax).set_size_inches(1.2 + _NODE * widest, 1.0 + 0.95 * deepest)
    else:
        grow(ax, 2 * _NODE * max(0.0, widest - room))  # it has half the width
        at_least(ax, 1.0 + 0.95 * deepest)
    quiet = set(faint)
    for arrow in arrows:
        _arrow(ax, places[arrow[0]], places[arrow[1]], quiet=arrow[0] in quiet)
    for (parent, child), words in (labels or {}).items():
        (x, y), (right, down) = places[parent], places[child]
        ax.text((x + right) / 2, (y + down) / 2, words, fontsize=8, ha="center", va="center", color=GRAY)
    box: dict[str, Any] = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": color(0)}
    shown = [wrapped(text, _LINE) for text in shortened(list(places), _MOST_LINES * _LINE)]
    for text, (x, y) in zip(shown, places.values(), strict=True):
        ax.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
    ax.set_xlim(-0.7, widest - 0.3)
    ax.set_ylim(-deepest + 0.5, 0.5)
    return ax


def _layers(names: list[Hashable], arrows: list[Edge]) -> dict[Hashable, int]:
    """Return the length of the longest path from the top to each node."""
    layer = dict.fromkeys(names, 0)
    # Bellman-Ford for longest paths: without a cycle, at most as many rounds as nodes.
    for _ in names:
        moved = False
        for parent, child in arrows:
            if layer[child] <= layer[parent]:
                layer[child], moved = layer[parent] + 1, True
        if not moved:
            return layer
    raise ValueError("network: the edges must not form a cycle, but some do: leave one of them out.")


def _places(layer: dict[Hashable, int], arrows: list[Edge], most: int) -> dict[Hashable, tuple[float, float]]:
    """Place each layer in the order of its parents, in as many rows as it takes, centered."""
    parents: dict[Hashable, list[Hashable]] = {name: [] for name in layer}
    for parent, child in arrows:
        parents[child].append(parent)
    layers = [[name for name in layer if layer[name] == at] for at in range(max(layer.values()) + 1)]
    width = min(most, max(map(len, layers)))
    places: dict[Hashable, tuple[float, float]] = {}
    down = 0
    for names in layers:
        above = {name: [places[parent][0] for parent in parents[name]] for name in names}
        # By the mean place of the parents (Sugiyama, Tagawa and Toda 1981), which avoids most
        # crossings.
        names.sort(key=lambda name: sum(above[name]) / len(above[name]) if above[name] else 0.0)
        rows = math.ceil(len(names) / width)
        for row in range(rows):  # nodes that are neighbors in order stay neighbors, one below the other
            own = names[row::rows]
            shift = (width - len(own)) / 2
            places |= {name: (shift + i, 0.0 - down) for i, name in enumerate(own)}
            down += 1
    return places


def _arrow(ax: Axes, start: tuple[float, float], stop: tuple[float, float], *, quiet: bool) -> None:
    bend = 0.0
    if abs(start[1] - stop[1]) > 1:  # outwards, around the nodes between
        bend = 0.15 if stop[0] <= start[0] else -0.15
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "color": GRAY if quiet else "black",
        "alpha": 0.5 if quiet else 1.0,
        "linewidth": 1.0 if quiet else 1.6,
        "shrinkA": 12,
        "shrinkB": 14,
        "connectionstyle": f"arc3,rad={bend}",
    }
    ax.annotate("", xy=stop, xytext=start, arrowprops=style, zorder=1 if quiet else 2)
