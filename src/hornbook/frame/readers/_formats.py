"""Which formats there are: a new one is a file with its reader, and a line in the table here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import polars as pl

from hornbook.frame.readers._csv import CsvReader
from hornbook.frame.readers._json_lines import JsonReader
from hornbook.frame.readers._parquet import ParquetReader
from hornbook.frame.readers._path import shown
from hornbook.frame.readers._source import Source
from hornbook.frame.readers._text import TextFile

__all__ = ["FORMATS", "Format", "Key", "Kinds", "Reader", "opened"]

Key = str | int
Kinds = Mapping[Key, str | Sequence[Any]]
Options = Mapping[str, Any]


class Reader(Protocol):
    """What can go through a file, table by table."""

    names: tuple[str, ...]
    named: bool

    @property
    def kinds(self) -> Kinds:
        """Kinds of columns that the file itself declares."""

    @property
    def source(self) -> Source:
        """How the file was understood."""

    @property
    def done(self) -> float:
        """Share of the file that has been read."""

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
    reader : callable
        Makes the reader of a file and of the options of `read` that are named below.
    options : tuple of str
        Those that make sense for the format; others are refused.
    """

    name: str
    reader: Callable[..., Reader]
    options: tuple[str, ...] = ()


def _csv(file: Path, encoding: str | None, **options: Any) -> Reader:
    return CsvReader(TextFile(file, encoding), **options)


def _json_lines(file: Path, encoding: str | None) -> Reader:
    return JsonReader(TextFile(file, encoding))


PARQUET = Format("Parquet", ParquetReader)
JSON_LINES = Format("JSON lines", _json_lines, ("encoding",))
CSV = Format("CSV", _csv, ("encoding", "delimiter", "header", "missing", "quote"))

# By the ending of the name, without .gz; every other file is delimited text.
FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        ".parquet": PARQUET,
        ".pq": PARQUET,
        ".jsonl": JSON_LINES,
        ".ndjson": JSON_LINES,
        ".json": JSON_LINES,
    }
)


def opened(file: Path, options: Options) -> Reader:
    """Open a file with the reader of its format."""
    form = FORMATS.get(Path(file.name.lower().removesuffix(".gz")).suffix, CSV)
    if "encoding" in form.options:
        _check(options)
    for name, value in options.items():
        if name not in form.options and value is not None and (name, value) != ("quote", '"'):
            raise ValueError(f"{shown(file)} is read as {form.name}, which has no {name}: leave {name} out.")
    return form.reader(file, **{name: options[name] for name in form.options})


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
