"""Colors that tell low cells of a column from high ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.plots.canvas._canvas import GRAY, color
from hornbook.plots.canvas._legend import legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cells_of", "low_to_high", "order_legend"]

_LOW, _MIDDLE, _HIGH = color(0), "#D8D8D8", color(3)
_ENDS = (5, 95)  # percentiles beyond which cells have the color of the end


def cells_of(data: Frame, column: str | int) -> NDArray[np.float64]:
    """Numbers, or codes of categories; NaN for missing ones."""
    j = data.schema.position(column)
    cells = np.asarray(data.column(j), dtype=np.float64)
    return cells if data.schema.columns[j].kind == "numeric" else np.where(cells < 0, np.nan, cells)


def low_to_high(data: Frame, column: str | int) -> NDArray[np.float64]:
    """RGB colors of the cells of a column; gray for missing ones and for categories without an order."""
    from matplotlib.colors import to_rgb  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    cells = cells_of(data, column)
    known = np.isfinite(cells)
    if data.schema.columns[data.schema.position(column)].kind == "nominal" or not known.any():
        return np.tile(to_rgb(GRAY), (len(cells), 1))
    # Outliers must not squeeze all other cells into one color.
    low, high = np.percentile(cells[known], _ENDS)
    place = np.clip((np.where(known, cells, low) - low) / ((high - low) or 1.0), 0.0, 1.0)[:, None]
    ends = [np.array(to_rgb(shade)) for shade in (_LOW, _MIDDLE, _HIGH)]
    # Piecewise linear through gray, so that the middle looks neutral.
    below = ends[0] + 2 * place * (ends[1] - ends[0])
    above = ends[1] + (2 * place - 1) * (ends[2] - ends[1])
    return np.where(known[:, None], np.where(place < 0.5, below, above), to_rgb(GRAY))


def order_legend(ax: Axes, title: str, *, gray: str = "") -> None:
    """Name the colors of `low_to_high`."""
    entries = [(_LOW, "low"), (_MIDDLE, "middle"), (_HIGH, "high"), *([(GRAY, gray)] if gray else [])]
    legend(ax, [_dot(shade) for shade, _ in entries], [name for _, name in entries], title=title)


def _dot(shade: str) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  as above

    return Line2D([], [], color=shade, marker="o", linestyle="none", markersize=5)
