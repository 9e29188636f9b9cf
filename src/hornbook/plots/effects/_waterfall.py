"""How the contributions of the columns lead from the mean prediction to that for one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hornbook.evaluation import Contributions
from hornbook.frame import Label
from hornbook.plots.canvas._canvas import GRAY, at_least, axes, color, figure_of, is_own, name_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["waterfall"]

_ROW = 0.34  # inches of a bar
_THINNEST = 0.2  # inches of a bar in a figure whose size is given


def waterfall(
    contributions: Contributions,
    row: int = 0,
    ax: Axes | None = None,
    *,
    output: Label | None = None,
    most: int = 12,
    title: str = "",
) -> Axes:
    """Draw how the columns change the prediction for one row, from the mean to what is predicted.

    Parameters
    ----------
    contributions : Contributions
        As ``contributions(X)`` of trees, forests and boosting gives them.
    row : int, default 0
        The row.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    output : label, optional
        The class; the second of two when left out.
    most : int, default 12
        How many columns have a bar: those that change most; one more bar is for all others.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor().fit([[1.0, 0.0], [2.0, 0.0], [7.0, 0.0]], [1.0, 1.0, 4.0])
    >>> ax = waterfall(model.contributions([[7.0, 0.0]]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['x0 = 7', 'x1 = 0']
    """
    parts = contributions.of(output)
    if not -len(parts) <= row < len(parts):
        raise ValueError(f"waterfall: there is no row {row}; 'contributions' are of {len(parts)} rows.")
    ax = axes(ax, size=(5.4, 1.2))
    if not is_own(ax):
        most = min(most, max(1, int(ax.get_window_extent().height / figure_of(ax).dpi / _THINNEST) - 1))
    values, base = parts.values[row], float(parts.base)
    # Contributions add up to the prediction in any order.
    order = np.argsort(-np.abs(values), kind="stable")
    names, steps = [parts.cell_text(row, j) for j in order[:most].tolist()], values[order[:most]]
    if len(order) > most:
        names.append(f"{len(order) - most} others")
        steps = np.append(steps, values[order[most:]].sum())
    at_least(ax, 1.2 + _ROW * len(names))
    ends = base + np.cumsum(steps)
    # Bars start where the one above ends.
    starts = ends - steps
    shades = [color(3) if step >= 0 else color(0) for step in steps.tolist()]
    ax.barh(np.arange(len(steps)), steps, left=starts, height=0.7, color=shades)
    for line, (start, end, step) in enumerate(
        zip(starts.tolist(), ends.tolist(), steps.tolist(), strict=True)
    ):
        ax.annotate(
            f"{step:+.3g}",
            (max(start, end), line),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
        if line + 1 < len(steps):
            ax.plot([end, end], [line - 0.35, line + 1.35], color=GRAY, linewidth=0.8)
    ax.axvline(base, color=GRAY, linewidth=0.9, linestyle=":", zorder=0)
    ax.axvline(float(ends[-1]) if len(ends) else base, color="black", linewidth=0.9, linestyle=":", zorder=0)
    name_rows(ax, names)
    low, high = min(base, *ends.tolist()), max(base, *ends.tolist())
    room = (high - low) or 1.0
    ax.set_xlim(low - 0.05 * room, high + 0.22 * room)  # with room for the numbers
    ax.set_xlabel(parts.meaning)
    reached = f"from the mean {base:.3g} to {base + steps.sum():.3g}"
    ax.set_title(", ".join(filter(None, [title, reached])))
    return ax
