"""What objects say of themselves: a `Table` and a `Description` that print, show as HTML and give data."""

from __future__ import annotations

from hornbook.display._description import Cell, Description, Table, aligned
from hornbook.display._plain_data import plain, plain_data
from hornbook.display._printable import printable

__all__ = ["Cell", "Description", "Table", "aligned", "plain", "plain_data", "printable"]
