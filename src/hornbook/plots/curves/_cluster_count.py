"""A criterion by the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.evaluation import ClusterCountCurve
from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cluster_count"]


def cluster_count(curve: ClusterCountCurve, *, ax: Axes | None = None) -> Axes:
    """Draw a criterion against the number of clusters, with intervals where it has them.

    A gray line marks the number that the criterion prefers.

    Parameters
    ----------
    curve : ClusterCountCurve
        The criterion, as `hornbook.evaluation.cluster_count_curve` makes it.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import KMeans, datasets, evaluation
    >>> flowers = datasets.iris().features
    >>> curve = evaluation.cluster_count_curve(KMeans(random_state=0), flowers, sizes=(2, 3, 4))
    >>> cluster_count(curve).get_xlabel()
    'number of clusters'
    """
    if not isinstance(curve, ClusterCountCurve):
        raise TypeError(
            "cluster_count: 'curve' must be a ClusterCountCurve, as hornbook.evaluation.cluster_count_curve "
            f"makes; got {type(curve).__name__}."
        )
    ax = axes(ax)
    color = class_styles(1)[0].color
    ax.axvline(curve.best, color=GRAY, linestyle=":", linewidth=1)
    ax.plot(curve.sizes, curve.values, color=color, marker="o", markersize=4)
    if curve.low is not None and curve.high is not None:
        ax.fill_between(curve.sizes, curve.low, curve.high, color=color, alpha=0.2, linewidth=0)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("number of clusters")
    ax.set_ylabel(curve.criterion.replace("_", " "))
    return ax
