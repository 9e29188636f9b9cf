"""The points of a curve as a table: all of a short one, some of a long one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hornbook.display import Cell, Table
from hornbook.params import Floats

__all__ = ["curve_table"]

_MOST = 12


def curve_table(title: str, head: Sequence[str], columns: Sequence[Floats | list[str]]) -> Table:
    """Return a table of the points; of more than 12 it shows 12, evenly spaced, and says so."""
    count = len(columns[0])
    shown = np.arange(count)
    if count > _MOST:
        shown = np.unique(np.linspace(0, count - 1, _MOST).round().astype(np.intp))
        title = f"{title} ({_MOST} of {count} points)"
    cells = [[column[i] for column in columns] for i in shown]
    rows: list[list[Cell]] = [[c if isinstance(c, str) else float(c) for c in row] for row in cells]
    return Table(title, head, rows)
