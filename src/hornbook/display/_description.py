"""Tables and descriptions as text, HTML and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from hornbook.display._plain_data import plain
from hornbook.display._printable import printable

__all__ = ["Cell", "Description", "Table", "aligned"]

Cell = str | bool | int | float | None


def _text(value: Any) -> str:
    value = plain(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


def aligned(rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> list[str]:
    r"""Lines of a table of text cells: columns of words are left-aligned, columns of numbers right-aligned.

    Parameters
    ----------
    rows : sequence of sequence of str
        The cells, row by row.
    numeric : sequence of bool
        Which columns are numbers.

    Examples
    --------
    >>> print("\n".join(aligned([["name", "rows"], ["iris", "150"], ["tennis", "14"]], [False, True])))
      name    rows
      iris     150
      tennis    14
    """
    # Escaped before widths are measured: an escape is longer than the character.
    cells = [[printable(text) for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(["", *(_padded(*cell) for cell in zip(row, widths, numeric, strict=True))]).rstrip()
        for row in cells
    ]


def _padded(text: str, width: int, is_number: bool) -> str:
    return text.rjust(width) if is_number else text.ljust(width)


@dataclass(frozen=True)
class Table:
    """A small table: words flush left, numbers flush right, headings aligned with their columns.

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

    @property
    def numeric(self) -> list[bool]:
        """Which columns are numbers; words, yes and no, and columns without a cell are not."""
        return [_numbers([plain(row[j]) for row in self.rows]) for j in range(len(self.head))]

    def __str__(self) -> str:
        cells = [[_text(name) for name in self.head], *([_text(cell) for cell in row] for row in self.rows)]
        return "\n".join([printable(self.title, "\n"), *aligned(cells, self.numeric)])

    def _repr_html_(self) -> str:
        # Notebooks align all cells to the right, browsers to the left: so every cell states its alignment.
        sides = ["right" if is_number else "left" for is_number in self.numeric]
        head, *body = (
            "<tr>" + "".join(_html(tag, *cell) for cell in zip(row, sides, strict=True)) + "</tr>"
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        )
        return f"<table><caption>{escape(self.title)}</caption>{head}{''.join(body)}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        rows = [[plain(cell) for cell in row] for row in self.rows]
        return {"title": self.title, "head": list(self.head), "rows": rows}


def _numbers(cells: Sequence[Any]) -> bool:
    known = [cell for cell in cells if cell is not None and cell != ""]
    return bool(known) and all(map(_number, known))


def _number(cell: Any) -> bool:
    """Whether a cell is a number or the text of one: some numbers arrive already formatted."""
    if not isinstance(cell, str):
        return isinstance(cell, int | float) and not isinstance(cell, bool)
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _html(tag: str, cell: Any, side: str) -> str:
    return f'<{tag} style="text-align: {side}">{escape(_text(cell))}</{tag}>'


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
        The parameters of the model; tables without a row are left out.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    tables: Sequence[Table] = ()

    def __post_init__(self) -> None:
        # Frozen, so the one change goes around its own guard.
        object.__setattr__(self, "tables", [table for table in self.tables if len(table.rows)])

    def __str__(self) -> str:
        facts = [printable(f"{name}: {_text(value)}", "\n") for name, value in self.facts.items()]
        return "\n".join([printable(self.title, "\n"), *facts, *(f"\n{table}" for table in self.tables)])

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
