"""JSON lines: one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import polars as pl

from hornbook.frame.readers._path import label, shown
from hornbook.frame.readers._source import Source
from hornbook.frame.readers._text import PIECE, Piece, TextFile

__all__ = ["JsonReader", "column_names"]


def column_names(path: Path) -> list[str]:
    """Names of the columns, in the order in which the first lines of a file have them."""
    lines = TextFile(path).head(None).splitlines()
    return list(dict.fromkeys(name for line in lines if line.strip() for name in json.loads(line)))


class JsonReader:
    """Reads JSON lines, piece by piece; a key that a line leaves out is missing there.

    Parameters
    ----------
    path : Path
        The file.
    encoding : str, optional
        Its encoding; guessed when left out.
    """

    named = True
    kinds: Mapping[str | int, Any] = MappingProxyType({})

    def __init__(self, path: Path, encoding: str | None) -> None:
        self.file = file = TextFile(path, encoding)
        if file.head(None).lstrip().startswith(b"["):
            raise ValueError(
                f"{shown(path)} holds one JSON list: write one object on each line instead (JSON lines)."
            )
        self._schema = self._learned()
        self.names = tuple(self._schema)
        self.source = Source(
            label(path),
            "JSON lines",
            compressed=file.compressed,
            encoding=file.encoding,
            guessed=file.guessed,
        )

    @property
    def done(self) -> float:
        """Fraction of the file read so far."""
        return self.file.done

    def _learned(self) -> dict[str, Any]:
        """The columns in the order in which the first line has them, and what is new on later lines."""
        schema: dict[str, Any] = {}
        for piece in self.file.pieces(PIECE, None):
            types = self._parsed(piece, None).schema
            # polars does not keep the order of the first line, which users expect.
            keys = [*self._keys(piece), *types] if not schema else types
            for name in keys:
                # The whole file is parsed once for its types, because a later line may bring a new key or a
                # wider type, and all batches must have the same columns.
                schema[name] = _wider(schema.get(name, pl.Null()), types[name])
        return schema

    def _keys(self, piece: Piece) -> list[str]:
        return list(json.loads(piece.data.lstrip().split(b"\n", 1)[0]))

    def whole(self) -> None:
        """`frames` is as fast."""

    def frames(self, batch_rows: int | None = None) -> Iterator[pl.DataFrame]:
        """All rows, in tables of some size."""
        # 64 bytes are a short object: with longer ones a piece has fewer rows, and memory stays bounded.
        size = PIECE if batch_rows is None else min(PIECE, batch_rows * 64)
        for piece in self.file.pieces(size, None):
            table = self._parsed(piece, self._schema)
            if table.height:
                yield table

    def _parsed(self, piece: Piece, schema: dict[str, Any] | None) -> pl.DataFrame:
        try:
            return pl.read_ndjson(piece.data, schema=schema, infer_schema_length=None)
        except pl.exceptions.PolarsError as error:
            self.file.refuse_bytes(piece)
            self._refuse(piece, error)

    def _refuse(self, piece: Piece, error: Exception) -> NoReturn:
        """Find the invalid line; parsing line by line is slow, so it is done only for the message."""
        lines = piece.data.splitlines()
        wrong = next((i for i, line in enumerate(lines) if line.strip() and not _is_object(line)), None)
        if wrong is not None:
            raise ValueError(
                f"{shown(self.file.path)}: line {piece.line + wrong} is not a JSON object like "
                '{"size": 1.5, "color": "red"}: write one object on each line.'
            )
        reason = str(error).splitlines()[0]
        raise ValueError(
            f"{shown(self.file.path)}: lines {piece.line} to {piece.line + len(lines) - 1} hold values of "
            f"different types under one name ({reason}): give every column one type."
        )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _wider(a: Any, b: Any) -> Any:
    if b in (a, pl.Null):
        return a
    if a == pl.Null:
        return b
    if {a, b} == {pl.Int64, pl.Float64}:
        return pl.Float64()
    return a if a.is_nested() else b if b.is_nested() else pl.String()
