"""From data to a model in use: the steps of the process, each with the call that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PROCESS", "process"]

# Step, what happens in it, and the public name that does it.
PROCESS: tuple[tuple[str, str, str], ...] = (
    ("select", "choose and collect the rows", "hornbook.Frame"),
    ("look", "find errors, gaps and outliers", "hornbook.Frame.profile"),
    ("prepare", "fill, encode and scale", "hornbook.Encoder"),
    ("learn", "fit several learners", "hornbook.learners"),
    ("compare", "test them on the same folds", "hornbook.compare"),
    ("explain", "see through the winner", "hornbook.NaiveBayes.describe"),
    ("deploy", "save the model, use it elsewhere", "hornbook.save"),
)


def process(ax: Axes | None = None) -> Axes:
    """Draw the process from data to a deployed model, with the loop back from comparing to preparing.

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
    >>> [text.get_text() for text in process().texts][0]
    'select'
    """
    ax = axes(ax, size=(6.4, 5.6))
    ax.set_axis_off()
    ax.set(xlim=(0, 10), ylim=(len(PROCESS) - 0.4, -0.6))
    for place, (step, words, name) in enumerate(PROCESS):
        ax.text(2.0, place, step, ha="center", va="center", color="white", weight="bold", bbox=_box())
        ax.text(3.6, place, f"{words}\n{name}", va="center", fontsize=9)
        if place:
            _arrow(ax, (2.0, place - 0.72), (2.0, place - 0.28), 0.0)
    back = [step for step, _, _ in PROCESS]
    _arrow(ax, (1.0, back.index("compare")), (1.0, back.index("prepare")), -0.45)
    return ax


def _box() -> dict[str, object]:
    return {"boxstyle": "round,pad=0.45", "facecolor": color(0), "edgecolor": "none"}


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], bend: float) -> None:
    shape = {"arrowstyle": "-|>", "color": GRAY, "connectionstyle": f"arc3,rad={bend}"}
    ax.annotate("", xy=end, xytext=start, arrowprops=shape)
