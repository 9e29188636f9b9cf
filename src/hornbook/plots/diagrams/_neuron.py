"""One neuron: inputs, weights, the sum, the activation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["neuron"]

_SUM = (3.2, 0.0)  # the middle of the sum
_BOX = (4.6, 1.2, 1.1)  # left end, width and height of the box of the activation
_RADIUS = 0.42
_NEAR = 0.8  # from the inputs, where lines are far enough apart for their weights


def neuron(
    inputs: Sequence[str],
    weights: Sequence[str],
    activation: Callable[[Any], ArrayLike],
    ax: Axes | None = None,
    *,
    threshold: str = "",
    total: str = "Σ",
    output: str = "y",
    title: str = "",
) -> Axes:
    """Draw a neuron: inputs times weights are summed, and the sum goes through the activation.

    Parameters
    ----------
    inputs : sequence of str
        Names of the inputs; "⋮" stands for those left out.
    weights : sequence of str
        The weight of each input, written beside its line.
    activation : callable
        The function, drawn in its box from -4 to 4.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    threshold : str, default ""
        What is written below the sum.
    total : str, default "Σ"
        What is written in the circle.
    output : str, default "y"
        Name of the output.
    title : str, default ""
        Title of the diagram.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = neuron(["x1", "x2"], ["w1", "w2"], lambda v: v > 0, threshold="threshold t")
    >>> [text.get_text() for text in ax.texts if text.get_text()]
    ['x1', 'w1', 'x2', 'w2', 'Σ', 'threshold t', 'y']
    """
    if not inputs or len(inputs) != len(weights):
        raise ValueError(
            "neuron: 'inputs' and 'weights' must be two lists of one length, at least 1; got "
            f"{len(inputs)} and {len(weights)}."
        )
    ax = axes(ax, size=(6.0, max(2.2, 0.55 * len(inputs) + 0.9)))
    ax.set_axis_off()
    heights = np.linspace(0.75, -0.75, len(inputs)) * (len(inputs) > 1) * max(1.0, len(inputs) / 4)
    for name, weight, y in zip(inputs, weights, heights.tolist(), strict=True):
        ax.text(-0.1, y, name, ha="right", va="center", fontsize=11)
        if name != "⋮":
            _arrow(ax, (0.0, y), _edge(y))
            ax.text(_NEAR, y * (1 - _NEAR / _SUM[0]) + 0.05, weight, ha="center", va="bottom", fontsize=9)
    _circle(ax)
    ax.text(*_SUM, total, ha="center", va="center", fontsize=14)
    if threshold:
        ax.text(_SUM[0], -_RADIUS - 0.12, threshold, ha="center", va="top", fontsize=9)
    _arrow(ax, (_SUM[0] + _RADIUS, 0.0), (_BOX[0], 0.0))
    _activation(ax, activation)
    _arrow(ax, (_BOX[0] + _BOX[1], 0.0), (_BOX[0] + _BOX[1] + 0.9, 0.0))
    ax.text(_BOX[0] + _BOX[1] + 1.0, 0.0, output, ha="left", va="center", fontsize=11)
    reach = max(1.0, float(np.abs(heights).max()) + 0.25)
    ax.set(xlim=(-0.9, 7.6), ylim=(-reach, reach), title=title)
    ax.set_aspect("equal")
    return ax


def _edge(y: float) -> tuple[float, float]:
    """Return where the line from an input meets the circle."""
    way = np.array([_SUM[0], _SUM[1] - y])
    stop = np.array([0.0, y]) + way * (1 - _RADIUS / float(np.linalg.norm(way)))
    return float(stop[0]), float(stop[1])


def _circle(ax: Axes) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    ax.add_patch(Circle(_SUM, _RADIUS, facecolor="white", edgecolor=color(0), linewidth=1.6, zorder=2))


def _activation(ax: Axes, activation: Callable[[Any], ArrayLike]) -> None:
    """Draw the function in a box, scaled to fit."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415  as above

    left, wide, high = _BOX
    ax.add_patch(
        Rectangle((left, -high / 2), wide, high, facecolor="white", edgecolor=color(0), linewidth=1.6)
    )
    v = np.linspace(-4.0, 4.0, 161)
    values = np.asarray(activation(v), dtype=np.float64)
    low, reach = float(values.min()), float(np.ptp(values)) or 1.0
    x = left + wide * (0.1 + 0.8 * (v + 4.0) / 8.0)
    y = high * (-0.35 + 0.7 * (values - low) / reach)
    ax.plot(x, y, color=color(3), linewidth=1.8, zorder=3)


def _arrow(ax: Axes, start: tuple[float, float], stop: tuple[float, float]) -> None:
    style = {"arrowstyle": "-|>", "color": GRAY, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=stop, xytext=start, arrowprops=style)
