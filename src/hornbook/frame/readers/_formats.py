"""The formats of files: a new one is a file with its reader, and a line in the table here.

Modules of readers are named, not imported, so that a shell that completes the names of columns waits for no
library that it does not need.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from hornbook.frame.readers._path import existing, shown
from hornbook.frame.readers._source import Source

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FORMATS", "Format", "Key", "Kinds", "Reader", "column_names", "ending_of", "opened"]

Key = str | int
Kinds = Mapping[Key, str | Sequence[Any]]
Options = Mapping[str, Any]


class Reader(Protocol):
    """Reads a file, whole or in parts."""

    names: tuple[str, ...]
    named: bool

    @property
    def kinds(self) -> Kinds:
        """Kinds of columns that the file itself declares."""

    @property
    def source(self) -> Source:
        """How the file was parsed."""

    @property
    def done(self) -> float:
        """Fraction of the file read so far."""

    def whole(self) -> pl.DataFrame | None:
        """All rows at once, where that is faster than `frames`; None where it is not."""

    def frames(self, batch_rows: int | None = None) -> Iterator[pl.DataFrame]:
        """All rows in order; may raise `Widened`, after which it must be started again."""


@dataclass(frozen=True)
class Format:
    """How files with some ending are opened.

    Parameters
    ----------
    name : str
        What the format is called.
    reader : str
        Module and name of the class that reads a file; it takes the path and the options below.
    names : str
        Module and name of the function that returns the names of the columns of a file, by its path.
    options : tuple of str, default ()
        Parameters of `read` that apply to the format; others are refused.
    start : bytes, default b""
        How its files start, for tables that come through a pipe without a name.
    """

    name: str
    reader: str
    names: str
    options: tuple[str, ...] = ()
    start: bytes = b""


PARQUET = Format("Parquet", "_parquet:ParquetReader", "_parquet:column_names", start=b"PAR1")
JSON_LINES = Format("JSON lines", "_json_lines:JsonReader", "_json_lines:column_names", ("encoding",), b"{")
CSV = Format(
    "CSV",
    "_csv:CsvReader",
    "_dialect:column_names",
    ("encoding", "delimiter", "header", "missing", "quote"),
)

# By the ending of the name, without .gz; every other file is delimited text.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        ".csv": CSV,
        ".tsv": CSV,
        ".txt": CSV,
        ".parquet": PARQUET,
        ".pq": PARQUET,
        ".jsonl": JSON_LINES,
        ".ndjson": JSON_LINES,
        ".json": JSON_LINES,
    }
)


def ending_of(file: Path) -> str:
    """Return the ending of the name of a file, compressed or not."""
    return Path(file.name.lower().removesuffix(".gz")).suffix


def opened(file: Path, options: Options) -> Reader:
    """Open a file with the reader of its format."""
    form = FORMATS.get(ending_of(file), CSV)
    if "encoding" in form.options:
        _check(options)
    for name, value in options.items():
        # The quote has a default other than None, which cannot be told from the user's own choice.
        if name not in form.options and value is not None and (name, value) != ("quote", '"'):
            raise ValueError(f"{shown(file)} is read as {form.name}, which has no {name}: leave {name} out.")
    reader: Reader = _imported(form.reader)(file, **{name: options[name] for name in form.options})
    return reader


def column_names(path: str | os.PathLike[str]) -> tuple[str, ...]:
    r"""Names of the columns of a file, as `read` finds them, without reading the rows.

    Of JSON lines, the names in the first megabyte are found.

    Parameters
    ----------
    path : str or path
        The file: CSV, TSV, JSON lines or Parquet, compressed with gzip or not.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "melons.csv")
    ...     _ = path.write_text("color;ripe\ngreen;true\n")
    ...     column_names(path)
    ('color', 'ripe')
    """
    file = existing(path)
    return tuple(_imported(FORMATS.get(ending_of(file), CSV).names)(file))


def _imported(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(f"hornbook.frame.readers.{module}"), name)


def _check(options: Options) -> None:
    for name in ("delimiter", "quote"):
        value = options[name]
        if value is not None and (not isinstance(value, str) or len(value) != 1 or not value.isascii()):
            raise ValueError(f"read: parameter {name!r} must be one ASCII character; got {value!r}.")
    missing = options["missing"]
    if isinstance(missing, str) or not all(isinstance(mark, str) for mark in missing or ()):
        raise TypeError(
            f"read: parameter 'missing' must be a list of text, like ['-', '?']; got {missing!r}."
        )
