"""The layout of every plot: a clean Axes, figures that grow, panels side by side, readable names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from hornbook.plots.canvas._palette import GRAY, color, marker
from hornbook.plots.canvas._text import cut, inches, name_text, shortened, unmarked, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

__all__ = [
    "GRAY",
    "MOST_PANELS",
    "at_least",
    "axes",
    "color",
    "cut",
    "figure_of",
    "fits_under",
    "grow",
    "is_own",
    "lay_out_panels",
    "marker",
    "name_rows",
    "name_ticks",
    "panel_grid",
    "panel_title",
    "side_by_side",
]

MOST_PANELS = 16
SMALL = 8.0  # points
_USUAL = 9.5  # points of a name beside or under a plot
_MOST_NAMES = 40  # names under a plot
_LONGEST = 28  # letters of a line of a name that is written upright or beside a row
_MOST_LINES = 3  # of a name beside a row
_ONE_LINE = 48  # letters of a name beside one of many rows
_FEW = 15  # rows whose names may take several lines
_LINE_HEIGHT = 1.35  # in font sizes
_BODY = (1.9, 1.3)  # inches of a small panel without its names
_GAP = 0.14  # inches between the names of a panel and its neighbor
_LEAST = 0.4  # fraction of a given size that small panels keep when their names are long
_TITLE = 26  # letters of a line above a small panel

# Figures that were created here and may grow; the caller's figure keeps its size.
_OWN: WeakSet[Figure] = WeakSet()


def axes(ax: Axes | None, size: tuple[float, float] = (6.0, 4.2)) -> Axes:
    """Return the Axes to draw on: the caller's, or that of a new figure of this size in inches."""
    if ax is None:
        from matplotlib.figure import Figure  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

        # Not pyplot: its global list of figures would keep every plot alive, and is not safe in
        # threads.
        figure = Figure(figsize=size, layout="constrained")
        _OWN.add(figure)
        ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    return ax


