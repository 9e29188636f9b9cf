"""A learning curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.evaluation import LearningCurve
from hornbook.plots.canvas._canvas import axes
from hornbook.plots.curves._curve_lines import curve_legend, draw_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["learning_curve"]


def learning_curve(curve: LearningCurve, *, level: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw scores on training and test rows against the number of training rows.

    If the lines are still apart at the right end, more rows would help; if they have met at a poor score,
    more rows would not.

    Parameters
    ----------
    curve : LearningCurve
        The scores, as `hornbook.evaluation.learning_curve` makes them.
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
    >>> scores = evaluation.learning_curve(NaiveBayes(), datasets.iris(), sizes=[30, 60, 120])
    >>> learning_curve(scores).get_ylabel()
    'log loss'
    """
    if not isinstance(curve, LearningCurve):
        raise TypeError(
            "learning_curve: 'curve' must be a LearningCurve, as hornbook.evaluation.learning_curve makes; "
            f"got {type(curve).__name__}."
        )
    ax = axes(ax)
    band = curve.band(level) if curve.test.shape[1] > 1 else None
    lines = draw_scores(ax, curve.sizes, curve.train, curve.test, band, joined=True)
    ax.set_xlabel("training rows")
    ax.set_ylabel(curve.measure.replace("_", " "))
    curve_legend(ax, lines)
    return ax
