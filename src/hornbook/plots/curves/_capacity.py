"""The capacity of hyperplanes: the probability of linear separability by the number of points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.curves._curve_lines import curve_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["capacity"]


def capacity(ratio: ArrayLike, probability: Mapping[str, ArrayLike], ax: Axes | None = None) -> Axes:
    """Draw the probability of linear separability against points per weight.

    Parameters
    ----------
    ratio : array-like of shape (n,)
        Number of points over l + 1.
    probability : mapping of str to array-like of shape (n,)
        One curve for each name.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = capacity([1.5, 2.0, 2.5], {"l = 5": [0.8555, 0.5, 0.212]})
    >>> [line.get_label() for line in ax.lines if line.get_label()[0] != "_"]
    ['l = 5']
    """
    r = np.asarray(ratio, dtype=np.float64)
    ax = axes(ax)
    ax.axhline(0.5, color=GRAY, linewidth=0.8, label="_half")
    # Cover (1965): at two points per weight exactly half of all dichotomies are separable, for any
    # dimension.
    ax.axvline(2.0, color=GRAY, linewidth=0.8, label="_two")
    lines: list[Line2D] = []
    for i, (name, values) in enumerate(probability.items()):
        heights = np.asarray(values, dtype=np.float64)
        if heights.shape != r.shape:
            raise ValueError(
                f"capacity: the curve {name!r} must have one number for each of the {r.size} values of "
                f"'ratio'; got shape {heights.shape}."
            )
        lines += ax.plot(r, heights, color=color(i), linewidth=1.6, label=name)
    ax.set_xlabel("points / (l + 1)")
    ax.set_ylabel("probability of linear separability")
    ax.set_ylim(0, 1.03)
    curve_legend(ax, lines)
    return ax
