"""Text files as pieces of whole lines in UTF-8, whatever their encoding and compression."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Any

import numpy as np

from hornbook.frame.readers._lines import last_line_end, line_table
from hornbook.frame.readers._path import Stamp, shown

__all__ = ["PIECE", "Piece", "TextFile"]

HEAD = 2**20  # bytes from which everything is guessed
PIECE = 2**20  # bytes read at a time
LONGEST_LINE = 2**26  # a file with a longer line is not a table

GZIP = b"\x1f\x8b"
MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
BINARY = {
    b"PAR1": "a Parquet file: give its name the ending .parquet",
    b"PK\x03\x04": "a zip archive or a spreadsheet: save the table as CSV",
    b"ARROW1": "an Arrow file: read it with polars.read_ipc and make the result a Frame",
    b"\x89HDF": "an HDF5 file: save the table as CSV or Parquet",
    b"SQLite": "a database: save the table as CSV or Parquet",
    b"BZh": "compressed with bzip2: decompress it, or compress it with gzip",
    b"\xfd7zXZ": "compressed with xz: decompress it, or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: decompress it, or compress it with gzip",
}


@dataclass(frozen=True)
class Piece:
    """Whole lines of a file, the last with its newline, and the number of the first one."""

    data: bytes
    line: int


class TextFile:
    """A file of lines.

    Parameters
    ----------
    path : Path
        An existing file.
    encoding : str, optional
        The name of the encoding; guessed when left out.
    """

    def __init__(self, path: Path, encoding: str | None = None) -> None:
        self.path = path
        self.stamp = Stamp.of(path)
        with path.open("rb") as file:
            self.compressed = file.read(2) == GZIP
        with self._opened() as (stream, _):
            start = stream.read(HEAD)
        if not start:
            raise ValueError(f"{shown(path)} is empty: a table with a header line and rows is needed.")
        mark = next((mark for mark in MARKS if start.startswith(mark)), b"")
        name = _known(encoding) if encoding else ""
        self.guessed = () if encoding else ("encoding",)
        # The byte order mark decides between the two byte orders of "utf-16".
        self.encoding = MARKS[mark] if mark and MARKS[mark].startswith(name) else name or _guessed(start)
        self._skipped = len(mark) if self.encoding == MARKS.get(mark) else 0
        if not self.encoding.startswith("utf-16"):
            self._refuse_binary(start)
        # Files of old Macintosh programs end lines with a carriage return alone.
        self._returns_only = b"\r" in start and b"\n" not in start
        self.done = 0.0

    def _refuse_binary(self, start: bytes) -> None:
        for magic, what in BINARY.items():
            if start.startswith(magic):
                raise ValueError(f"{shown(self.path)} is not text but {what}.")
        if b"\0" in start:
            raise ValueError(
                f"{shown(self.path)} is not text (it holds zero bytes): a table as CSV, TSV, JSON lines "
                "or Parquet is needed."
            )

    @property
    def plain(self) -> bool:
        """Whether the bytes of the file are UTF-8 and nothing else."""
        return not (self.compressed or self._skipped or self._returns_only) and self.encoding == "utf-8"

    def odd_quotes(self, quote: str | None) -> bool:
        """Whether a plain file has an odd number of quotation marks."""
        if quote is None:
            return False
        with self.path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            if data.find(quote.encode()) < 0:
                return False
            pieces = (data[start : start + PIECE] for start in range(0, len(data), PIECE))
            return sum(piece.count(quote.encode()) for piece in pieces) % 2 == 1

    def head(self, quote: str | None) -> bytes:
        """The first lines, as many as fit into a megabyte, but two at least if there are two."""
        data = b""
        for piece in self.pieces(HEAD, quote):
            data += piece.data
            if np.count_nonzero(~line_table(data, ",", quote).blank) > 1:
                break
        return data

    def pieces(self, size: int, quote: str | None) -> Iterator[Piece]:
        """All lines in pieces of about that many bytes; lines are never cut, not even inside quotes."""
        self.done, line, rest = 0.0, 1, b""
        for data in self._decoded(size):
            rest = rest + data if rest else data
            end = last_line_end(rest, quote)
            if end:
                yield Piece(rest[:end], line)
                line += rest.count(b"\n", 0, end)
                rest = rest[end:]
            if len(rest) > LONGEST_LINE:
                self._refuse_long_line(line, rest, quote)
        if rest:
            self._refuse_open_quote(line, rest, quote)
            yield Piece(rest + b"\n", line)
        self.stamp.check()

    def _refuse_long_line(self, line: int, rest: bytes, quote: str | None) -> None:
        self._refuse_open_quote(line, rest, quote)
        raise ValueError(
            f"{shown(self.path)}: line {line} is longer than {LONGEST_LINE:,} bytes, which no table needs: "
            "check that the file is a table with one row on each line."
        )

    def _refuse_open_quote(self, line: int, rest: bytes, quote: str | None) -> None:
        if quote is not None and rest.count(quote.encode()) % 2:
            raise ValueError(
                f"{shown(self.path)}: the quotation mark {quote} is opened on line {line} or later and never "
                "closed: close it, or pass quote=None if it is a character like any other."
            )

    def _decoded(self, size: int) -> Iterator[bytes]:
        """The bytes as UTF-8, with the carriage returns of old Macintosh files as newlines."""
        # Incremental, because a read may end in the middle of a character.
        decoder = codecs.getincrementaldecoder(self.encoding)()
        plain = self.encoding == "utf-8"
        with self._opened() as (stream, file):
            stream.read(self._skipped)
            while raw := stream.read(size):
                self.stamp.check()
                self.done = file.tell() / self.stamp.size
                data = raw if plain else self._recoded(decoder, raw)
                yield data.replace(b"\r", b"\n") if self._returns_only else data
            if not plain:
                self._recoded(decoder, b"", final=True)

    def _recoded(self, decoder: codecs.IncrementalDecoder, raw: bytes, *, final: bool = False) -> bytes:
        try:
            return decoder.decode(raw, final).encode()
        except UnicodeError as error:
            raise ValueError(
                f"{shown(self.path)} is not written in {self.encoding} ({error}): pass another encoding."
            ) from None

    def refuse_bytes(self, piece: Piece) -> None:
        """Reject a piece that is not UTF-8, naming the line."""
        try:
            piece.data.decode()
        except UnicodeDecodeError as error:
            line = piece.line + piece.data.count(b"\n", 0, error.start)
            raise ValueError(
                f"{shown(self.path)}: line {line} holds the byte 0x{piece.data[error.start]:02x}, which is "
                "not utf-8: pass the encoding of the file, for example encoding='windows-1252'."
            ) from None

    @contextmanager
    def _opened(self) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """The decompressed bytes, and the file they come from."""
        with self.path.open("rb") as file:
            try:
                stream: Any = gzip.GzipFile(fileobj=file) if self.compressed else file
                yield stream, file
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise ValueError(
                    f"{shown(self.path)} is damaged and cannot be decompressed completely ({error}): get an "
                    "intact copy of it."
                ) from None


def _known(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        raise ValueError(
            f"There is no encoding {encoding!r}: pass 'utf-8', 'windows-1252', 'utf-16' or another name "
            "that Python knows."
        ) from None
    return name.removesuffix("-sig")


def _guessed(start: bytes) -> str:
    # Text in another encoding is hardly ever valid UTF-8, so that comes first; ISO 8859-1 accepts every byte.
    for name in ("utf-8", "cp1252"):
        try:
            codecs.getincrementaldecoder(name)().decode(start, final=len(start) < HEAD)
        except UnicodeDecodeError:
            continue
        return name
    return "iso8859-1"
