"""ROC curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hornbook.evaluation import AveragedCurve, RocCurve
from hornbook.plots.canvas._canvas import GRAY, axes, color
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

__all__ = ["roc"]


def roc(
    curves: RocCurve | AveragedCurve | Mapping[str, RocCurve | AveragedCurve],
    *,
    hull: bool = False,
    shade: bool = False,
    level: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves, each with its area, above the diagonal of chance.

    The mean of several folds is drawn with its band.

    Parameters
    ----------
    curves : RocCurve, AveragedCurve or dict of them by name
        One curve, or several with names.
    hull : bool, default False
        Whether to draw the convex hull of each curve as a dotted line.
    shade : bool, default False
        Whether to fill the area under each curve.
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
    >>> from hornbook.evaluation import roc_curve
    >>> ax = roc({"tree": roc_curve([0, 1, 0, 1], [1, 2, 3, 4])})
    >>> ax.get_legend().get_texts()[0].get_text()
    'tree (area 0.750)'
    """
    named: dict[str, RocCurve | AveragedCurve] = named_curves("roc", curves, (RocCurve, AveragedCurve))
    ax = axes(ax, size=SQUARE)
    ax.plot([0, 1], [0, 1], color=GRAY, linestyle="--", linewidth=1)
    lines: list[Line2D] = []
    notes: list[str] = []
    for i, (name, curve) in enumerate(named.items()):
        of = f", mean of {len(curve.areas)}" if isinstance(curve, AveragedCurve) else ""
        label, note = noted(name, f"area {curve.area:.3f}")
        label, note = label + of, note + of
        notes.append(note)
        if isinstance(curve, AveragedCurve):
            if curve.kind != "roc":
                raise ValueError(
                    f"roc: '{name}' is a mean of precision-recall curves; draw it with precision_recall."
                )
            lines += ax.plot(curve.x, curve.mean, color=color(i), label=label)
            draw_band(ax, curve.x, *curve.band(level), color(i))
            continue
        lines += ax.plot(curve.false_positive_rate, curve.true_positive_rate, color=color(i), label=label)
        if shade:
            ax.fill_between(
                curve.false_positive_rate, curve.true_positive_rate, color=color(i), alpha=0.18, linewidth=0
            )
        if hull:
            # Points on the hull are the best for some costs and class frequencies, those below it never
            # (Provost and Fawcett 2001).
            outer = curve.hull()
            ax.plot(outer.false_positive_rate, outer.true_positive_rate, color=color(i), linestyle=":")
    unit_square(ax, "false positive rate", "true positive rate")
    curve_legend(ax, lines, notes)
    return ax
