"""Legends beside the plot: all names readable, in as many columns as fit, nothing covered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from hornbook.plots.canvas._canvas import at_least, figure_of, grow, is_own
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.canvas._text import inches, name_text, shortened, unmarked, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

__all__ = ["PAD", "class_legend", "legend"]

_SIZE = 9.0  # points
_LINE = 34  # letters of a line of a name
_MOST_LINES = 3
# Points and lines of a name where the figure cannot grow: what is tried before the legend runs out of it.
_TIGHTER = ((_SIZE, 3), (_SIZE, 2), (_SIZE, 1), (7.5, 1), (6.0, 1))
PAD = 0.12  # inches between plot and legend
_HIGHEST = 6.0  # inches of a legend in a figure that may grow
_AROUND = 0.9  # inches above and below the plot
_SHORTEST_LINE = 10
_LEAST_KEPT = 0.3  # of the width of an Axes that makes room


def class_legend(
    ax: Axes,
    labels: Sequence[object],
    kind: Literal["marker", "patch", "line"] = "marker",
    *,
    shown: Sequence[int] | None = None,
    more: Sequence[tuple[Any, str]] = (),
    title: str | None = None,
) -> None:
    """Draw the legend of colors and markers of classes; classes beyond the palette share one entry.

    Parameters
    ----------
    ax : matplotlib Axes
        The plot.
    labels : sequence
        All classes, in the order of their colors.
    kind : {"marker", "patch", "line"}, default "marker"
        How classes are drawn.
    shown : sequence of int, optional
        The classes that occur in the plot; all when left out.
    more : sequence of (handle, str), default ()
        Further entries.
    title : str, optional
        Title above the names.
    """
    styles = class_styles(len(labels))
    places = range(len(labels)) if shown is None else shown
    single = [i for i in places if not styles[i].grouped]
    rest = len(list(places)) - len(single)
    handles = [_handle(styles[i].color, styles[i].marker, kind) for i in single]
    names = [labels[i] for i in single]
    if rest:
        handles.append(_handle(styles[-1].color, styles[-1].marker, kind))
        names.append(f"{rest} other classes")
    handles += [handle for handle, _ in more]
    names += [name for _, name in more]
    if handles:
        legend(ax, handles, names, title=title)


def _handle(shade: str, shape: str, kind: str) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it
    from matplotlib.patches import Patch  # noqa: PLC0415  as above

    if kind == "patch":
        return Patch(color=shade)
    if kind == "line":
        return Line2D([], [], color=shade, linewidth=2)
    return Line2D([], [], color=shade, marker=shape, linestyle="none", markersize=6)


def legend(
    ax: Axes,
    handles: Sequence[Any],
    names: Sequence[object],
    *,
    notes: Sequence[str] = (),
    title: str | None = None,
) -> Legend:
    """Draw the legend to the right of the plot; our own figure grows, another Axes makes room.

    Long names are wrapped; only beyond three lines, or fewer where there is less room, the middle of a name
    is left out. Notes follow the names and are never cut.
    """
    figure, room = figure_of(ax), ax.get_window_extent()
    suffixes = notes or [""] * len(names)
    if is_own(ax):
        texts = _broken(names, suffixes, _LINE, _MOST_LINES)
        most = max(room.height, _HIGHEST * figure.dpi)
        # Measured after drawing: only the renderer knows how wide a font really is.
        drawn = _in_columns(ax, handles, texts, title, _SIZE, most, math.inf)
        grow(ax, drawn.get_window_extent().width / figure.dpi + PAD)
        at_least(ax, drawn.get_window_extent().height / figure.dpi + _AROUND)
        return drawn
    widest = (1 - _LEAST_KEPT) * room.width - PAD * figure.dpi
    for size, lines in _TIGHTER:
        # Names get at most about half of the width.
        line = max(_SHORTEST_LINE, min(_LINE, int(0.4 * room.width / figure.dpi / inches("n", size))))
        texts = _broken(names, suffixes, line, lines)
        drawn = _in_columns(ax, handles, texts, title, size, room.height, widest)
        extent = drawn.get_window_extent()
        # The first form that fits; the last is kept even if it does not.
        if extent.height <= room.height and extent.width <= widest:
            break
    # With a layout engine, matplotlib makes room by itself.
    if figure.get_layout_engine() is None:
        _make_room(ax, (extent.width + PAD * figure.dpi) / room.width)
    return drawn


def _broken(names: Sequence[object], notes: Sequence[str], line: int, lines: int) -> list[str]:
    """Return names with their notes, wrapped to about so many lines; a note is not wrapped."""
    longest = max(_SHORTEST_LINE, line * lines - max(map(len, notes), default=0))
    texts = []
    for name, note in zip(shortened(names, longest), notes, strict=True):
        text = name if lines == 1 else wrapped(name, line)
        beside = lines == 1 or len(text.rpartition("\n")[2]) + len(note) <= line
        texts.append(f"{text}{note}" if beside else f"{text}\n{note.lstrip()}")
    return texts


def _in_columns(
    ax: Axes,
    handles: Sequence[Any],
    texts: list[str],
    title: str | None,
    size: float,
    highest: float,
    widest: float,
) -> Legend:
    """Draw the legend in as few columns as its maximum height allows, or as many as fit the width."""
    columns = 1
    drawn = _placed(ax, handles, texts, columns, title, size)
    while drawn.get_window_extent().height > highest and columns < len(texts):
        # One more column would be about as wide as the present ones on average.
        if drawn.get_window_extent().width * (columns + 1) / columns > widest:
            break
        columns += 1
        drawn = _placed(ax, handles, texts, columns, title, size)
    return drawn


def _placed(
    ax: Axes, handles: Sequence[Any], texts: list[str], columns: int, title: str | None, size: float
) -> Legend:
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415  as above

    drawn = ax.legend(
        handles,
        texts,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        # A fixed gap in inches, whatever the size of the Axes.
        bbox_transform=ax.transAxes + ScaledTranslation(PAD, 0, figure_of(ax).dpi_scale_trans),
        borderaxespad=0.0,
        ncols=columns,
        frameon=False,
        fontsize=size,
        title=None if title is None else name_text(title),
        title_fontsize=size,
        alignment="left",
    )
    unmarked(drawn.get_texts())
    return drawn


def _make_room(ax: Axes, share: float) -> None:
    """Make the Axes of the caller's figure narrower, as a color bar does."""
    place = ax.get_position()
    ax.set_position((place.x0, place.y0, place.width * max(_LEAST_KEPT, 1 - share), place.height))
