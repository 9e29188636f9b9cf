"""The regularization path: coefficients against the weight of a penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._legend import legend
from hornbook.plots.canvas._text import name_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coefficient_path"]

_MOST_NAMED = 12  # lines in the legend


def coefficient_path(
    alphas: ArrayLike, coefs: ArrayLike, names: Sequence[str], ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw how coefficients shrink as the penalty grows: one line for each.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,)
        Weights of the penalty.
    coefs : array-like of shape (n_alphas, n_columns)
        The coefficients for each.
    names : sequence of str
        Names of the columns; the twelve with the largest coefficients are named.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; the penalty grows to the left.

    Examples
    --------
    >>> ax = coefficient_path([1.0, 0.1], [[0.0, 0.2], [0.9, 0.3]], ["size", "mass"])
    >>> [line.get_label() for line in ax.lines[1:]]
    ['size', 'mass']
    """
    weights, values = np.asarray(alphas, dtype=np.float64), np.asarray(coefs, dtype=np.float64)
    if values.shape != (len(weights), len(names)):
        raise ValueError(
            f"coefficient_path: 'coefs' must have {len(weights)} rows, one for each of 'alphas', and "
            f"{len(names)} columns, one for each of 'names'; got shape {values.shape}."
        )
    ax = axes(ax)
    ax.axhline(0.0, color=GRAY, linewidth=0.8)
    order = np.argsort(-np.abs(values).max(axis=0), kind="stable").tolist()
    # Colors by the order of the columns, not of their size: they stay when the path changes a little.
    rank = {j: place for place, j in enumerate(sorted(order[:_MOST_NAMED]))}
    drawn = []
    for j, name in enumerate(names):
        shade, width = (color(rank[j]), 1.5) if j in rank else (GRAY, 0.7)
        drawn += ax.plot(weights, values[:, j], color=shade, linewidth=width, label=name_text(name))
    if (weights > 0).all():
        ax.set_xscale("log")
    # From strong to weak penalties, as coefficients enter.
    ax.invert_xaxis()
    ax.set_xlabel("weight of the penalty")
    ax.set_ylabel("coefficient")
    ax.set_title(title)
    entries = [(drawn[j], names[j]) for j in rank]
    if len(names) > _MOST_NAMED:
        rest = next(line for j, line in enumerate(drawn) if j not in rank)
        entries.append((rest, f"{len(names) - _MOST_NAMED} others"))
    if entries:
        legend(ax, [line for line, _ in entries], [name for _, name in entries])
    return ax
