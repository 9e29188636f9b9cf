"""Points in the colors and shapes of their classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.plots.canvas._legend import class_legend
from hornbook.plots.canvas._palette import class_styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["class_order", "class_points", "thinned"]

MOST_DOTS = 5_000  # more of them take long to draw and hide each other


def class_order(labels: NDArray[Any], model: Any = None) -> list[Any]:
    """Return all classes in the order of their colors: those of the model, then others among the labels."""
    known = getattr(model, "classes_", None)
    first = [] if known is None else np.asarray(known).tolist()
    return first + [label for label in np.unique(labels).tolist() if label not in set(first)]


def thinned(count: int, most: int = MOST_DOTS) -> NDArray[np.intp]:
    """Return the rows that are drawn: all, or evenly spaced ones where there are too many to see."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.intp)


def class_points(
    ax: Axes,
    points: NDArray[np.float64],
    labels: NDArray[Any],
    classes: Sequence[Any],
    names: Sequence[object] | None = None,
    more: Sequence[tuple[Any, str]] = (),
    **style: Any,
) -> None:
    """Draw points of the plane by class with a legend, in which classes may be renamed, and more entries."""
    shown = []
    for i, (label, look) in enumerate(zip(classes, class_styles(len(classes)), strict=True)):
        own = points[labels == label]
        if len(own):
            shown.append(i)
            # In proportion to the size of the class, with a floor that keeps rare classes visible.
            own = own[thinned(len(own), max(50, MOST_DOTS * len(own) // len(points)))]
            usual: dict[str, Any] = {"s": 22, "alpha": 0.8, "color": look.color, "marker": look.marker}
            ax.scatter(own[:, 0], own[:, 1], **(usual | style))
    class_legend(ax, classes if names is None else names, shown=shown, more=more)
