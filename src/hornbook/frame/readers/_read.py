"""Files as tables in memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Column, Schema
from hornbook.frame.convert._assemble import parts_of
from hornbook.frame.readers._csv import Widened
from hornbook.frame.readers._formats import Key, Kinds, Reader, opened
from hornbook.frame.readers._path import existing
from hornbook.frame.readers._pipe import removed_unless_used, spooled

__all__ = ["Key", "Kinds", "Roles", "check_roles", "frame_of", "read", "reader_of"]

Roles = Mapping[str, Key | None]


def read(
    path: str | os.PathLike[str],
    target: Key | None = None,
    *,
    weight: Key | None = None,
    group: Key | None = None,
    id: Key | None = None,  # noqa: A002 (the word users know)
    kinds: Kinds | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
    quote: str | None = '"',
) -> Frame:
    r"""Read a file: CSV, TSV, JSON lines or Parquet, compressed with gzip or not.

    The ending of the name says what the file is: .parquet, .jsonl or .ndjson, and delimited text for all
    others; what comes through a pipe without such an ending is known by its first bytes. What is left out is
    guessed from the first megabyte, and ``frame.source`` says what came out.
    A column of text whose cells are all numbers, truth values, or dates like 2024-12-31 becomes one of those.
    Lines with nothing on them are skipped.

    Parameters
    ----------
    path : str or path
        The file; "-" is standard input, and pipes can be read as well.
    target, weight, group, id : str or int, optional
        Name or position of the column with that role; all others are features.
    kinds : dict, optional
        Kinds of columns by name or position, as in `Frame`.
    delimiter : str, optional
        The character between two cells: one of , ; | tab or space when left out.
    header : bool, optional
        Whether the first line holds the names of the columns. When left out, it does unless it holds numbers,
        or nothing but values that come again further down.
    encoding : str, optional
        The encoding of text; UTF-8, UTF-16 or windows-1252 when left out.
    missing : sequence of str, optional
        Marks of missing cells; "", "NA", "NaN" and "?" when left out.
    quote : str or None, default '"'
        The character around cells that hold delimiters or newlines; None if it is one like any other.

    Returns
    -------
    Frame
        The table, with ``source`` set.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "melons.csv")
    ...     _ = path.write_text("color;density;ripe\ngreen;0.7;true\n?;0.6;false\n")
    ...     melons = read(path, target="ripe")
    >>> melons
    Frame(2 rows, 3 columns: 1 numeric, 2 nominal; target 'ripe')
    >>> melons.source.delimiter, melons.source.header, melons.source.missing
    (';', True, ('?',))
    """
    reader = reader_of(
        path, encoding=encoding, delimiter=delimiter, header=header, missing=missing, quote=quote
    )
    roles: Roles = {"target": target, "weight": weight, "group": group, "id": id}
    check_roles(reader, roles)
    frame = frame_of(_whole(reader), reader, roles, kinds)
    frame.source = reader.source
    return frame


def _whole(reader: Reader) -> pl.DataFrame:
    table = reader.whole()
    if table is not None:
        return table
    try:
        return pl.concat(reader.frames())
    # The second reading starts with the types that the first has learned, so it cannot fail in this way.
    except Widened:
        return pl.concat(reader.frames())


def reader_of(path: str | os.PathLike[str], **options: Any) -> Reader:
    """Detect the format of a file, and open it."""
    pipe = spooled(path) if isinstance(path, str | os.PathLike) else None
    if pipe is None:
        return opened(existing(path), options)
    with removed_unless_used(pipe) as use:
        return use(opened(pipe, options))


def check_roles(reader: Reader, roles: Roles) -> None:
    """Reject an unknown column before all rows are read."""
    schema = Schema(tuple(Column(name, "numeric") for name in reader.names), reader.named)
    for key in roles.values():
        if key is not None:
            schema.position(key)


def frame_of(table: pl.DataFrame, reader: Reader, roles: Roles, kinds: Kinds | None) -> Frame:
    """Make a Frame of rows of a file; names that were made up are not the user's."""
    parts = parts_of(table)
    named = replace(parts, schema=Schema(parts.schema.columns, reader.named))
    if reader.kinds:  # kinds set by the user override those of the file
        place = named.schema.position
        kinds = {
            place(key): kind for kinds_of in (reader.kinds, kinds or {}) for key, kind in kinds_of.items()
        }
    return Frame(named, kinds=kinds, **roles)
