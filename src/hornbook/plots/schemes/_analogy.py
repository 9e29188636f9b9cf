"""Overfitting and underfitting as an analogy about melons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["analogy"]

_RIND = "#5BA65B"
_STRIPE = "#1F5C1F"


def analogy(ax: Axes | None = None) -> Axes:
    """Draw what overfitting and underfitting are: a learner has seen striped melons, and is shown new things.

    The overfitted one has learned the stripes of its examples and rejects a melon without; the
    underfitted one has only learned that melons are round and green, and accepts a ball.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> [text.get_text() for text in analogy().texts][0]
    'training examples: melons'
    """
    ax = axes(ax, size=(7.0, 4.4))
    ax.set_axis_off()
    ax.set(xlim=(0, 14), ylim=(0, 8.8))
    ax.set_aspect("equal")
    ax.text(7, 8.4, "training examples: melons", ha="center", va="center", weight="bold")
    for x, wide in ((4.4, 1.5), (7.0, 1.7), (9.6, 1.4)):
        _melon(ax, x, 6.9, wide, stripes=True)
    sides = (
        (
            3.4,
            "overfitting",
            "has no stripes:\nnot a melon",
            "wrong: the stripes were an\naccident of the examples",
        ),
        (10.6, "underfitting", "round and green:\na melon", "wrong: a tennis ball is round\nand green, too"),
    )
    for x, name, verdict, words in sides:
        ax.annotate("", xy=(x, 5.15), xytext=(7, 5.95), arrowprops={"arrowstyle": "-|>", "color": GRAY})
        ax.text(x, 4.8, name, ha="center", va="center", weight="bold", color=color(3))
        ax.text(x + 0.1, 3.15, verdict, va="center", fontsize=9.5)
        ax.text(x, 1.1, words, ha="center", va="center", fontsize=9, color="#404040")
    _melon(ax, 1.9, 3.15, 1.8, stripes=False)
    _ball(ax, 9.1, 3.15, 1.7)
    return ax


def _melon(ax: Axes, x: float, y: float, wide: float, *, stripes: bool) -> None:
    from matplotlib.patches import Ellipse  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    ax.add_patch(Ellipse((x, y), wide, 1.5, facecolor=_RIND, edgecolor="black", linewidth=1, zorder=2))
    up = np.linspace(-np.pi / 2, np.pi / 2, 40)
    for bend in (-0.6, -0.2, 0.2, 0.6) if stripes else ():
        # Meridians: half ellipses from pole to pole.
        ax.plot(x + bend * wide / 2 * np.cos(up), y + 0.75 * np.sin(up), color=_STRIPE, linewidth=2, zorder=3)
    ax.plot([x, x + 0.12], [y + 0.75, y + 1.0], color="black", linewidth=1.6, zorder=1)


def _ball(ax: Axes, x: float, y: float, wide: float) -> None:
    from matplotlib.patches import Circle  # noqa: PLC0415  as above

    style: dict[str, Any] = {"facecolor": "#A8D04A", "edgecolor": "black", "linewidth": 1, "zorder": 2}
    ax.add_patch(Circle((x, y), wide / 2, **style))
    around = np.linspace(-0.9, 0.9, 40)
    for side in (-1, 1):
        seam = x + side * wide / 2 * (0.35 + 0.45 * around**2)
        ax.plot(seam, y + 0.72 * wide / 2 * around / 0.9, color="white", linewidth=2, zorder=3)
