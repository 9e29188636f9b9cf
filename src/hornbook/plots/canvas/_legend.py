"""Legends beside the picture: all names readable, in as many columns as fit, nothing covered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from hornbook.plots.canvas._canvas import at_least, figure_of, grow, is_own
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.canvas._text import inches, name_text, shortened, unmarked, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

__all__ = ["class_legend", "legend"]

_SIZE = 9.0  # points
_LINE = 34  # letters of a line of a name
_MOST_LINES = 3
_PAD = 0.12  # inches between picture and legend
_HIGHEST = 6.0  # inches of a legend in a figure that may grow
_AROUND = 0.9  # inches above and below the picture
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
    """Say which color and marker each class has; classes beyond the palette share one entry.

    Parameters
    ----------
    ax : matplotlib Axes
        The picture.
    labels : sequence
        All classes, in the order of their colors.
    kind : {"marker", "patch", "line"}, default "marker"
        What classes are drawn as.
    shown : sequence of int, optional
        The classes that occur in the picture; all when left out.
    more : sequence of (handle, str), default ()
        Further entries.
    title : str, optional
        What is written above the names.
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
    from matplotlib.lines import Line2D  # noqa: PLC0415  only people who draw should wait for matplotlib
    from matplotlib.patches import Patch  # noqa: PLC0415  as above

    if kind == "patch":
        return Patch(color=shade)
    if kind == "line":
        return Line2D([], [], color=shade, linewidth=2)
    return Line2D([], [], color=shade, marker=shape, linestyle="none", markersize=6)


def legend(ax: Axes, handles: Sequence[Any], names: Sequence[object], *, title: str | None = None) -> Legend:
    """Draw the legend to the right of the picture; a figure of our own grows, another Axes makes room.

    Long names are broken into lines; only beyond three lines the middle of a name is left out.
    """
    figure, room = figure_of(ax), ax.get_window_extent()
    line = _LINE
    if not is_own(ax):  # at most some half of the width is for names
        line = max(_SHORTEST_LINE, min(_LINE, int(0.4 * room.width / figure.dpi / inches("n", _SIZE))))
    texts = [wrapped(text, line) for text in shortened(names, line * _MOST_LINES)]
    columns = 1
    most = max(room.height, _HIGHEST * figure.dpi) if is_own(ax) else room.height
    drawn = _placed(ax, handles, texts, columns, title)
    while drawn.get_window_extent().height > most and columns < len(texts):
        columns += 1
        drawn = _placed(ax, handles, texts, columns, title)
    wide = drawn.get_window_extent().width / figure.dpi + _PAD
    if is_own(ax):
        grow(ax, wide)
        at_least(ax, drawn.get_window_extent().height / figure.dpi + _AROUND)
    elif figure.get_layout_engine() is None:
        _make_room(ax, wide * figure.dpi / room.width)
    return drawn


def _placed(ax: Axes, handles: Sequence[Any], texts: list[str], columns: int, title: str | None) -> Legend:
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415  as above

    drawn = ax.legend(
        handles,
        texts,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        bbox_transform=ax.transAxes + ScaledTranslation(_PAD, 0, figure_of(ax).dpi_scale_trans),
        borderaxespad=0.0,
        ncols=columns,
        frameon=False,
        fontsize=_SIZE,
        title=None if title is None else name_text(title),
        title_fontsize=_SIZE,
        alignment="left",
    )
    unmarked(drawn.get_texts())
    return drawn


def _make_room(ax: Axes, share: float) -> None:
    """Make the Axes of somebody else's figure narrower, as a color bar does."""
    place = ax.get_position()
    ax.set_position((place.x0, place.y0, place.width * max(_LEAST_KEPT, 1 - share), place.height))
