"""Partial dependence on several columns, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hornbook.studies._explanation import ColumnEffect

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["effect_panels"]

ACROSS = 2  # panels in a row
LONGEST = 22  # characters of a column
LONGEST_LEVEL = 14


def effect_panels(effects: Sequence[ColumnEffect]) -> Axes:
    """Draw the mean prediction for each value of each column, one panel a column, on one scale.

    Parameters
    ----------
    effects : sequence of ColumnEffect
        At least one.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    down = -(-len(effects) // ACROSS)
    across = min(ACROSS, len(effects))
    figure = Figure(figsize=(2.45 * across, 2.1 * down), layout="constrained")
    panels = figure.subplots(down, across, sharey=True, squeeze=False)
    several = len({effect.meaning for effect in effects}) > 1
    for axes, effect in zip(panels.flat, effects, strict=False):
        numeric = all(isinstance(value, int | float) for value in effect.values)
        places = effect.values if numeric else range(len(effect.values))
        for curve in effect.individual:
            # Thin and behind: rows that differ from the mean show what columns do together.
            axes.plot(places, curve, color="0.75", linewidth=0.5, zorder=1)
        if numeric:
            axes.plot(effect.values, effect.means, marker="o", markersize=3)
        else:
            names = [_short(str(value), LONGEST_LEVEL) for value in effect.values]
            axes.plot(range(len(names)), effect.means, marker="o", markersize=4, linestyle="none")
            axes.set_xticks(range(len(names)), names, rotation=90)
        own = f"\n{_short(effect.meaning, 30)}" if several else ""
        axes.set_title(f"{_short(effect.column)}{own}", fontsize="medium")
    for axes in list(panels.flat)[len(effects) :]:
        axes.set_visible(False)
    for line in panels:
        line[0].set_ylabel("mean" if several else _short(effects[0].meaning, 30))
    first: Axes = figure.axes[0]
    return first


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
