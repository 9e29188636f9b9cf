"""How objects display themselves: `Table` and `Description` print, render as HTML and return plain data."""

from __future__ import annotations

from hornbook.display._description import Cell, Description, Table, aligned
from hornbook.display._interval_plot import IntervalRow, interval_lines, interval_scale
from hornbook.display._plain_data import plain, plain_data
from hornbook.display._printable import printable

__all__ = [
    "Cell",
    "Description",
    "IntervalRow",
    "Table",
    "aligned",
    "interval_lines",
    "interval_scale",
    "plain",
    "plain_data",
    "printable",
]
