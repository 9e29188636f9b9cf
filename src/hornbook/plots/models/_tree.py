"""A tree as boxes and lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hornbook.plots.canvas._canvas import GRAY, axes, figure_of
from hornbook.plots.canvas._palette import color
from hornbook.plots.canvas._text import cut, name_text, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TreeBox", "tree"]

LONGEST_LINE = 24  # letters in a box
_BRANCH = 14  # letters of a line beside a branch
_NEAR = 0.6  # of the way from a node to its child, where branches are further apart than half way
_CLOSEST = 0.95  # inches between leaves in a figure whose size is given


@dataclass(frozen=True)
class TreeBox:
    """One node of a tree to be drawn.

    Parameters
    ----------
    lines : tuple of str
        Text in the box.
    shade : int or None, default None
        Which class colors the box; None leaves it white.
    strength : float, default 1.0
        How strong the color is, from 0 to 1.
    children : tuple of int, default ()
        Positions of the children in the sequence of boxes.
    branches : tuple of str, default ()
        Label of the line to each child.
    """

    lines: tuple[str, ...]
    shade: int | None = None
    strength: float = 1.0
    children: tuple[int, ...] = ()
    branches: tuple[str, ...] = ()


def tree(boxes: Sequence[TreeBox], ax: Axes | None = None, *, most_leaves: int = 24) -> Axes:
    """Draw a tree from the root downward, each node a box, each branch a line.

    Parameters
    ----------
    boxes : sequence of TreeBox
        The nodes; the first one is the root.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    most_leaves : int, default 24
        Of a larger tree only the upper levels are drawn, with dots where it continues; of a node with more
        children, the first ones.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> root = TreeBox(("sugar <= 0.126",), children=(1, 2), branches=("yes", "no"))
    >>> ax = tree([root, TreeBox(("unripe",), shade=0), TreeBox(("ripe",), shade=1)])
    >>> [text.get_text() for text in ax.texts]
    ['yes', 'no', 'sugar <= 0.126', 'unripe', 'ripe']
    """
    if not boxes:
        raise ValueError("tree: 'boxes' must have at least one node, the root.")
    if ax is not None:
        most_leaves = max(
            2, min(most_leaves, int(ax.get_window_extent().width / figure_of(ax).dpi / _CLOSEST))
        )
    boxes = [_narrowed(_in_lines(box), most_leaves) for box in boxes]
    shown = _shown(boxes, most_leaves)
    places = _places(boxes, shown)
    ax = axes(ax, size=_size(boxes, places))
    ax.set_axis_off()
    for node, (x, y) in places.items():
        for child, text in zip(boxes[node].children, boxes[node].branches, strict=True):
            if child in places:
                _line(ax, (x, y), places[child], wrapped(cut(name_text(text), 3 * _BRANCH), _BRANCH))
    for node, (x, y) in places.items():
        _box(ax, boxes[node], x, y, goes_on=bool(boxes[node].children) and node not in shown)
    across = [x for x, _ in places.values()]
    ax.set_xlim(min(across) - 0.7, max(across) + 0.7)
    ax.set_ylim(-_levels(places) + 0.4, 0.6)
    return ax


def _in_lines(box: TreeBox) -> TreeBox:
    """Return the box with long lines wrapped; only beyond three lines the middle is left out."""
    texts = [wrapped(cut(name_text(line), 3 * LONGEST_LINE), LONGEST_LINE) for line in box.lines]
    return replace(box, lines=tuple(line for text in texts for line in text.split("\n")))


def _narrowed(box: TreeBox, most: int) -> TreeBox:
    """Return the box with no more children than can be drawn."""
    more = len(box.children) - most
    if more <= 0:
        return box
    lines = (*box.lines, f"and {more} more branches")
    return replace(box, lines=lines, children=box.children[:most], branches=box.branches[:most])


def _size(boxes: Sequence[TreeBox], places: dict[int, tuple[float, float]]) -> tuple[float, float]:
    """Return the inches of the plot, so that the widest and the tallest box have room."""
    widest = max(len(line) for node in places for line in boxes[node].lines)
    tallest = max(len(boxes[node].lines) for node in places)
    across = max(1.25, 0.25 + 0.052 * widest) * (1 + max(x for x, _ in places.values()))
    return max(4.5, across), 1.0 + max(1.25, 0.45 + 0.13 * tallest) * _levels(places)


def _shown(boxes: Sequence[TreeBox], most_leaves: int) -> set[int]:
    """Return the inner nodes whose children are drawn: whole levels, as many as there is room for."""
    level, opened, leaves = [0], set[int](), 0
    while level:
        wider = sum(len(boxes[node].children) or 1 for node in level) + leaves
        # At least the root is opened, however wide it is.
        if wider > most_leaves and opened:
            break
        opened |= {node for node in level if boxes[node].children}
        leaves += sum(not boxes[node].children for node in level)
        level = [child for node in level for child in boxes[node].children]
    return opened


def _places(boxes: Sequence[TreeBox], shown: set[int]) -> dict[int, tuple[float, float]]:
    """Place leaves side by side, and parents above the middle of their children."""
    order, depth = [0], {0: 0}
    for node in order:  # grows while it is read
        for child in boxes[node].children if node in shown else ():
            depth[child] = depth[node] + 1
            order.append(child)
    # Every leaf has a column of its own, so that subtrees cannot overlap; denser layouts (Reingold and
    # Tilford 1981) leave no room for the names of branches.
    ends = _from_left_to_right(boxes, shown)
    across = {node: float(i) for i, node in enumerate(ends)}
    for node in reversed(order):
        if node in shown:
            children = boxes[node].children
            # Above the middle of the outer children: labels of a wide node would otherwise drift.
            across[node] = (across[children[0]] + across[children[-1]]) / 2
    return {node: (across[node], -float(depth[node])) for node in order}


def _from_left_to_right(boxes: Sequence[TreeBox], shown: set[int]) -> list[int]:
    ends, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if node in shown:
            waiting += reversed(boxes[node].children)
        else:
            ends.append(node)
    return ends


def _levels(places: dict[int, tuple[float, float]]) -> float:
    return 1 - min(y for _, y in places.values())


def _line(ax: Axes, upper: tuple[float, float], lower: tuple[float, float], text: str) -> None:
    ax.plot([upper[0], lower[0]], [upper[1], lower[1]], color=GRAY, linewidth=1, zorder=1)
    ax.text(
        upper[0] + _NEAR * (lower[0] - upper[0]),
        upper[1] + _NEAR * (lower[1] - upper[1]),
        text,
        ha="center",
        va="center",
        fontsize=7,
        zorder=2,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
    )


def _box(ax: Axes, box: TreeBox, x: float, y: float, *, goes_on: bool) -> None:
    face = (1.0, 1.0, 1.0)
    if box.shade is not None:
        from matplotlib.colors import to_rgb  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

        strength = 0.12 + 0.5 * min(1.0, max(0.0, box.strength))
        red, green, blue = to_rgb(color(box.shade))
        # Mixed with white, so that black text stays readable.
        face = (1 - strength * (1 - red), 1 - strength * (1 - green), 1 - strength * (1 - blue))
    lines = [*box.lines, *(["…"] if goes_on else [])]
    style = {"boxstyle": "round,pad=0.3", "facecolor": face, "edgecolor": GRAY}
    ax.text(x, y, "\n".join(lines), ha="center", va="center", fontsize=7.5, zorder=3, bbox=style)
