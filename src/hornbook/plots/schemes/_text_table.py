"""A table of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._text import inches, unmarked, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["text_table"]

_SIZE = 9.5  # points
_GAP = 0.28  # inches between columns
_LINE = 0.19  # inches of a line
_BETWEEN = 0.14  # inches between rows


def text_table(
    rows: Sequence[Sequence[object]],
    columns: Sequence[str],
    ax: Axes | None = None,
    *,
    widest: int = 34,
    title: str = "",
) -> Axes:
    """Draw a table of words, with a line under the names of its columns.

    Parameters
    ----------
    rows : sequence of sequence
        The cells, row by row; floats are written with four digits.
    columns : sequence of str
        Names of the columns.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    widest : int, default 34
        Letters after which a cell continues in a new line.
    title : str, default ""
        Title of the table.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = text_table([["linear", "x·z", 5.0]], ["kernel", "formula", "value"])
    >>> [text.get_text() for text in ax.texts]
    ['kernel', 'formula', 'value', 'linear', 'x·z', '5']
    """
    if not columns or any(len(row) != len(columns) for row in rows):
        raise ValueError(
            f"text_table: every row must have one cell for each of the {len(columns)} columns, at least one; "
            f"got rows with {sorted({len(row) for row in rows})} cells."
        )
    cells = [[wrapped(_written(cell), widest) for cell in row] for row in [columns, *rows]]
    widths = [max(inches(row[j], _SIZE) for row in cells) for j in range(len(columns))]
    heights = [_BETWEEN + _LINE * max(cell.count("\n") + 1 for cell in row) for row in cells]
    wide, high = sum(widths) + _GAP * len(columns), sum(heights)
    ax = axes(ax, size=(max(3.0, wide + 0.3), high + (0.65 if title else 0.3)))
    ax.set_axis_off()
    ax.set(xlim=(0, wide), ylim=(high, 0))
    down = 0.0
    for i, (row, height) in enumerate(zip(cells, heights, strict=True)):
        across = _GAP / 2
        for cell, width in zip(row, widths, strict=True):
            weight = "normal" if i else "bold"
            ax.text(across, down + height / 2, cell, va="center", fontsize=_SIZE, weight=weight)
            across += width + _GAP
        down += height
        line: dict[str, Any] = (
            {"color": "black", "linewidth": 1.2} if not i else {"color": GRAY, "linewidth": 0.4}
        )
        ax.plot([0, wide], [down, down], **line)
    ax.set_title(title)
    unmarked(ax.texts)
    return ax


def _written(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
