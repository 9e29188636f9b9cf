"""Cost curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hornbook.evaluation import CostCurve
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.curves._curve_lines import curve_legend, named_curves, noted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["cost_curve"]

_MOST_LINES = 60


def cost_curve(
    curves: CostCurve | Mapping[str, CostCurve], *, lines: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw the cost of the best threshold for every combination of costs and class frequencies.

    The dashed triangle is the cost of predicting everything negative or everything positive; a classifier is
    useful where its curve is below (Drummond and Holte 2006).

    Parameters
    ----------
    curves : CostCurve or dict of them by name
        One curve, or several with names.
    lines : bool, default True
        Whether to draw the line of each threshold of a single curve, whose lower envelope the curve is.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import evaluation
    >>> ax = cost_curve(evaluation.cost_curve([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> ax.get_legend().get_texts()[0].get_text()
    'area 0.125'
    """
    named = named_curves("cost_curve", curves, (CostCurve,))
    ax = axes(ax)
    # The cost of always predicting the cheaper class: no curve should be above it.
    ax.plot([0, 0.5, 1], [0, 0.5, 0], color=GRAY, linestyle="--", linewidth=1)
    drawn: list[Line2D] = []
    notes: list[str] = []
    for i, (name, curve) in enumerate(named.items()):
        if lines and len(named) == 1 and len(curve.thresholds) <= _MOST_LINES:
            for start, end in zip(curve.false_positive_rate, curve.false_negative_rate, strict=True):
                # A threshold is the line from (0, FPR) to (1, FNR); the curve is the lower envelope
                # of all.
                ax.plot([0, 1], [start, end], color=color(i), linewidth=0.6, alpha=0.5)
        label, note = noted(name, f"area {curve.area:.3f}")
        notes.append(note)
        drawn += ax.plot(curve.probability_costs, curve.costs, color=color(i), linewidth=2, label=label)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 0.55)
    ax.set_xlabel("probability cost of positives")
    ax.set_ylabel("normalized expected cost")
    curve_legend(ax, drawn, notes)
    return ax
