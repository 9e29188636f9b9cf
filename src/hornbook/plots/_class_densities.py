"""How each column is distributed within each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots._canvas import GREY, MOST_PANELS, colour, cut, name_ticks, panel_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Panel", "class_densities"]

_MOST_NAMED = 24  # classes in the legend
_ACROSS = 5  # classes in a line of it


@dataclass(frozen=True, eq=False)
class Panel:
    """What `class_densities` draws of one column.

    Parameters
    ----------
    name : str
        Name of the column.
    x : array-like of shape (n,)
        Where the densities were taken, or the levels of the column.
    curves : mapping of class to array-like of shape (n,)
        For each class the density at each ``x``, or the probability of each level.
    kind : {"density", "bars"}, default "density"
        Curves over a numeric column, or grouped bars over the levels of a nominal or ordinal one.

    Examples
    --------
    >>> Panel("sound", ["crisp", "dull"], {"ripe": [0.2, 0.8], "unripe": [0.6, 0.4]}, kind="bars").name
    'sound'
    """

    name: str
    x: ArrayLike | Sequence[object]
    curves: Mapping[Any, ArrayLike]
    kind: Literal["density", "bars"] = "density"

    def __post_init__(self) -> None:
        if self.kind not in ("density", "bars"):
            raise ValueError(f"Panel '{self.name}': 'kind' must be 'density' or 'bars'; got {self.kind!r}.")
        if not self.curves:
            raise ValueError(f"Panel '{self.name}': 'curves' must have at least one class; got none.")
        places = np.shape(np.asarray(self.x))
        for label, curve in self.curves.items():
            found = np.shape(np.asarray(curve))
            if len(places) != 1 or found != places:
                raise ValueError(
                    f"Panel '{self.name}': 'x' and every curve must be lists of the same length; "
                    f"got shape {places} for 'x' and {found} for class '{label}'."
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
    colours = {label: colour(i) for i, label in enumerate(classes)}
    ax, places = panel_grid(ax, len(panels))
    for place, panel in zip(places, panels, strict=False):
        draw = _density if panel.kind == "density" else _levels
        draw(place, panel, colours)
        if min(_numbers(curve).min() for curve in panel.curves.values()) >= 0:
            place.set_ylim(bottom=0)
        else:
            place.axhline(0, color=GREY, linewidth=0.8)
        place.set_title(cut(panel.name, 32), fontsize=9.5)
    lines = _legend(ax, colours)
    if len(panels) > MOST_PANELS:
        ax.set_title(f"The first {MOST_PANELS} of {len(panels)} columns", pad=28 + 16 * lines)
    return ax


def _density(place: Axes, panel: Panel, colours: Mapping[Any, str]) -> None:
    x = _numbers(panel.x)
    for label, curve in panel.curves.items():
        y = _numbers(curve)
        place.plot(x, y, color=colours[label], linewidth=1.6)
        place.fill_between(x, y, color=colours[label], alpha=0.12, linewidth=0)
    place.margins(x=0)


def _levels(place: Axes, panel: Panel, colours: Mapping[Any, str]) -> None:
    """Bars of one level stand side by side, one per class of this panel, centred on the level."""
    levels = list(np.asarray(panel.x))
    width = 0.8 / len(panel.curves)
    for i, (label, curve) in enumerate(panel.curves.items()):
        shift = (i - (len(panel.curves) - 1) / 2) * width
        place.bar(np.arange(len(levels)) + shift, _numbers(curve), width=width, color=colours[label])
    name_ticks(place, levels, small=True)


def _legend(ax: Axes, colours: Mapping[Any, str]) -> int:
    """Draw one legend for all panels, above their titles; return how many lines it has."""
    from matplotlib.patches import Patch  # noqa: PLC0415  only people who draw should wait for matplotlib

    handles = [Patch(color=shade, label=str(label)) for label, shade in colours.items()]
    if len(handles) > _MOST_NAMED:
        rest = Patch(color="none", label=f"and {len(handles) - _MOST_NAMED} more")
        handles = [*handles[:_MOST_NAMED], rest]
    # The distance is in font sizes: room for the titles of the first row, however large the panels are.
    above: dict[str, Any] = {"bbox_to_anchor": (0.5, 1), "borderaxespad": 2}
    ax.legend(handles=handles, loc="lower center", ncols=_ACROSS, frameon=False, **above)
    return -(-len(handles) // _ACROSS)


def _numbers(values: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)
