"""Rows as dots along a line, a line for each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import at_least, axes, figure_of, is_own, name_rows
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._legend import legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scattered", "strips"]

_ROW = 0.3  # inches of a strip
_THINNEST = 0.17  # inches of a strip in a figure whose size is given
_MOST = 40  # strips
_MOST_DOTS = 400  # of a strip
_GOLDEN = (
    0.6180339887498949  # the golden ratio: its multiples modulo 1 are spread evenly, whatever their number
)


def strips(
    values: ArrayLike,
    groups: ArrayLike,
    names: Sequence[object],
    ax: Axes | None = None,
    *,
    wrong: ArrayLike | None = None,
    name: str = "value",
    title: str = "",
) -> Axes:
    """Draw each row as a dot at its value, on the line of its class.

    Parameters
    ----------
    values : array-like of shape (n,)
        The values of the rows; rows without a finite value are left out.
    groups : array-like of int of shape (n,)
        The class of each row, as a position in `names`.
    names : sequence
        The classes, from the top. Of more than 40 those with the most rows are drawn, and the title says so.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    wrong : array-like of bool of shape (n,), optional
        Which rows a model got wrong, drawn as crosses.
    name : str, default "value"
        Name of the values.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; of a class with more than 400 rows, evenly chosen ones are drawn.

    Examples
    --------
    >>> ax = strips([0.9, 0.8, 0.3], [0, 0, 1], ["ripe", "unripe"], wrong=[False, False, True])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['ripe', 'unripe']
    """
    places, codes = np.asarray(values, dtype=np.float64), np.asarray(groups)
    crosses = np.zeros(len(places), dtype=bool) if wrong is None else np.asarray(wrong, dtype=bool)
    if places.ndim != 1 or not places.shape == codes.shape == crosses.shape:
        raise ValueError(
            "strips: 'values', 'groups' and 'wrong' must be lists of one length; got shapes "
            f"{places.shape}, {codes.shape} and {crosses.shape}."
        )
    ax = axes(ax, size=(5.0, 1.3))
    most = _MOST if is_own(ax) else max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST))
    counts = np.bincount(codes, minlength=len(names))
    # Classes with most rows are shown, in the order in which they were named.
    shown = np.sort(np.argsort(-counts, kind="stable")[:most])
    at_least(ax, 1.3 + _ROW * len(shown))
    looks = class_styles(len(names))
    for line, i in enumerate(shown.tolist()):
        own = (codes == i) & np.isfinite(places)
        _dots(ax, places[own], crosses[own], line, looks[i].color)
    name_rows(ax, [names[i] for i in shown.tolist()])
    ax.set_xlabel(name)
    more = f"the {most} largest of {len(names)} classes" if len(names) > most else ""
    ax.set_title(", ".join(filter(None, [title, more])))
    if crosses.any():
        legend(ax, [_mark("o"), _mark("x")], ["right", "wrong"])
    return ax


def scattered(count: int) -> NDArray[np.float64]:
    """Return deterministic jitter from -0.5 to 0.5 that keeps dots of nearly the same value apart."""
    return np.asarray(np.arange(count) * _GOLDEN % 1.0 - 0.5)


def _dots(ax: Axes, places: NDArray[np.float64], wrong: NDArray[np.bool_], line: int, shade: str) -> None:
    chosen = thinned(len(places), _MOST_DOTS)
    x, crosses = places[chosen], wrong[chosen]
    y = line + 0.55 * scattered(len(x))
    ax.axhline(line, color="#E6E6E6", linewidth=0.8, zorder=0)
    ax.scatter(x[~crosses], y[~crosses], s=13, color=shade, alpha=0.7, linewidths=0)
    ax.scatter(x[crosses], y[crosses], s=20, color="black", marker="x", linewidths=1.1)


def _mark(shape: str) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    shade = "#8C8C8C" if shape == "o" else "black"
    return Line2D([], [], color=shade, marker=shape, linestyle="none", markersize=5)
