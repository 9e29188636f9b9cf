"""Calibration curves, also called reliability diagrams (Murphy and Winkler 1977)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from hornbook.evaluation import CalibrationCurve
from hornbook.plots.canvas._canvas import GRAY, axes, color, marker
from hornbook.plots.curves._curve_lines import SQUARE, curve_legend, named_curves, noted, unit_square

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["calibration"]


def calibration(curves: CalibrationCurve | Mapping[str, CalibrationCurve], *, ax: Axes | None = None) -> Axes:
    """Draw observed frequencies against predicted probabilities, with the interval of each bin.

    Points on the diagonal are well calibrated; the area of a point grows with the number of rows in its bin.

    Parameters
    ----------
    curves : CalibrationCurve or dict of them by name
        One curve, or several with names.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import calibration_curve
    >>> ax = calibration(calibration_curve([0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.8, 0.9], bins=2))
    >>> ax.get_legend().get_texts()[0].get_text()
    'error 0.140'
    """
    named = named_curves("calibration", curves, (CalibrationCurve,))
    ax = axes(ax, size=SQUARE)
    ax.plot([0, 1], [0, 1], color=GRAY, linestyle="--", linewidth=1)
    lines: list[Line2D] = []
    notes: list[str] = []
    for i, (name, curve) in enumerate(named.items()):
        label, note = noted(name, f"error {curve.error:.3f}")
        notes.append(note)
        lines += ax.plot(
            curve.predicted, curve.observed, color=color(i), linewidth=1.2, label=label, zorder=2
        )
        ax.errorbar(
            curve.predicted,
            curve.observed,
            # Rounding may leave a bound a hair on the wrong side of the frequency.
            yerr=np.clip([curve.observed - curve.low, curve.high - curve.observed], 0, None),
            fmt="none",
            ecolor=color(i),
            elinewidth=1,
            capsize=2,
            alpha=0.7,
        )
        # The area of a mark grows with the weight of its bin.
        sizes = 15 + 90 * curve.weights / curve.weights.max()
        ax.scatter(curve.predicted, curve.observed, s=sizes, marker=marker(i), color=color(i), zorder=3)
    event = named[next(iter(named))].event
    unit_square(ax, f"predicted probability that {event}", "observed frequency")
    curve_legend(ax, lines, notes)
    return ax
