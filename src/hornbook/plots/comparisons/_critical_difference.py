"""Critical difference diagrams (Demšar 2006): mean ranks, with bars over learners that do not differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation import rank_groups
from hornbook.plots.canvas._canvas import axes, color, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["critical_difference"]

_LONGEST = 24  # characters of a name
_MOST_TICKS = 12  # with a number
_STEP = 0.4  # from name to name
_BAR = 0.2  # from bar to bar


def critical_difference(ranks: ArrayLike, names: Sequence[object], cd: float, ax: Axes | None = None) -> Axes:
    """Draw mean ranks after Demšar: learners joined by a bar cannot be told apart.

    The best rank is at the left. Two learners have a bar in common exactly when their mean ranks are less
    than the critical difference apart.

    Parameters
    ----------
    ranks : array-like of shape (k,)
        Mean ranks, 1 is best, as ``nemenyi(...).mean_ranks``.
    names : sequence of length k
        The learners.
    cd : float
        The critical difference, as ``nemenyi(...).critical_difference``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = critical_difference([1.2, 1.9, 2.9], ["forest", "tree", "bayes"], 0.8)
    >>> [text.get_text() for text in ax.texts][-3:]
    ['forest', 'tree', 'bayes']
    """
    values = np.asarray(ranks, dtype=np.float64)
    if values.ndim != 1 or len(values) != len(names) or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(
            "critical_difference: 'ranks' must be one finite number for each of at least 2 'names'; "
            f"got an array of shape {values.shape} and {len(names)} names."
        )
    groups = rank_groups(values, cd)
    order = np.argsort(values, kind="stable")
    low, high = math.floor(values.min()), math.ceil(values.max())
    high = max(high, low + 1)
    ax = axes(ax, size=(7.0, 1.7 + 0.2 * len(groups) + 0.2 * len(values)))
    ax.set_axis_off()
    _ruler(ax, low, high, cd)
    for place, group in enumerate(groups):
        ends = [values[group[0]] - 0.012 * (high - low), values[group[-1]] + 0.012 * (high - low)]
        ax.plot(ends, [-0.25 - _BAR * place] * 2, color=color(0), linewidth=4, solid_capstyle="butt")
    top = -0.5 - _BAR * len(groups)
    # The better half to the left, the worse to the right, as in Demšar's diagrams.
    half = math.ceil(len(order) / 2)
    for place, i in enumerate(order[:half]):
        _name(ax, values[i], low - 0.06 * (high - low), top - _STEP * place, names[i])
    # Reversed: the innermost ranks are lowest, so that lines do not cross.
    for place, i in enumerate(order[half:][::-1]):
        _name(ax, values[i], high + 0.06 * (high - low), top - _STEP * place, names[i])
    ax.set_xlim(low - 0.45 * (high - low), max(high + 0.45 * (high - low), low + 1.05 * cd))
    ax.set_ylim(top - _STEP * half, 1.1)
    return ax


def _ruler(ax: Axes, low: int, high: int, cd: float) -> None:
    ax.plot([low, high], [0, 0], color="black", linewidth=1)
    for tick in range(low, high + 1):
        ax.plot([tick, tick], [0, 0.1], color="black", linewidth=1)
        # Every tick has a line, but at most twelve have a number.
        if (tick - low) % math.ceil((high - low) / _MOST_TICKS):
            continue
        ax.text(tick, 0.14, str(tick), ha="center", va="bottom", fontsize=9)
    ax.plot([low, low + cd], [0.65, 0.65], color="black", linewidth=1.5, marker="|", markersize=6)
    ax.text(low + cd / 2, 0.74, f"critical difference {cd:.3g}", ha="center", va="bottom", fontsize=9)


def _name(ax: Axes, rank: float, x: float, y: float, name: object) -> None:
    """Draw a line from the ruler down and out to the name."""
    ax.plot([rank, rank, x], [0, y, y], color="black", linewidth=0.8)
    left = x < rank
    gap, side = (-4, "right") if left else (4, "left")
    text = cut(str(name), _LONGEST)
    ax.annotate(text, (x, y), (gap, 0), textcoords="offset points", ha=side, va="center", fontsize=9)
