"""Bias, variance and noise: the components of one loss, or of a loss against a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import BiasVariance, BiasVarianceCurve
from hornbook.plots.canvas._bars import bars
from hornbook.plots.canvas._canvas import GRAY, axes, color, name_ticks
from hornbook.plots.curves._curve_lines import curve_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["bias_variance"]

DECADES = 100  # ratio of the largest to the least value from which the axis is logarithmic


def bias_variance(
    result: BiasVariance | BiasVarianceCurve, ax: Axes | None = None, *, title: str = ""
) -> Axes:
    """Draw the parts of an expected loss: bars for one learner, lines for a curve over a parameter.

    Parameters
    ----------
    result : BiasVariance or BiasVarianceCurve
        What `hornbook.evaluation.bias_variance` or `bias_variance_curve` returned.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on. Positive values that span two powers of ten are drawn on a logarithmic axis.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from hornbook.evaluation import bias_variance_curve
    >>> x = np.linspace(0, 1, 40)
    >>> curve = bias_variance_curve(KNeighborsRegressor, [1, 5, 20], x[:, None], x**2, random_state=0)
    >>> [line.get_label() for line in bias_variance(curve).lines]
    ['loss', 'bias²', 'variance']
    """
    if isinstance(result, BiasVariance):
        names = ["noise", _bias(result), "variance", "loss"]
        return bars([result.noise, result.bias, result.variance, result.loss], names, ax, title=title)
    ax = axes(ax)
    x = _places(ax, result.values)
    # Loss in black and solid: the others add up to it.
    drawn: list[tuple[str, NDArray[np.float64], str, str]] = [
        ("loss", result.loss, "black", "o-"),
        (_bias(result.results[0]), result.bias, color(0), "s--"),
        ("variance", result.variance, color(1), "^--"),
    ]
    if result.noise.any():
        drawn.append(("noise", result.noise, GRAY, ":"))
    lines: list[Line2D] = []
    for label, heights, shade, style in drawn:
        lines += ax.plot(x, heights, style, color=shade, label=label, markersize=5)
    ax.set_xlabel(result.name)
    ax.set_ylabel(f"{result.results[0].measured.replace('_', '-')} loss")
    ax.set_title(title)
    curve_legend(ax, lines)
    return ax


def _bias(result: BiasVariance) -> str:
    return "bias²" if result.measured == "squared" else "bias"


def _places(ax: Axes, values: tuple[Any, ...]) -> NDArray[np.float64]:
    """Return the positions of the values on the axis: numbers at their value, others evenly spaced."""
    numbers = np.array([float(v) if isinstance(v, int | float | np.number) else np.nan for v in values])
    if not np.isfinite(numbers).all():
        name_ticks(ax, values)
        return np.arange(float(len(values)))
    if numbers.min() > 0 and numbers.max() >= DECADES * numbers.min():
        ax.set_xscale("log")
    return numbers
