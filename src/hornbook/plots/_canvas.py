"""The look of every picture: colours, markers, a clean Axes, a grid of small panels, readable ticks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["GREY", "MOST_PANELS", "axes", "colour", "cut", "marker", "name_ticks", "panel_grid"]

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart, lightest colour last.
_PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
GREY = "#8C8C8C"
MOST_PANELS = 16

_SMALL = 8.0  # points
_ROOM = 62  # characters that fit side by side under a picture, half of them under a small panel
_MOST_NAMES = 40  # names under a picture, and
_MOST_NAMES_SMALL = 12  # under a small panel
_LONGEST = 22  # characters of a name that is written aslant, half of them under a small panel


def colour(i: int) -> str:
    """Colour of the i-th class; the palette starts again after eight."""
    return _PALETTE[i % len(_PALETTE)]


def marker(i: int) -> str:
    """Marker of the i-th class; it changes pace with the colour so that 64 classes look different."""
    return _MARKERS[(i + i // len(_PALETTE)) % len(_MARKERS)]


def axes(ax: Axes | None, size: tuple[float, float] = (6.0, 4.2)) -> Axes:
    """Give back the Axes to draw on: the caller's, or that of a new figure of this size in inches."""
    if ax is None:
        from matplotlib.figure import Figure  # noqa: PLC0415  only people who draw should wait for matplotlib

        ax = Figure(figsize=size, layout="constrained").add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    return ax


def panel_grid(ax: Axes | None, count: int) -> tuple[Axes, list[Axes]]:
    """Divide an Axes into at most `MOST_PANELS` small ones in a grid; it keeps the title and the legend."""
    shown = min(count, MOST_PANELS)
    across = min(4, max(1, math.ceil(math.sqrt(shown))))
    down = max(1, math.ceil(shown / across))
    ax = axes(ax, size=(3.2 + 1.9 * across, 1.4 + 1.7 * down))
    ax.set_axis_off()
    return ax, [_panel(ax, divmod(i, across), across, down) for i in range(shown)]


def _panel(ax: Axes, place: tuple[int, int], across: int, down: int) -> Axes:
    """Make the small Axes at (row, column), with room for its title and its tick labels."""
    row, column = place
    wide = 1 / (across + 0.28 * (across - 1))
    high = 1 / (down + 0.62 * (down - 1))
    small = ax.inset_axes((column * 1.28 * wide, 1 - high - row * 1.62 * high, wide, high))
    small.spines[["top", "right"]].set_visible(False)
    small.tick_params(labelsize=_SMALL, length=2)
    small.locator_params(axis="y", nbins=3)
    small.set_axisbelow(True)
    return small


def name_ticks(ax: Axes, labels: Sequence[object], *, small: bool = False) -> bool:
    """Write a name under each of the places 0, 1, 2, ...; too many names become a count, and False."""
    share = 2 if small else 1
    if len(labels) > (_MOST_NAMES_SMALL if small else _MOST_NAMES):
        ax.set_xticks([])
        ax.set_xlabel(f"{len(labels)} levels", fontsize=_SMALL)
        return False
    names = [str(label) for label in labels]
    ax.tick_params(axis="x", length=0)
    flat = [_two_lines(name, _ROOM // share // max(1, len(names))) for name in names]
    if None not in flat:
        ax.set_xticks(range(len(names)), [name or "" for name in flat])
        return True
    ax.set_xticks(range(len(names)), [cut(name, _LONGEST // share) for name in names])
    for text in ax.get_xticklabels():
        text.set(rotation=35, rotation_mode="anchor", horizontalalignment="right")
    return True


def _two_lines(name: str, width: int) -> str | None:
    """Break a name at its spaces so that it fits into two lines of this width; None when it does not."""
    lines = textwrap.wrap(name, max(1, width), break_long_words=False)
    return "\n".join(lines) if len(lines) <= 2 and max(map(len, lines), default=0) <= width else None


def cut(name: str, longest: int) -> str:
    """Leave out the middle of a long name, so that names which begin alike stay apart."""
    end = (longest - 1) // 2
    return name if len(name) <= longest else f"{name[: longest - 1 - end]}…{name[-end:]}"