def figure_of(ax: Axes) -> Figure:
    """Return the top-level figure of an Axes, outside any subfigures."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def is_own(ax: Axes) -> bool:
    """Return whether the figure was created here, so that it may be resized."""
    return figure_of(ax) in _OWN


def grow(ax: Axes, wide: float = 0.0, high: float = 0.0) -> None:
    """Enlarge a figure created here by some inches, so that names do not take space from the plot."""
    if is_own(ax):
        width, height = figure_of(ax).get_size_inches()
        figure_of(ax).set_size_inches(width + wide, height + high)


def at_least(ax: Axes, high: float) -> None:
    """Make a figure created here at least this many inches high."""
    if is_own(ax):
        width, height = figure_of(ax).get_size_inches()
        figure_of(ax).set_size_inches(width, max(height, high))


def side_by_side(
    ax: Axes | None, size: tuple[float, float], shares: tuple[float, float] = (1.0, 1.0)
) -> tuple[Axes, Axes]:
    """Divide an Axes into two, as a color bar does: it becomes the left one, and a new one is added.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        The Axes; a new figure when left out.
    size : tuple of float
        Width and height of the new figure in inches.
    shares : tuple of float, default (1.0, 1.0)
        How wide the two are, relative to each other.

    Returns
    -------
    left, right : matplotlib Axes
        Both.

    Examples
    --------
    >>> left, right = side_by_side(None, (8.0, 3.0))
    >>> left.figure is right.figure
    True
    """
    left = axes(ax, size)
    figure, spec = figure_of(left), left.get_subplotspec()
    if spec is not None:
        parts = spec.subgridspec(1, 2, width_ratios=shares, wspace=None if is_own(left) else 0.35)
        left.set_subplotspec(parts[0])
        return left, axes(figure.add_subplot(parts[1]))
    place = left.get_position()
    # Without a grid the Axes has a fixed place; 0.8 leaves a gap for the names of the right part.
    wide = 0.8 * place.width * shares[0] / sum(shares)
    left.set_position((place.x0, place.y0, wide, place.height))
    rest = 0.8 * place.width - wide
    return left, axes(figure.add_axes((place.x1 - rest, place.y0, rest, place.height)))


def panel_grid(ax: Axes | None, count: int) -> tuple[Axes, list[Axes]]:
    """Divide an Axes into at most `MOST_PANELS` small ones; it keeps the title and the legend.

    When they are drawn, `lay_out_panels` gives them their places.
    """
    shown = min(count, MOST_PANELS)
    across = _across(shown)
    ax = axes(ax, size=(1.0 + _BODY[0] * across, 0.6 + _BODY[1] * math.ceil(max(1, shown) / across)))
    ax.set_axis_off()
    return ax, [_panel(ax) for _ in range(shown)]


def _across(shown: int) -> int:
    return min(4, max(1, math.ceil(math.sqrt(shown))))


def _panel(ax: Axes) -> Axes:
    # Placed later by a locator: how much room names need is known only when they are written.
    small = ax.inset_axes((0.0, 0.0, 1.0, 1.0))
    small.spines[["top", "right"]].set_visible(False)
    small.tick_params(labelsize=SMALL, length=2)
    small.locator_params(axis="y", nbins=3)
    small.set_axisbelow(True)
    return small


def lay_out_panels(ax: Axes, panels: Sequence[Axes]) -> None:
    """Position small panels, with as much space between them as their names need."""
    if not panels:
        return
    across = _across(len(panels))
    margins = np.array([_margins(panel) for panel in panels])
    columns = [slice(j, None, across) for j in range(across)]
    rows = [slice(i, i + across) for i in range(0, len(panels), across)]
    # One margin per column and row of panels, the largest, so that panels line up.
    left = np.array([margins[own, 0].max() for own in columns]) + _GAP
    above = np.array([margins[own, 1].max() for own in rows])
    below = np.array([margins[own, 2].max() for own in rows]) + _GAP
    gaps = left[1:], below[:-1] + above[1:]
    size = _BODY[0] * across + gaps[0].sum(), _BODY[1] * len(rows) + gaps[1].sum()
    body = _BODY
    if is_own(ax):
        figure_of(ax).set_size_inches(size[0] + left[0] + 0.2, size[1] + above[0] + below[-1] + 0.2)
    else:  # the panels share what the names leave
        size = max(_width(ax), 0.1), max(_height(ax), 0.1)
        body = _left_over(size[0], gaps[0], across), _left_over(size[1], gaps[1], len(rows))
    x = np.concatenate([[0.0], np.cumsum(body[0] + gaps[0])]) / size[0]
    y = 1 - (np.concatenate([[0.0], np.cumsum(body[1] + gaps[1])]) + body[1]) / size[1]
    for i, panel in enumerate(panels):
        row, column = divmod(i, across)
        bounds = float(x[column]), float(y[row]), body[0] / size[0], body[1] / size[1]
        # A locator is asked on every draw, so that panels follow when the figure is resized.
        panel.set_axes_locator(_Place(ax, bounds))


def _margins(panel: Axes) -> tuple[float, float, float]:
    """Return the inches that the names of a panel take to its left, above it and below it."""
    outer, inner = panel.get_tightbbox(), panel.get_window_extent()
    assert outer is not None
    sides = inner.x0 - outer.x0, outer.y1 - inner.y1, inner.y0 - outer.y0
    left, above, below = (float(side / figure_of(panel).dpi) for side in sides)
    return left, above, below


def _left_over(size: float, gaps: NDArray[np.float64], count: int) -> float:
    """Return the inches for each panel; gaps that take most of the space are reduced."""
    most = (1 - _LEAST) * size
    if gaps.sum() > most:
        gaps *= most / gaps.sum()
    return float(size - gaps.sum()) / count


@dataclass(frozen=True)
class _Place:
    """Position of a small panel within a large one, in fractions of its size."""

    within: Axes
    bounds: tuple[float, float, float, float]

    def __call__(self, panel: Any, _renderer: object) -> Bbox:
        from matplotlib.transforms import Bbox, TransformedBbox  # noqa: PLC0415  as above

        figure = panel.get_figure(root=False)
        place = TransformedBbox(Bbox.from_bounds(*self.bounds), self.within.transAxes - figure.transSubfigure)
        return Bbox(place.get_points())


def panel_title(panel: Axes, name: str) -> None:
    """Write a name above a small panel, in up to three lines."""
    panel.set_title(wrapped(cut(name, 3 * _TITLE), _TITLE), fontsize=9.0)


def fits_under(ax: Axes, labels: Sequence[object]) -> bool:
    """Return whether names fit side by side under a plot, each in at most two lines."""
    # Six percent of each place stay free, or neighboring names would touch.
    room = 0.94 * _width(ax) / max(1, len(labels))
    return all(_two_lines(name_text(label), room, _USUAL) is not None for label in labels)


def name_ticks(ax: Axes, labels: Sequence[object], *, small: bool = False) -> bool:
    """Write a name under each of the positions 0, 1, 2, ...; too many become a count, and return False."""
    size = SMALL if small else _USUAL
    width = _BODY[0] if small and is_own(ax) else _width(ax)
    if len(labels) > _MOST_NAMES or width / max(1, len(labels)) < size / 72 * _LINE_HEIGHT:
        ax.set_xticks([])
        ax.set_xlabel(f"{len(labels)} levels", fontsize=SMALL)
        return False
    room = 0.94 * width / max(1, len(labels))
    names = shortened(labels, _LONGEST)
    flat = [_two_lines(name, room, size) for name in names]
    upright = None in flat
    shown = names if upright else [name or "" for name in flat]
    ax.tick_params(axis="x", length=0, labelsize=size, labelrotation=90 if upright else 0)
    ax.set_xticks(range(len(names)), shown)
    unmarked(ax.get_xticklabels())
    if upright and not small:
        grow(ax, high=max(inches(name, size) for name in names) - 0.2)
    return True


def name_rows(ax: Axes, labels: Sequence[object], size: float = 9.0) -> None:
    """Write a name next to each of the positions 0, 1, 2, ... from the top; few long names are wrapped."""
    count = max(1, len(labels))
    longest = _LONGEST * _MOST_LINES if count <= _FEW and is_own(ax) else _ONE_LINE
    texts = shortened(labels, longest)
    names = [wrapped(text, _LONGEST) for text in texts] if longest > _ONE_LINE else texts
    most = max([name.count("\n") + 1 for name in names], default=1)
    at_least(ax, 1.2 + count * most * size * _LINE_HEIGHT / 72)
    if not is_own(ax):
        size = min(size, _height(ax) / count / most * 72 / _LINE_HEIGHT)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, labelsize=size)
    unmarked(ax.get_yticklabels())
    ax.set_ylim(len(names) - 0.4, -0.6)
    grow(ax, max([inches(name, size) for name in names], default=0.0))


def _width(ax: Axes) -> float:
    return float(ax.get_window_extent().width / figure_of(ax).dpi)


def _height(ax: Axes) -> float:
    return float(ax.get_window_extent().height / figure_of(ax).dpi)


def _two_lines(name: str, room: float, size: float) -> str | None:
    """Break a name at its spaces so that it fits into two lines of this width; None when it does not."""
    words = name.split(" ")
    breaks = [" ".join(words[:i]) + "\n" + " ".join(words[i:]) for i in range(1, len(words))]
    # Preferred in this order: fits, one line, least width.
    best = min(
        [name, *breaks], key=lambda text: (inches(text, size) > room, "\n" in text, inches(text, size))
    )
    return best if inches(best, size) <= room else None
