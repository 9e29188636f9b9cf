"""The contribution of one column against its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Contributions
from hornbook.frame import Label
from hornbook.plots.canvas._canvas import GRAY, axes, color, name_ticks
from hornbook.plots.canvas._class_points import thinned
from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles
from hornbook.plots.canvas._strips import scattered
from hornbook.plots.effects._cell_colors import cells_of, low_to_high, order_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["dependence"]

_MOST_DOTS = 2000


def dependence(
    contributions: Contributions,
    column: str | int,
    interaction: str | int | None = None,
    ax: Axes | None = None,
    *,
    output: Label | None = None,
    title: str = "",
) -> Axes:
    """Draw the contribution of one column to each prediction against the cells of the column.

    Parameters
    ----------
    contributions : Contributions
        As ``contributions(X)`` of trees, forests and boosting gives them.
    column : str or int
        Name or position of the column.
    interaction : str or int, optional
        Another column, by which the dots are colored. If left out and the contributions have interactions:
        the column with the largest.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    output : label, optional
        The class; the second of two when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; of more than 2000 rows, evenly chosen ones are drawn.

    Examples
    --------
    >>> from hornbook import DecisionTreeClassifier, datasets
    >>> model = DecisionTreeClassifier().fit(datasets.watermelon("3.0a"))
    >>> ax = dependence(model.contributions(datasets.watermelon("3.0a")), "sugar")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('sugar', 'contribution to the probability of True')
    """
    parts = contributions.of(output)
    if not len(parts):
        raise ValueError("dependence: 'contributions' must be of at least one row; got none.")
    data, j = parts.data, parts.data.schema.position(column)
    ax = axes(ax)
    rows = thinned(len(parts), _MOST_DOTS)
    x, levels = cells_of(data, j)[rows], list(data.schema.columns[j].levels)
    missing = np.isnan(x)
    if levels:
        # Codes with jitter; missing cells stand to the right of the last level.
        x = np.where(missing, len(levels), x) + 0.5 * scattered(len(x))
    other = _strongest(parts, j) if interaction is None else data.schema.position(interaction)
    ax.axhline(0, color=GRAY, linewidth=0.9, zorder=0)
    shades = np.full(len(rows), color(0)) if other is None else _shades(parts, other)[rows]
    ax.scatter(x, parts.values[rows, j], s=14, c=shades.tolist(), alpha=0.7, linewidths=0)
    if levels:
        name_ticks(ax, levels + ["missing"] * bool(missing.any()))
    elif missing.any():
        ax.set_title(f"{missing.sum()} of {len(x)} values missing", loc="right", fontsize=9)
    ax.set_xlabel(parts.names[j])
    ax.set_ylabel(f"contribution to the {parts.meaning}")
    ax.set_title(title, loc="left" if missing.any() else "center")
    if other is not None:
        _name_colors(ax, parts, other)
    return ax


def _strongest(parts: Contributions, j: int) -> int | None:
    """The column that interacts most with another; None if that is not known, or none does."""
    if parts.interactions is None or len(parts.names) < 2:
        return None
    sizes = np.abs(parts.interactions[:, j]).mean(axis=0)
    sizes[j] = 0.0
    return int(sizes.argmax()) if sizes.any() else None


def _shades(parts: Contributions, j: int) -> NDArray[np.object_]:
    column = parts.data.schema.columns[j]
    if column.kind != "nominal":
        # An object array of tuples: without the extra None, NumPy would make it two-dimensional.
        return np.array([*map(tuple, low_to_high(parts.data, j)), None], dtype=object)[:-1]
    looks = [look.color for look in class_styles(len(column.levels))] + [GRAY]  # missing is -1
    return np.array([looks[code] for code in parts.data.column(j).tolist()], dtype=object)


def _name_colors(ax: Axes, parts: Contributions, j: int) -> None:
    column = parts.data.schema.columns[j]
    codes = parts.data.column(j)
    if column.kind == "nominal":
        class_legend(ax, column.levels, shown=np.unique(codes[codes >= 0]).tolist(), title=column.name)
    else:
        gray = "missing" if np.isnan(cells_of(parts.data, j)).any() else ""
        order_legend(ax, column.name, gray=gray)
