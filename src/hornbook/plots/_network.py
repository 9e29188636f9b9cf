"""A network of names and arrows, in layers from the top."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hornbook.plots._canvas import GREY, axes, colour, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["network"]

Edge = tuple[Hashable, Hashable]


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
        Nodes whose arrows are grey, such as a class that is the parent of every column.
    labels : mapping of pair to str, optional
        Words beside arrows.
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
    places = _places(_layers(names, arrows), arrows)
    widest = max(x for x, _ in places.values()) + 1
    deepest = 1 - min(y for _, y in places.values())
    ax = axes(ax, size=(min(2.0 + 1.3 * widest, 14.0), min(1.2 + 1.0 * deepest, 12.0)))
    ax.set_axis_off()
    quiet = set(faint)
    for arrow in arrows:
        _arrow(ax, places[arrow[0]], places[arrow[1]], quiet=arrow[0] in quiet)
    for (parent, child), words in (labels or {}).items():
        (x, y), (right, down) = places[parent], places[child]
        ax.text((x + right) / 2, (y + down) / 2, words, fontsize=8, ha="center", va="center", color=GREY)
    for name, (x, y) in places.items():
        box: dict[str, Any] = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": colour(0)}
        ax.text(x, y, cut(str(name), 20), ha="center", va="center", fontsize=9.5, bbox=box, zorder=3)
    ax.set_xlim(-0.7, widest - 0.3)
    ax.set_ylim(-deepest + 0.5, 0.5)
    return ax


def _layers(names: list[Hashable], arrows: list[Edge]) -> dict[Hashable, int]:
    """The longest way from the top to each node."""
    layer = dict.fromkeys(names, 0)
    for _ in names:
        moved = False
        for parent, child in arrows:
            if layer[child] <= layer[parent]:
                layer[child], moved = layer[parent] + 1, True
        if not moved:
            return layer
    raise ValueError("network: the edges must not form a cycle, and here some do: leave one of them out.")


def _places(layer: dict[Hashable, int], arrows: list[Edge]) -> dict[Hashable, tuple[float, float]]:
    """Each layer in the order of its parents, spread over the width of the widest."""
    depth = max(layer.values()) + 1
    rows = [[name for name in layer if layer[name] == at] for at in range(depth)]
    width = max(map(len, rows))
    places: dict[Hashable, tuple[float, float]] = {}
    for at, row in enumerate(rows):
        above = {
            name: [places[parent][0] for parent, child in arrows if child == name and parent in places]
            for name in row
        }
        row.sort(key=lambda name: sum(above[name]) / len(above[name]) if above[name] else 0.0)
        shift = (width - len(row)) / 2
        places |= {name: (shift + i, 0.0 - at) for i, name in enumerate(row)}
    return places


def _arrow(ax: Axes, start: tuple[float, float], stop: tuple[float, float], *, quiet: bool) -> None:
    bend = 0.0
    if abs(start[1] - stop[1]) > 1:  # outwards, around the nodes between
        bend = 0.15 if stop[0] <= start[0] else -0.15
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "color": GREY if quiet else "black",
        "alpha": 0.5 if quiet else 1.0,
        "linewidth": 1.0 if quiet else 1.6,
        "shrinkA": 12,
        "shrinkB": 14,
        "connectionstyle": f"arc3,rad={bend}",
    }
    ax.annotate("", xy=stop, xytext=start, arrowprops=style, zorder=1 if quiet else 2)
