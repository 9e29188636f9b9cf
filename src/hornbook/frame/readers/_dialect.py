"""The dialect of a delimited text file, guessed from its first lines."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hornbook.frame._schema import distinct_names
from hornbook.frame.readers._lines import Lines, line_table
from hornbook.frame.readers._text import TextFile

__all__ = ["MISSING", "Dialect", "column_names", "guessed_dialect"]

MISSING = ("", "NA", "NaN", "?")
QUOTE = '"'
DELIMITERS = (",", "\t", ";", "|", " ")  # in the order in which ties are decided
LINES = 200  # used for guessing
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True)
class Dialect:
    """How cells of delimited text are written.

    Parameters
    ----------
    delimiter : str
        Separates cells.
    header : bool
        Whether the first line contains names.
    quote : str or None
        Encloses cells that contain delimiters or newlines.
    missing : tuple of str
        Missing-value markers.
    decimal_comma : bool
        Whether numbers are written like 1,5.
    padded : bool
        Whether spaces around cells are ignored.
    first : tuple of str
        The cells of the first line.
    """

    delimiter: str
    header: bool
    quote: str | None
    missing: tuple[str, ...]
    decimal_comma: bool
    padded: bool
    first: tuple[str, ...]

    def names(self) -> tuple[str, ...]:
        """Names of the columns; those that the file does not give are x0, x1 and so on."""
        if not self.header:
            return tuple(f"x{j}" for j in range(len(self.first)))
        names = tuple(name.strip() or f"x{j}" for j, name in enumerate(self.first))
        distinct_names(names)
        return names


def column_names(path: Path) -> tuple[str, ...]:
    """Names of the columns of a file of delimited text, from its first lines."""
    return guessed_dialect(TextFile(path).head(QUOTE), None, None, None, QUOTE).names()


def guessed_dialect(
    head: bytes, delimiter: str | None, header: bool | None, missing: Sequence[str] | None, quote: str | None
) -> Dialect:
    """Guess the dialect from the first lines of a file, except for what the user set."""
    marks = MISSING if missing is None else tuple(missing)
    delimiter = delimiter or _delimiter(head, quote)
    lines = line_table(head, delimiter, quote)
    end = int(lines.ends[min(LINES, len(lines.ends)) - 1]) + 1
    rows = _cells(head[:end].decode(errors="replace"), delimiter, quote)
    padded = delimiter != " " and _is_padded(rows)
    if padded:
        rows = [[cell.strip() for cell in row] for row in rows]
    # Where commas separate cells, 1,5 would be two of them; elsewhere one such cell is enough, because text
    # hardly ever looks like that.
    comma = delimiter != "," and any(DECIMAL_COMMA.fullmatch(cell) for row in rows[1:] for cell in row)
    if header is None:
        header = _has_header(rows, marks)
    return Dialect(delimiter, header, quote, marks, comma, padded, tuple(rows[0]) if rows else ())


def _delimiter(head: bytes, quote: str | None) -> str:
    """The character that splits most lines into the same number of cells."""
    return max(DELIMITERS, key=lambda delimiter: _agreement(line_table(head, delimiter, quote)))


def _agreement(lines: Lines) -> float:
    """Fraction of lines with the most frequent number of delimiters, if that is not 0."""
    # Titles above and notes below a table have other counts: the majority decides, not every line.
    counts = lines.delimiters[~lines.blank][:LINES].tolist()
    if not counts:
        return 0.0
    number, times = Counter(counts).most_common(1)[0]
    return times / len(counts) if number else 0.0


def _cells(text: str, delimiter: str, quote: str | None) -> list[list[str]]:
    lines = text.splitlines(keepends=True)
    if quote is None:
        rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        rows = csv.reader(lines, delimiter=delimiter, quotechar=quote)
    try:
        return [row for row in rows if row]
    except csv.Error:  # a cell of more than 131,072 characters
        return [line.rstrip("\r\n").split(delimiter) for line in lines if line.strip()]


def _is_padded(rows: list[list[str]]) -> bool:
    """Whether most cells after the first of their line start with a space."""
    cells = [cell for row in rows for cell in row[1:]]
    return bool(cells) and sum(cell.startswith(" ") for cell in cells) > len(cells) / 2


def _has_header(rows: list[list[str]], missing: Sequence[str]) -> bool:
    """Names are not numbers, and do not all occur as values below."""
    # Categories alone look like names: a first line "red,small" is data if both words occur again below.
    first, rest = (rows[0], rows[1:]) if rows else ([], [])
    names = [cell for cell in first if cell]  # the column of row numbers often has no name
    if not names or any(NUMBER.fullmatch(name) or name in missing for name in names):
        return False
    below: list[set[str]] = [set() for _ in first]
    for row in rest:
        for seen, cell in zip(below, row, strict=False):
            seen.add(cell)
    return not rest or any(cell and cell not in seen for cell, seen in zip(first, below, strict=True))
