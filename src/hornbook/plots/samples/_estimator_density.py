"""Densities of an estimate for several true values, and the level or p-value of a one-sided test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation import NullDistribution
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._legend import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["estimator_density"]

POINTS = 401


def estimator_density(
    truths: ArrayLike,
    error: float,
    at: float,
    ax: Axes | None = None,
    *,
    side: Literal["less", "greater"] = "less",
    name: str = "estimate",
    mark: str = "critical value",
    title: str = "",
) -> Axes:
    """Draw the normal density of an estimate for each true value, and its area beyond a point.

    Beyond a critical value the area is the probability of an error of type 1; beyond the observed estimate it
    is the p-value. Of several true values, that at the edge of the null hypothesis has the largest area.

    Parameters
    ----------
    truths : array-like of shape (n,)
        True values of the parameter under the null hypothesis, the one at its edge first.
    error : float
        Standard error of the estimate, positive.
    at : float
        The critical value, or the observed estimate.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    side : {"less", "greater"}, default "less"
        On which side of the point the area is.
    name : str, default "estimate"
        Name of the axis.
    mark : str, default "critical value"
        What the point is called.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = estimator_density([130.0], 5.4 / 5, 128.0, mark="observed mean")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['true value 130: area 0.032', 'observed mean 128']
    """
    values: Sequence[float] = np.atleast_1d(np.asarray(truths, dtype=np.float64)).tolist()
    if not values or not 0 < error < np.inf or not np.isfinite([*values, at]).all():
        raise ValueError("estimator_density: 'truths' and 'at' must be finite and 'error' positive.")
    if side not in ("less", "greater"):
        raise ValueError(f"estimator_density: 'side' must be 'less' or 'greater'; got {side!r}.")
    normal = NullDistribution("normal")
    ends = min([*values, at]) - 3.5 * error, max([*values, at]) + 3.5 * error
    x = np.linspace(ends[0], ends[1], POINTS)
    beyond = np.linspace(ends[0], at, POINTS) if side == "less" else np.linspace(at, ends[1], POINTS)
    ax = axes(ax)
    handles: list[Any] = []
    labels: list[str] = []
    for i, truth in enumerate(values):
        ax.plot(x, normal.density((x - truth) / error) / error, color=color(i), linewidth=1.6)
        area = ax.fill_between(
            beyond, normal.density((beyond - truth) / error) / error, color=color(i), alpha=0.45, linewidth=0
        )
        share = normal.p((at - truth) / error, side)
        handles.append(area)
        labels.append(f"true value {truth:g}: area {share:.3g}")
    handles.append(ax.axvline(at, color=GRAY, linestyle="--"))
    labels.append(f"{mark} {at:.5g}")
    ax.set_xlim(*ends)
    ax.set_ylim(bottom=0.0)
    ax.set(xlabel=name, ylabel="density", title=title)
    legend(ax, handles, labels)
    return ax
