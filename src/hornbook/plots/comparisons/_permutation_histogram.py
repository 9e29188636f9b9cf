"""Statistics of permuted samples, and where the observed one lies among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hornbook import frame
from hornbook.evaluation import TestResult
from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.tables._histogram import readable_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["permutation_histogram"]

_LEVELS = (5, 0, 2)  # colors of the critical values: light blue, dark blue, green
_OBSERVED = 3


def permutation_histogram(
    result: TestResult,
    width: float | None = None,
    ax: Axes | None = None,
    *,
    levels: Sequence[float] = (0.05, 0.01),
) -> Axes:
    """Draw the statistics of the permutations, the critical values, and the observed statistic.

    Parameters
    ----------
    result : TestResult
        What `permutation_test` or `surrogate_test` returned.
    width : float, optional
        Width of the bins; a readable one when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    levels : sequence of float, default (0.05, 0.01)
        Significance levels whose critical values are drawn, at most three.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import permutation_test
    >>> result = permutation_test([4.1, 5.0, 5.6, 4.8], [3.2, 4.0, 3.7, 4.4], random_state=0)
    >>> permutation_histogram(result, width=0.1).get_ylabel()
    'count of 10,000'
    """
    distribution = result.distribution
    if distribution is None or distribution.values is None or distribution.family != "draws":
        raise ValueError(
            f"permutation_histogram: {result.name} has no sample of its statistic; "
            "draw its distribution with plots.null_density."
        )
    if not 0 <= len(levels) <= len(_LEVELS) or not all(0 < level < 1 for level in levels):
        raise ValueError(
            f"permutation_histogram: 'levels' must be at most {len(_LEVELS)} numbers in (0, 1); "
            f"got {levels!r}."
        )
    draws = distribution.values
    # The same readable bins as in a histogram of data.
    edges, counts = frame.histogram(draws, readable_width(draws) if width is None else width)
    ax = axes(ax)
    ax.bar(edges[:-1], counts, np.diff(edges), align="edge", color=GRAY, alpha=0.5)
    for level, shade in zip(levels, _LEVELS, strict=False):
        label = f"critical, alpha = {level:g}"
        for edge in distribution.critical(level, result.alternative):
            if math.isfinite(edge):
                ax.axvline(edge, color=color(shade), label=label)
                label = ""
    verb = "rejected" if result.rejected else "not rejected"
    title = f"{result.symbol} = {result.statistic:.3g}, p = {result.p_text}: {verb} at {result.alpha!r}"
    ax.axvline(result.statistic, color=color(_OBSERVED), label=title)
    ax.set_xlabel(f"{result.quantity} if there is nothing to find")
    ax.set_ylabel(f"count of {len(draws):,}")
    # above the plot, where it covers nothing
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=9)
    return ax
