"""Boxes and arrows: the steps of a process, and what they pass on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._text import unmarked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["flow"]

Arrow = tuple[str, str]

_LINE = 16  # letters of a line in a box
_CELL = (1.75, 1.05)  # inches from one box to the next
_AROUND = 0.62  # cells beyond the outer boxes


def flow(
    boxes: Mapping[str, tuple[float, float]],
    arrows: Sequence[Arrow],
    ax: Axes | None = None,
    *,
    labels: Mapping[Arrow, str] | None = None,
    bends: Mapping[Arrow, float] | None = None,
    plain: Collection[str] = (),
    title: str = "",
) -> Axes:
    """Draw boxes in columns and rows, with arrows between them.

    Parameters
    ----------
    boxes : mapping of str to (column, row)
        The text of each box and its place; rows are counted downward. Long texts are wrapped.
    arrows : sequence of (str, str)
        From which box to which.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    labels : mapping of arrow to str, optional
        Words beside arrows.
    bends : mapping of arrow to float, optional
        How much an arrow is curved: 0, the default, is straight, positive to its right.
    plain : collection of str, default ()
        Boxes without color: data and results rather than steps.
    title : str, default ""
        Title of the diagram.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = flow({"data": (0, 0), "learn": (1, 0), "model": (2, 0)}, [("data", "learn"), ("learn", "model")])
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['data', 'learn', 'model']
    """
    ends = {end for arrow in arrows for end in arrow} | set(plain)
    if not boxes or not ends <= set(boxes):
        lacking = sorted(ends - set(boxes))
        what = f"{lacking[0]!r}, which has none" if lacking else "no box"
        raise ValueError(f"flow: 'boxes' must have a place for every box; got {what}.")
    columns, rows = zip(*boxes.values(), strict=True)
    wide, high = max(columns) - min(columns), max(rows) - min(rows)
    ax = axes(ax, size=(_CELL[0] * (wide + 1) + 0.4, _CELL[1] * (high + 1) + 0.4))
    ax.set_axis_off()
    ax.set_xlim(min(columns) - _AROUND, max(columns) + _AROUND)
    ax.set_ylim(max(rows) + _AROUND, min(rows) - _AROUND)
    drawn = {name: _box(ax, name, place, plain=name in plain) for name, place in boxes.items()}
    for arrow in arrows:
        bend = (bends or {}).get(arrow, 0.0)
        _arrow(ax, boxes[arrow[0]], boxes[arrow[1]], drawn[arrow[0]], drawn[arrow[1]], bend)
        words = (labels or {}).get(arrow, "")
        if words:
            _label(ax, words, boxes[arrow[0]], boxes[arrow[1]], bend)
    ax.set_title(title)
    unmarked(ax.texts)
    return ax


def _box(ax: Axes, name: str, place: tuple[float, float], *, plain: bool) -> Any:
    face, letters = ("white", "black") if plain else (color(0), "white")
    style = {"boxstyle": "round,pad=0.4", "facecolor": face, "edgecolor": GRAY if plain else "none"}
    # At spaces only: the words of a step are short, and a broken one would be hard to read.
    text = "\n".join(fill(line, _LINE, break_long_words=False) for line in name.split("\n"))
    return ax.text(*place, text, ha="center", va="center", color=letters, fontsize=9, bbox=style, zorder=3)


def _arrow(
    ax: Axes, start: tuple[float, float], stop: tuple[float, float], behind: Any, ahead: Any, bend: float
) -> None:
    # Cut off at the edges of both boxes, whose sizes are known only when they are drawn.
    style = {
        "arrowstyle": "-|>",
        "color": GRAY,
        "linewidth": 1.4,
        "connectionstyle": f"arc3,rad={bend}",
        "patchA": behind.get_bbox_patch(),
        "patchB": ahead.get_bbox_patch(),
        "shrinkA": 2,
        "shrinkB": 2,
    }
    ax.annotate("", xy=stop, xytext=start, arrowprops=style, zorder=1)


def _label(ax: Axes, words: str, start: tuple[float, float], stop: tuple[float, float], bend: float) -> None:
    # The middle of the arc lies half the bend to the right of the straight line; rows grow downward.
    way = stop[0] - start[0], stop[1] - start[1]
    x = (start[0] + stop[0]) / 2 - 0.5 * bend * way[1] * _CELL[1] / _CELL[0]
    y = (start[1] + stop[1]) / 2 + 0.5 * bend * way[0] * _CELL[0] / _CELL[1]
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    ax.text(x, y, words, ha="center", va="center", fontsize=8, color="#444444", bbox=box, zorder=2)
