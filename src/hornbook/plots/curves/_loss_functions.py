"""Loss functions of the margin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from hornbook.losses import ExponentialLoss, HingeLoss, LogLoss, Loss, SquaredHingeLoss, ZeroOneLoss
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.curves._curve_lines import curve_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["loss_functions"]

STEPS = 601


def loss_functions(
    losses: Mapping[str, Loss] | None = None,
    ax: Axes | None = None,
    *,
    reach: float = 2.5,
    title: str = "",
) -> Axes:
    """Draw several losses of two classes as functions of the margin.

    Parameters
    ----------
    losses : mapping of str to Loss, optional
        The losses by the name in the legend; zero-one, hinge, squared hinge, exponential and log loss
        (divided by ln 2, so that it passes through 1) when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    reach : float, default 2.5
        Largest margin, on both sides.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; margins below 0 are mistakes.

    Examples
    --------
    >>> ax = loss_functions()
    >>> [line.get_label() for line in ax.lines[1:]]
    ['zero-one', 'hinge', 'squared hinge', 'exponential', 'log loss / ln 2']
    """
    if not reach > 0:
        raise ValueError(f"loss_functions: 'reach' must be above 0; got {reach!r}.")
    m = np.linspace(-reach, reach, STEPS)
    # All rows are of the positive class, so that the score is the margin.
    right = np.ones(STEPS, dtype=np.int32)
    if losses is None:
        costs = {name: loss.value(right, m) for name, loss in _KNOWN.items()}
        # Divided by ln 2 it passes through (0, 1) like the others, and bounds the zero-one loss.
        costs["log loss / ln 2"] = LogLoss().value(right, m) / np.log(2)
    else:
        costs = {name: loss.value(right, m) for name, loss in losses.items()}
    ax = axes(ax)
    ax.axvline(0.0, color=GRAY, linewidth=0.8)
    lines: list[Line2D] = []
    for i, (name, cost) in enumerate(costs.items()):
        lines += ax.plot(m, cost, color=color(i), label=name)
    ax.set_ylim(-0.1, 1.0 + reach)
    ax.set_xlabel("margin")
    ax.set_ylabel("loss")
    ax.set_title(title)
    curve_legend(ax, lines)
    return ax


_KNOWN: dict[str, Loss] = {
    "zero-one": ZeroOneLoss(),
    "hinge": HingeLoss(),
    "squared hinge": SquaredHingeLoss(),
    "exponential": ExponentialLoss(),
}
