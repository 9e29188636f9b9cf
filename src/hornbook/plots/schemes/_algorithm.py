"""Algorithms in numbered lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._text import inches, unmarked
from hornbook.plots.schemes._listings import LISTINGS, Listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["algorithm"]

_SIZE = 9.0  # points
_LINE = 0.21  # inches
_INDENT = 0.3  # inches
_NUMBER = 0.42  # inches for the number of a line
_BESIDE = 0.3  # inches before a comment


def algorithm(name: str | Sequence[tuple[int, str, str]], ax: Axes | None = None, *, title: str = "") -> Axes:
    """Draw an algorithm as numbered lines, indented where one is inside another, with comments beside them.

    Parameters
    ----------
    name : str or sequence of (depth, line, comment)
        "decision tree", "AdaBoost", "bagging", "stacking", "k-means", "LVQ" or "DBSCAN", or the lines of
        another algorithm: how far each is indented, its words, and a comment or "".
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot; that of a known algorithm when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = algorithm([(0, "repeat", ""), (1, "take a step", "downhill"), (0, "until it is flat", "")])
    >>> [text.get_text() for text in ax.texts]
    ['1', 'repeat', '2', 'take a step', '# downhill', '3', 'until it is flat']
    """
    if isinstance(name, str) and name not in LISTINGS:
        raise ValueError(f"algorithm: 'name' must be one of {', '.join(LISTINGS)}, or lines; got {name!r}.")
    listing = LISTINGS[name] if isinstance(name, str) else Listing(title, (), tuple(name))
    lines = listing.lines
    starts = [_NUMBER + _INDENT * depth for depth, _, _ in lines]
    ends = [start + inches(words, _SIZE) for start, (_, words, _) in zip(starts, lines, strict=True)]
    beside = max((end for end, (_, _, comment) in zip(ends, lines, strict=True) if comment), default=0.0)
    notes = [inches(f"# {comment}", _SIZE) for _, _, comment in lines if comment]
    wide = max([*ends, *(beside + _BESIDE + note for note in notes), *_heads(listing)])
    high = _LINE * (len(lines) + len(listing.given) + bool(listing.given) * 0.5)
    ax = axes(ax, size=(wide + 0.3, high + 0.7))
    ax.set_axis_off()
    ax.set(xlim=(0, wide), ylim=(high, 0))
    style: dict[str, Any] = {"va": "center", "fontsize": _SIZE}
    for i, words in enumerate(listing.given):
        ax.text(0, _LINE * (i + 0.5), words, style="italic", **style)
    top = _LINE * (len(listing.given) + bool(listing.given) * 0.5)
    for i, ((_, words, comment), start) in enumerate(zip(lines, starts, strict=True)):
        down = top + _LINE * (i + 0.5)
        ax.text(0.22, down, str(i + 1), color=GRAY, ha="right", **style)
        ax.text(start, down, words, **style)
        if comment:
            ax.text(beside + _BESIDE, down, f"# {comment}", color="#00674B", **style)
    ax.set_title(title or listing.title, loc="left", fontsize=10.5, weight="bold")
    unmarked(ax.texts)
    return ax


def _heads(listing: Listing) -> list[float]:
    return [inches(words, _SIZE) for words in listing.given]
