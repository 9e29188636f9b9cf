"""Every column of a table at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Column, ColumnProfile, as_frame
from hornbook.plots.canvas._canvas import (
    GRAY,
    MOST_PANELS,
    color,
    grow,
    lay_out_panels,
    name_ticks,
    panel_grid,
    panel_title,
)
from hornbook.plots.canvas._text import name_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["profile"]


def profile(frame: Any, ax: Axes | None = None) -> Axes:
    """Draw one small panel per column: a histogram of numbers, bars for categories.

    The target has its own color, id columns are left out, and the title of a panel says how much of the
    column is missing.

    Parameters
    ----------
    frame : Frame or table
        The table; anything that `hornbook.Frame` takes. The first 16 columns are drawn, and the title says
        how many there are.
    ax : matplotlib Axes, optional
        Where to draw; the panels are inset Axes of it (``ax.child_axes``). A new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = profile({"color": ["red", "red", None, "green"], "size": [1.0, 2.0, 4.0, 8.0]})
    >>> [place.get_title() for place in ax.child_axes]
    ['color, 25 % missing', 'size']
    """
    frame = as_frame(frame)
    shown = [j for j, column in enumerate(frame.schema.columns) if column.role != "id"]
    if not shown or not len(frame):
        raise ValueError(
            f"profile: the table must have rows and a column that is not an id; got {len(frame)} rows "
            f"and {len(shown)} such columns."
        )
    # Profiled as far as it is drawn: the rest of a wide table costs nothing.
    summaries = frame.select(shown[:MOST_PANELS]).profile().columns
    ax, places = panel_grid(ax, len(shown))
    for place, j, summary in zip(places, shown, summaries, strict=False):
        column = frame.schema.columns[j]
        shade = color(1 if column.role == "target" else 0)
        if summary.spread is not None:
            _numbers(place, np.array(summary.spread.edges), np.array(summary.spread.counts), shade)
            if column.source == "date":
                _show_dates(place)
        else:
            _levels(place, column, summary, len(frame), shade)
        place.locator_params(axis="y", integer=True)
        panel_title(place, _title(summary))
    lay_out_panels(ax, places)
    if len(shown) > MOST_PANELS:
        ax.set_title(f"The first {MOST_PANELS} of {len(shown)} columns", pad=28)
        grow(ax, high=0.4)
    return ax


def _numbers(place: Axes, edges: NDArray[np.float64], counts: NDArray[np.int64], shade: str) -> None:
    if edges[0] == edges[-1]:  # bins without width would not be seen
        edges, counts = edges[0] + np.array([-0.5, 0.5]), counts.sum(keepdims=True)
    place.bar(edges[:-1], counts, np.diff(edges), align="edge", color=shade)


def _show_dates(place: Axes) -> None:
    """Label days since 1970, the unit of matplotlib, too, as dates."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter  # noqa: PLC0415  slow, seldom needed

    locator = AutoDateLocator(maxticks=4)  # type: ignore[no-untyped-call]  # matplotlib.dates has no types
    place.xaxis.set_major_locator(locator)
    place.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # nor here


def _levels(place: Axes, column: Column, summary: ColumnProfile, n_rows: int, shade: str) -> None:
    """Draw bars of the most frequent levels, in order if they are ordered, and one bar for all others."""
    counts = dict(summary.frequent)
    names = (
        [level for level in column.levels if level in counts] if column.kind == "ordinal" else list(counts)
    )
    place.bar(np.arange(len(names)), [counts[name] for name in names], width=0.8, color=shade)
    others = summary.n_distinct - len(names)
    if others:
        rest = n_rows - summary.n_missing - sum(counts.values())
        place.bar(len(names), rest, width=0.8, color=GRAY)
    name_ticks(place, [*names, f"{others} others"] if others else names, small=True)


def _title(summary: ColumnProfile) -> str:
    name = name_text(summary.name)
    role = "" if summary.role == "feature" else f" ({summary.role})"
    if not summary.n_missing:
        return f"{name}{role}"
    share = f"{100 * summary.missing_share:.0f}" if summary.missing_share >= 0.005 else "under 1"
    return f"{name}{role}, {share} % missing"
