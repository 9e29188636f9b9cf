"""The null distribution of a test statistic, and where the observed one lies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hornbook.evaluation import NullDistribution, TestResult
from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["null_density"]

_POINTS = 400  # of a curve
_FARTHEST = 12.0  # where a statistic that is off the plot is marked, in units of a curve's width
_REJECTED = 3  # colors
_OBSERVED = 0


def null_density(result: TestResult, ax: Axes | None = None) -> Axes:
    """Draw the null distribution of a test with its region of rejection, and mark the observed statistic.

    A curve, or bars when the statistic is discrete; the region of rejection is colored. The null hypothesis
    is rejected exactly when the mark is in the colored part.

    Parameters
    ----------
    result : TestResult
        What a test returned; permutation tests are drawn by `permutation_histogram`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import z_test
    >>> ax = null_density(z_test(mean=128, n=25, sigma=5.4, null=130, alternative="less"))
    >>> ax.get_xlabel()
    'z, standard normal if mean ≥ 130'
    """
    distribution = result.distribution
    if distribution is None or distribution.family == "draws":
        raise ValueError(
            f"null_density: {result.name} has no density; draw a sample of the statistic with "
            "plots.permutation_histogram."
        )
    ax = axes(ax)
    if distribution.is_curve:
        _curve(ax, result, distribution)
    else:
        _discrete(ax, result, distribution)
    ax.set_ylim(bottom=0)
    name = "" if str(distribution).startswith(result.symbol) else f"{result.symbol}, "
    ax.set_xlabel(f"{name}{distribution} if {result.hypotheses[0]}")
    # above the plot, where it covers nothing
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=9)
    return ax


def _curve(ax: Axes, result: TestResult, distribution: NullDistribution) -> None:
    low, high = _span(result, distribution)
    # with one degree of freedom the density is unbounded at 0
    start = 0.02 * high if low == 0 and distribution.parameters[0] < 2 else low
    x = np.linspace(start, high, _POINTS)
    ax.plot(x, distribution.density(x), color=GRAY)
    label = f"rejected, alpha = {result.alpha!r}"
    for edge, side in _edges(result, distribution):
        far = np.linspace(edge, high, _POINTS) if side > 0 else np.linspace(low, edge, _POINTS)
        if (edge < high) if side > 0 else (edge > low):
            ax.fill_between(
                far, distribution.density(far), color=color(_REJECTED), alpha=0.5, lw=0, label=label
            )
            label = ""
    # A statistic far outside is marked at the edge rather than squeezing the curve into a spike.
    place = min(max(result.statistic, 0.99 * low), 0.99 * high)
    beyond = "" if place == result.statistic else ", off the plot"
    ax.axvline(place, color=color(_OBSERVED), label=f"{_observed(result)}{beyond}")
    ax.set_xlim(low, high)
    ax.set_ylabel("density")


def _discrete(ax: Axes, result: TestResult, distribution: NullDistribution) -> None:
    values, heights = distribution.values, distribution.probabilities
    assert values is not None
    assert heights is not None
    rejected = np.zeros(len(values), dtype=bool)
    for edge, side in _edges(result, distribution):
        rejected |= (values >= edge) if side > 0 else (values <= edge)
    width = 0.9 * float(np.diff(values).min(initial=1.0))
    for mask, shade, label in (
        (~rejected, GRAY, ""),
        (rejected, color(_REJECTED), f"rejected, alpha = {result.alpha!r}"),
    ):
        if mask.any():
            ax.bar(values[mask], heights[mask], width, color=shade, alpha=0.6, label=label)
    ax.axvline(result.statistic, color=color(_OBSERVED), label=_observed(result))
    # Outcomes a ten-thousandth as likely as the mode would not be visible.
    likely = values[heights > heights.max() * 1e-4]
    ends = [min(likely[0], result.statistic), max(likely[-1], result.statistic)]
    ax.set_xlim(ends[0] - width, ends[1] + width)
    ax.set_ylabel("probability")


def _observed(result: TestResult) -> str:
    verb = "rejected" if result.rejected else "not rejected"
    return f"{result.symbol} = {result.statistic:.3g}, p = {result.p_text}: {verb}"


def _edges(result: TestResult, distribution: NullDistribution) -> list[tuple[float, int]]:
    """Return the critical values, each with the side on which its region lies."""
    if len(result.critical) == 2:
        return [(result.critical[0], -1), (result.critical[1], 1)]
    upper = result.alternative != "less" or distribution.family in ("f", "chi2")
    return [(result.critical[0], 1 if upper else -1)]


def _span(result: TestResult, distribution: NullDistribution) -> tuple[float, float]:
    """Return the part of the axis that shows the curve, its region of rejection and the statistic."""
    inner = [abs(value) for value in result.critical if math.isfinite(value)]
    reach = max(3.5, *(1.4 * value for value in inner)) if inner else 3.5
    if math.isfinite(result.statistic):
        # 3.5 is the usual reach: a curve and its tails stay readable up to twelve widths away.
        reach = max(reach, min(1.15 * abs(result.statistic), _FARTHEST * reach / 3.5))
    return (0.0 if distribution.family in ("f", "chi2") else -reach), reach
