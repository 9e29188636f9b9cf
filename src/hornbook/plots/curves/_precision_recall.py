"""Precision-recall curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import AveragedCurve, PrecisionRecallCurve
from hornbook.plots.canvas._canvas import GRAY, axes, color, marker
from hornbook.plots.curves._curve_lines import (
    SQUARE,
    curve_legend,
    draw_band,
    named_curves,
    noted,
    unit_square,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["precision_recall"]


def precision_recall(
    curves: PrecisionRecallCurve | AveragedCurve | Mapping[str, PrecisionRecallCurve | AveragedCurve],
    *,
    break_even: bool = True,
    level: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision-recall curves, each with its area and its break-even point.

    Between two thresholds the curves are not straight, because true and false positives grow in proportion
    there (Davis and Goadrich 2006).

    Parameters
    ----------
    curves : PrecisionRecallCurve, AveragedCurve or dict of them by name
        One curve, or several with names.
    break_even : bool, default True
        Whether to mark where precision equals recall, on the diagonal.
    level : float, optional
        Confidence level of the bands of means; one standard deviation on either side when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import pr_curve
    >>> ax = precision_recall(pr_curve([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> ax.get_legend().get_texts()[0].get_text()
    'area 0.797'
    """
    kinds = (PrecisionRecallCurve, AveragedCurve)
    named: dict[str, PrecisionRecallCurve | AveragedCurve] = named_curves("precision_recall", curves, kinds)
    ax = axes(ax, size=SQUARE)
    if break_even:
        ax.plot([0, 1], [0, 1], color=GRAY, linestyle="--", linewidth=1)
    lines: list[Line2D] = []
    notes: list[str] = []
    for i, (name, curve) in enumerate(named.items()):
        of = f", mean of {len(curve.areas)}" if isinstance(curve, AveragedCurve) else ""
        label, note = noted(name, f"area {curve.area:.3f}")
        label, note = label + of, note + of
        notes.append(note)
        if isinstance(curve, AveragedCurve):
            if curve.kind != "precision_recall":
                raise ValueError(f"precision_recall: '{name}' is a mean of ROC curves; draw it with roc.")
            lines += ax.plot(curve.x, curve.mean, color=color(i), label=label)
            draw_band(ax, curve.x, *curve.band(level), color(i))
            continue
        lines += ax.plot(*_dense_points(curve), color=color(i), label=label)
        if break_even:
            point = curve.break_even_point
            ax.plot([point], [point], marker=marker(i), color=color(i), linestyle="none", markersize=7)
    unit_square(ax, "recall", "precision")
    curve_legend(ax, lines, notes)
    return ax


def _dense_points(curve: PrecisionRecallCurve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points dense enough to look smooth, with both ends of every vertical step."""
    # Between points precision is a hyperbola, which needs more points than its ends to look smooth.
    x = np.union1d(curve.recall, np.linspace(0, 1, 301))
    return np.repeat(x, 2), np.stack(curve.limits(x), axis=1).ravel()
