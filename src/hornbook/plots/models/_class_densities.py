"""How each column is distributed within each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import (
    GRAY,
    MOST_PANELS,
    grow,
    lay_out_panels,
    name_ticks,
    panel_grid,
    panel_title,
)
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import ClassStyle, class_styles
from hornbook.plots.canvas._text import name_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Panel", "class_densities"]

_MOST_FILLED = 8  # curves over filled areas
_MOST_BARS = 6  # classes whose bars have room side by side
_MOST_LEVELS = 12
_MOST_RUG = 400  # rows of a class
_RUG = 0.07  # height of a row's line, of the panel's


@dataclass(frozen=True, eq=False)
class Panel:
    """One column as drawn by `class_densities`.

    Parameters
    ----------
    name : str
        Name of the column.
    x : array-like of shape (n,)
        Where the densities were evaluated, or the levels of the column.
    curves : mapping of class to array-like of shape (n,)
        For each class the density at each ``x``, or the probability of each level.
    kind : {"density", "bars"}, default "density"
        Curves over a numeric column, or grouped bars over the levels of a nominal or ordinal one; of more
        than 12 levels those with the largest probabilities are drawn.
    rows : mapping of class to array-like, optional
        Numbers of rows of each class, drawn as a short line each under the curves; missing ones are left out.
    shares : mapping of class to array-like of shape (n,), optional
        Fraction of each level among the rows of each class, drawn as diamonds over the bars.

    Examples
    --------
    >>> Panel("sound", ["crisp", "dull"], {"ripe": [0.2, 0.8], "unripe": [0.6, 0.4]}, kind="bars").name
    'sound'
    """

    name: str
    x: ArrayLike | Sequence[object]
    curves: Mapping[Any, ArrayLike]
    kind: Literal["density", "bars"] = "density"
    rows: Mapping[Any, ArrayLike] | None = None
    shares: Mapping[Any, ArrayLike] | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("density", "bars"):
            raise ValueError(f"Panel '{self.name}': 'kind' must be 'density' or 'bars'; got {self.kind!r}.")
        if not self.curves:
            raise ValueError(f"Panel '{self.name}': 'curves' must have at least one class; got none.")
        places = np.shape(np.asarray(self.x))
        for label, curve in self.curves.items():
            shape = np.shape(np.asarray(curve))
            if len(places) != 1 or shape != places:
                raise ValueError(
                    f"Panel '{self.name}': 'x' and every curve must be lists of the same length; "
                    f"got shape {places} for 'x' and {shape} for class '{label}'."
                )


def class_densities(panels: Sequence[Panel], ax: Axes | None = None) -> Axes:
    """Draw one small panel per column: a density curve or a group of bars for each class.

    Parameters
    ----------
    panels : sequence of Panel
        The columns; the first 16 are drawn, and the title says how many there are.
    ax : matplotlib Axes, optional
        Where to draw; the panels are inset Axes of it (``ax.child_axes``). A new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> size = Panel("size", [1.0, 2.0, 3.0], {"a": [0.1, 0.8, 0.1], "b": [0.5, 0.3, 0.2]})
    >>> ax = class_densities([size])
    >>> [line.get_ydata().tolist() for line in ax.child_axes[0].lines]
    [[0.1, 0.8, 0.1], [0.5, 0.3, 0.2]]
    """
    if not panels:
        raise ValueError("class_densities: 'panels' must have at least one panel; got none.")
    classes = list(dict.fromkeys(label for panel in panels for label in panel.curves))
    looks = dict(zip(classes, class_styles(len(classes)), strict=True))
    ax, places = panel_grid(ax, len(panels))
    for place, panel in zip(places, panels, strict=False):
        draw = _density if panel.kind == "density" else _levels
        draw(place, panel, looks)
        # Densities start at 0; differences, or log densities, may be negative.
        if min(_numbers(curve).min() for curve in panel.curves.values()) >= 0:
            place.set_ylim(bottom=0)
        else:
            place.axhline(0, color=GRAY, linewidth=0.8)
        if panel.rows is not None:
            _rug(place, panel.rows, looks)
        panel_title(place, name_text(panel.name))
    lay_out_panels(ax, places)
    if len(panels) > MOST_PANELS:
        ax.set_title(f"The first {MOST_PANELS} of {len(panels)} columns", pad=28)
        grow(ax, high=0.4)
    seen = any(panel.rows is not None or panel.shares is not None for panel in panels[:MOST_PANELS])
    class_legend(ax, classes, "patch", more=_marks(panels[:MOST_PANELS]) if seen else ())
    return ax


def _marks(panels: Sequence[Panel]) -> list[tuple[Any, str]]:
    """Return the legend entries of what is drawn of rows."""
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    rows = Line2D([], [], linestyle="none", marker="|", color=GRAY, markersize=7)
    shares = Line2D(
        [], [], linestyle="none", marker="D", markersize=4.5, color="white", markeredgecolor="black"
    )
    entries = [(rows, "rows")] if any(panel.rows is not None for panel in panels) else []
    return entries + (
        [(shares, "shares among the rows")] if any(p.shares is not None for p in panels) else []
    )


def _density(place: Axes, panel: Panel, looks: Mapping[Any, ClassStyle]) -> None:
    x = _numbers(panel.x)
    crowded = len(panel.curves) > _MOST_FILLED
    for label, curve in panel.curves.items():
        y = _numbers(curve)
        place.plot(x, y, color=looks[label].color, linewidth=1.0 if crowded else 1.6)
        if not crowded:
            place.fill_between(x, y, color=looks[label].color, alpha=0.12, linewidth=0)
    place.margins(x=0)
    place.locator_params(axis="x", nbins=4)


def _rug(place: Axes, rows: Mapping[Any, ArrayLike], looks: Mapping[Any, ClassStyle]) -> None:
    """Draw a rug: a short line under the curves for each row, in the color of its class."""
    from matplotlib.collections import LineCollection  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    bottom, top = place.get_ylim()
    tall = _RUG * (top - bottom)
    known = [
        (label, values[np.isfinite(values)]) for label, values in ((k, _numbers(v)) for k, v in rows.items())
    ]
    for label, values in known:
        shown = values[thinned(len(values), _MOST_RUG)]
        ends = np.stack(
            [np.column_stack([shown, np.full(len(shown), bottom - t)]) for t in (0.0, tall)], axis=1
        )
        shade = looks[label].color if label in looks else GRAY
        place.add_collection(
            LineCollection(list(ends), colors=shade, linewidths=0.8, alpha=0.7), autolim=False
        )
    place.set_ylim(bottom - 1.2 * tall, top)
    everything = np.concatenate([values for _, values in known] or [np.zeros(0)])
    if len(everything):
        low, high = place.get_xlim()
        place.set_xlim(min(low, float(everything.min())), max(high, float(everything.max())))


def _levels(place: Axes, panel: Panel, looks: Mapping[Any, ClassStyle]) -> None:
    """Draw the bars of one level side by side, one per class, centered on the level; many classes as dots."""
    heights = np.array([_numbers(curve) for curve in panel.curves.values()])
    levels = list(np.asarray(panel.x))
    chosen = np.arange(len(levels))
    if len(levels) > _MOST_LEVELS:
        # Levels by their largest share in any class.
        chosen = np.sort(np.argsort(-np.abs(heights).max(axis=0), kind="stable")[:_MOST_LEVELS])
    width = 0.8 / len(panel.curves)
    crowded = len(panel.curves) > _MOST_BARS
    for i, (label, curve) in enumerate(panel.curves.items()):
        shift = (i - (len(panel.curves) - 1) / 2) * width
        at, tall, look = np.arange(len(chosen)) + shift, _numbers(curve)[chosen], looks[label]
        if crowded:
            place.scatter(at, tall, s=7, color=look.color, marker=look.marker, linewidths=0)
        else:
            place.bar(at, tall, width=width, color=look.color)
        if panel.shares is not None and label in panel.shares:
            _diamonds(place, at, _numbers(panel.shares[label])[chosen], look, small=crowded)
    name_ticks(place, [levels[i] for i in chosen.tolist()], small=True)
    if len(chosen) < len(levels):
        place.set_xlabel(f"and {len(levels) - len(chosen)} rarer levels", fontsize=8)


def _diamonds(place: Axes, at: Any, shares: Any, look: ClassStyle, *, small: bool) -> None:
    style: dict[str, Any] = {"marker": "D", "edgecolors": "black", "linewidths": 0.6, "zorder": 3}
    place.scatter(at, shares, s=5 if small else 13, color=look.color if small else "white", **style)


def _numbers(values: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)
