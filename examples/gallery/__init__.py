"""Every figure of the notes, drawn by our own learners and functions.

Each module holds figures of one note (``n0_trees.py``: of note N0, about trees). A figure is a function
without arguments that returns a matplotlib Figure, registered under its id with a caption::

    @figure("N0/3.4", "Tree of the melons' density and sugar")
    def melon_tree() -> Figure:
        model = DecisionTreeClassifier(...).fit(...)
        return model.plot().figure

The picture itself is drawn by a public function of `hornbook.plots` or by a public method of a learner; the
module only fits and passes data. Every figure can be drawn alone, takes less than a second and draws the
same picture every time: small data, fixed seeds, no state shared with other figures.

`figures` finds all modules of the package, so that a new one needs no further entry; `draw` draws one figure
by its id. ``tests/figures.csv`` lists for each id the public functions that draw it and the test that checks
what was drawn.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Entry", "draw", "figure", "figures", "panels"]


@dataclass(frozen=True)
class Entry:
    """A figure: its id, its caption and the function that draws it."""

    id: str
    caption: str
    draw: Callable[[], Figure]


_ENTRIES: dict[str, Entry] = {}


def figure(id: str, caption: str) -> Callable[[Callable[[], Figure]], Callable[[], Figure]]:  # noqa: A002
    """Register a function without arguments as the figure with this id; the function stays as it is."""

    def register(function: Callable[[], Figure]) -> Callable[[], Figure]:
        known = _ENTRIES.get(id)
        if known is not None and known.draw.__qualname__ != function.__qualname__:
            raise ValueError(
                f"figure: '{id}' is drawn by {known.draw.__qualname__} already; choose another id."
            )
        _ENTRIES[id] = Entry(id, caption, function)
        return function

    return register


def figures() -> list[Entry]:
    """All figures, by note and number."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return sorted(_ENTRIES.values(), key=lambda entry: _order(entry.id))


def draw(id: str) -> Figure:  # noqa: A002
    """Draw the figure with this id."""
    return {entry.id: entry for entry in figures()}[id].draw()


def panels(
    across: int, down: int = 1, *, size: tuple[float, float] = (4.4, 3.6)
) -> tuple[Figure, list[Axes]]:
    """Make a figure of equal panels, each of this size in inches; in the order in which one reads them."""
    from matplotlib.figure import Figure  # noqa: PLC0415  as everywhere: matplotlib is imported by the first plot

    sheet = Figure(figsize=(size[0] * across, size[1] * down), layout="constrained")
    return sheet, list(sheet.subplots(down, across, squeeze=False).ravel())


def _order(id: str) -> list[tuple[int, int, str]]:  # noqa: A002
    # Numbers by value and before words: 2.1, 10.1, Tab 5.1.
    return [
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|[^\d./]+", id)
    ]
