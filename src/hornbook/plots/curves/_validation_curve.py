"""A validation curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.evaluation import ValidationCurve
from hornbook.plots.canvas._canvas import GRAY, axes, name_ticks
from hornbook.plots.curves._curve_lines import curve_legend, draw_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["validation_curve"]

_DECADES = 100  # ratio of the largest to the least value from which the axis is logarithmic


def validation_curve(curve: ValidationCurve, *, level: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw scores on training and test rows against the values of a parameter; a gray line marks the best.

    Values that are not numbers are evenly spaced. Positive numbers that span two powers of ten have a
    logarithmic axis.

    Parameters
    ----------
    curve : ValidationCurve
        The scores, as `hornbook.evaluation.validation_curve` makes them.
    level : float, optional
        Confidence level of the band around the mean over folds; one standard deviation on either side when
        left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets, evaluation
    >>> scores = evaluation.validation_curve(
    ...     NaiveBayes(), datasets.iris(), parameter="var_smoothing", values=[0.01, 0.1, 1.0]
    ... )
    >>> validation_curve(scores).get_xscale()
    'log'
    """
    if not isinstance(curve, ValidationCurve):
        raise TypeError(
            "validation_curve: 'curve' must be a ValidationCurve, as hornbook.evaluation.validation_curve "
            f"makes; got {type(curve).__name__}."
        )
    ax = axes(ax)
    band = curve.band(level) if curve.test.shape[1] > 1 else None
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in curve.values)
    if numbers:
        x: Any = np.array(curve.values, dtype=np.float64)
        # Values in any order; a line through them must not go back and forth.
        order = np.argsort(x, kind="stable")
        sorted_band = None if band is None else (band[0][order], band[1][order])
        lines = draw_scores(ax, x[order], curve.train[order], curve.test[order], sorted_band, joined=True)
        if x.min() > 0 and x.max() >= _DECADES * x.min():
            ax.set_xscale("log")
        ax.axvline(float(curve.best), color=GRAY, linestyle=":", linewidth=1)
    else:
        x = np.arange(len(curve.values))
        lines = draw_scores(ax, x, curve.train, curve.test, band, joined=False)
        name_ticks(ax, list(curve.values))
        ax.axvline(list(curve.values).index(curve.best), color=GRAY, linestyle=":", linewidth=1)
    ax.set_xlabel(curve.parameter)
    ax.set_ylabel(curve.measure.replace("_", " "))
    curve_legend(ax, lines)
    return ax
