"""Tables of delimited text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from hornbook.frame.readers._cell_types import READ_AS, CellType, converted, types_of, widest
from hornbook.frame.readers._dialect import Dialect, guessed_dialect
from hornbook.frame.readers._lines import line_table, without_blank_lines
from hornbook.frame.readers._path import label, shown
from hornbook.frame.readers._source import Source
from hornbook.frame.readers._text import PIECE, Piece, TextFile

__all__ = ["CsvReader", "EmptyTableError", "Widened"]

LEAST = 2**12  # smallest useful read, in bytes


class EmptyTableError(ValueError):
    """A file that has a header line and no rows."""


class Widened(Exception):  # noqa: N818 - not an error: reading starts again with wider types
    """A later part of the file needs a wider type for a column."""


class CsvReader:
    """Reads CSV, TSV and similar text in pieces; a column has the same type in all of them.

    Parameters
    ----------
    path : Path
        The file.
    encoding, delimiter, header, missing, quote : optional
        As in `read`; None is guessed, except for the quote, where it means none.
    """

    kinds: Mapping[str | int, Any] = MappingProxyType({})

    def __init__(
        self,
        path: Path,
        *,
        encoding: str | None,
        delimiter: str | None,
        header: bool | None,
        missing: Sequence[str] | None,
        quote: str | None,
    ) -> None:
        self.file = file = TextFile(path, encoding)
        head = file.head(quote)
        if file.encoding == "utf-8":
            file.refuse_bytes(Piece(head, 1))
        self.dialect: Dialect = guessed_dialect(head, delimiter, header, missing, quote)
        options = {"delimiter": delimiter, "header": header, "missing": missing}
        self._guessed = tuple(name for name, value in options.items() if value is None)
        self.named = self.dialect.header
        try:
            self.names = self.dialect.names()
        except ValueError as error:
            raise ValueError(f"{shown(path)}: {error}") from None
        first = self._without_header(Piece(head, 1))
        if not without_blank_lines(first.data, self.dialect.delimiter, quote):
            raise EmptyTableError(
                f"{shown(path)} has a header line and no rows: a table with at least one row is needed."
            )
        # Bytes of a mean row, by which a number of rows is turned into the size of a read.
        self._row_bytes = len(first.data) // first.data.count(b"\n") + 1
        self._types = self._types_in(first)
        self._seen: set[str] = set()

    @property
    def done(self) -> float:
        """Share of the file that has been read."""
        return self.file.done

    @property
    def source(self) -> Source:
        """How the file was parsed; missing-value markers are those seen so far."""
        dialect, file = self.dialect, self.file
        return Source(
            label(file.path),
            "CSV",
            compressed=file.compressed,
            encoding=file.encoding,
            delimiter=dialect.delimiter,
            header=dialect.header,
            decimal="," if dialect.decimal_comma else ".",
            missing=tuple(mark for mark in dialect.missing if mark in self._seen),
            guessed=(*file.guessed, *self._guessed, "decimal"),
        )

    def frames(self, batch_rows: int | None = None) -> Iterator[pl.DataFrame]:
        """All rows, in tables of at most about that many; may raise `Widened` once."""
        size = PIECE if batch_rows is None else min(PIECE, max(batch_rows * self._row_bytes, LEAST))
        for piece in self._pieces(size):
            table = self._table(piece)
            if table is None:
                # Tables already yielded have the narrow type: the caller must start again, once, since the
                # types of all pieces are known then.
                self._types = self._types_of_all()
                raise Widened
            if table.height:
                yield table

    def whole(self) -> pl.DataFrame | None:
        """All rows at once, which is fastest; None for files that only `frames` can parse."""
        dialect, file = self.dialect, self.file
        if not file.plain or dialect.padded or file.odd_quotes(dialect.quote):
            return None
        try:
            table = self._read_csv(file.path, self._types, has_header=dialect.header)
        except pl.exceptions.PolarsError:
            return None
        file.stamp.check()
        # Blank and short lines leave the last cell null, and `frames` must tell which they are.
        typed = None if table[:, -1].null_count() else self._converted(table)
        if typed is not None and any(column.null_count() for column in typed.iter_columns()):
            for piece in self._pieces(PIECE):
                self._look_for_marks(piece)
        return typed

    def _read_csv(
        self, data: bytes | Path, types: Sequence[CellType], *, has_header: bool = False
    ) -> pl.DataFrame:
        dialect = self.dialect
        return pl.read_csv(
            data,
            has_header=has_header,
            separator=dialect.delimiter,
            quote_char=dialect.quote,
            schema={name: READ_AS[kind] for name, kind in zip(self.names, types, strict=True)},
            null_values=list(dialect.missing),
            decimal_comma=dialect.decimal_comma,
            glob=False,
        )

    def _types_of_all(self) -> list[CellType]:
        types = self._types
        for piece in self._pieces(PIECE):
            types = widest(types, self._types_in(piece))
        return types

    def _pieces(self, size: int) -> Iterator[Piece]:
        for piece in self.file.pieces(size, self.dialect.quote):
            yield self._without_header(piece) if piece.line == 1 else piece

    def _without_header(self, piece: Piece) -> Piece:
        if not self.dialect.header:
            return piece
        lines = line_table(piece.data, self.dialect.delimiter, self.dialect.quote)
        end = int(lines.ends[np.argmin(lines.blank)]) + 1
        return Piece(piece.data[end:], 1 + piece.data.count(b"\n", 0, end))

    def _table(self, piece: Piece) -> pl.DataFrame | None:
        """The rows of a piece, or None when some cell is not of its column's type."""
        table = None if self.dialect.padded else self._parsed(piece, self._types)
        table = self._converted(self._cells(piece) if table is None else table)
        if table is not None and any(column.null_count() for column in table.iter_columns()):
            self._look_for_marks(piece)
        return table

    def _converted(self, table: pl.DataFrame) -> pl.DataFrame | None:
        return converted(table, self._types, decimal_comma=self.dialect.decimal_comma)

    def _types_in(self, piece: Piece) -> list[CellType]:
        return types_of(self._cells(piece), decimal_comma=self.dialect.decimal_comma)

    def _cells(self, piece: Piece) -> pl.DataFrame:
        """The rows of a piece, every cell as text."""
        cells = self._parsed(piece, ["text"] * len(self.names))
        if cells is None:
            raise ValueError(
                f"{shown(self.file.path)}: the lines after line {piece.line} cannot be cut into cells, most "
                "likely because of a quotation mark inside a cell: double it and put the cell between "
                "quotation marks, or pass quote=None if it is a character like any other."
            )
        if self.dialect.padded:
            marks = dict.fromkeys(self.dialect.missing)
            cells = cells.select(pl.all().str.strip_chars().replace(marks))
        return cells

    def _parsed(self, piece: Piece, types: Sequence[CellType]) -> pl.DataFrame | None:
        """The rows of a piece read as those types; None when a cell cannot be."""
        data = piece.data
        try:
            table = self._read_csv(data, types)
            # Blank and short lines leave the last cell null; if none is, there are no such lines.
            if not table[:, -1].null_count():
                return table
            self._refuse_ragged_lines(piece)
            kept = without_blank_lines(data, self.dialect.delimiter, self.dialect.quote)
            return table if kept == data else self._read_csv(kept, types) if kept else table.clear()
        except pl.exceptions.PolarsError:
            self.file.refuse_bytes(piece)
            self._refuse_ragged_lines(piece)
            return None

    def _look_for_marks(self, piece: Piece) -> None:
        """Record which missing-value markers occur in the piece."""
        # A search for bytes first: most markers are not in the file, and cutting lines into cells is slow.
        unseen = [mark for mark in self.dialect.missing if mark not in self._seen]
        for mark in unseen:
            if mark.encode() in piece.data and any(cell in piece.data for cell in self._written(mark)):
                self._seen.add(mark)

    def _written(self, mark: str) -> Iterator[bytes]:
        """The marker as a cell, with the possible characters around it."""
        cut, words = self.dialect.delimiter, [mark, f" {mark}" if self.dialect.padded else mark]
        if self.dialect.quote is not None:
            words.append(f"{self.dialect.quote}{mark}{self.dialect.quote}")
        for word in words:
            ends = [(cut, cut), (cut, "\n"), (cut, "\r"), ("\n", cut)]
            if word:
                ends += [("\n", "\n"), ("\n", "\r")]
            yield from (f"{before}{word}{after}".encode() for before, after in ends)

    def _refuse_ragged_lines(self, piece: Piece) -> None:
        lines = line_table(piece.data, self.dialect.delimiter, self.dialect.quote)
        wrong = np.flatnonzero((lines.delimiters != len(self.names) - 1) & ~lines.blank)
        if not len(wrong):
            return
        line = piece.line + piece.data.count(b"\n", 0, int(lines.starts[wrong[0]]))
        n_cells = int(lines.delimiters[wrong[0]]) + 1
        raise ValueError(
            f"{shown(self.file.path)}: line {line} has {n_cells} cell{'s' * (n_cells > 1)}, but the first "
            f"line has {len(self.names)}: correct the line, or pass the delimiter if it is not "
            f"{self.dialect.delimiter!r}."
        )
