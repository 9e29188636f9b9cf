"""What objects say of themselves: a `Table` and a `Description` that print, show as HTML and give data."""

from __future__ import annotations

from hornbook.display._description import Cell, Description, Table, aligned, plain
from hornbook.display._printable import printable

__all__ = ["Cell", "Description", "Table", "aligned", "plain", "printable"]
