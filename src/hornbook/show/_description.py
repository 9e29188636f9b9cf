"""Tables and descriptions as text, HTML and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

__all__ = ["Cell", "Description", "Table", "plain"]

Cell = str | bool | int | float | None


def plain(value: Any) -> Any:
    """Python's own type for a NumPy scalar, so that JSON takes it."""
    return value.item() if isinstance(value, np.generic) else value


def _text(value: Any) -> str:
    value = plain(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


@dataclass(frozen=True)
class Table:
    """A small table.

    Parameters
    ----------
    title : str
        What it shows.
    head : sequence of str
        The heads of its columns.
    rows : sequence of sequence
        The cells, row by row.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        cells = [[_text(name) for name in self.head], *([_text(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[j]) for row in cells) for j in range(len(self.head))]
        lines = []
        for row in cells:
            first = row[0].ljust(widths[0])
            rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  ".join(["", first, *rest]).rstrip())
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(_text(name))}</th>" for name in self.head)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>" for row in self.rows
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        rows = [[plain(cell) for cell in row] for row in self.rows]
        return {"title": self.title, "head": list(self.head), "rows": rows}


@dataclass(frozen=True)
class Description:
    """A fitted model in words and numbers that a person can check by hand.

    Parameters
    ----------
    title : str
        What the model is, in one line.
    facts : mapping, default {}
        Named numbers and words.
    tables : sequence of Table, default ()
        The parameters of the model.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    tables: Sequence[Table] = ()

    def __str__(self) -> str:
        facts = [f"{name}: {_text(value)}" for name, value in self.facts.items()]
        return "\n".join([self.title, *facts, *(f"\n{table}" for table in self.tables)])

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<dt>{escape(name)}</dt><dd>{escape(_text(value))}</dd>" for name, value in self.facts.items()
        )
        tables = "".join(table._repr_html_() for table in self.tables)
        return f"<section><h4>{escape(self.title)}</h4><dl>{facts}</dl>{tables}</section>"

    def to_dict(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {
            "title": self.title,
            "facts": {name: plain(value) for name, value in self.facts.items()},
            "tables": [table.to_dict() for table in self.tables],
        }
