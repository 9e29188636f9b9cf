"""Tables as Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from hornbook.frame.readers._path import Stamp, label, shown
from hornbook.frame.readers._source import Source

__all__ = ["ParquetReader", "column_names"]


def column_names(path: Path) -> list[str]:
    """Names of the columns, from the end of the file."""
    return list(pl.read_parquet_schema(path))


class ParquetReader:
    """Reads Parquet, whole or some rows at a time.

    Parameters
    ----------
    path : Path
        The file.
    """

    named = True
    kinds: Mapping[str | int, Any] = MappingProxyType({})

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp = Stamp.of(path)
        self.done = 0.0
        with self._fence():
            self.names = tuple(column_names(path))
            self._n_rows: int = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
        if not self._n_rows:
            raise ValueError(f"{shown(path)} has no rows: a table with at least one row is needed.")
        self.source = Source(label(path), "Parquet")

    def whole(self) -> None:
        """`frames` is as fast."""

    def frames(self, batch_rows: int | None = None) -> Iterator[pl.DataFrame]:
        """All rows, in tables of that many."""
        step = batch_rows or self._n_rows
        self.done = 0.0
        for start in range(0, self._n_rows, step):
            self.stamp.check()
            with self._fence():
                table = pl.scan_parquet(self.path, glob=False).slice(start, step).collect()
            self.done = (start + table.height) / self._n_rows
            yield table
        self.stamp.check()

    @contextmanager
    def _fence(self) -> Iterator[None]:
        try:
            yield
        except (pl.exceptions.PolarsError, OSError) as error:
            reason = str(error).splitlines()[0].removesuffix(".")
            raise ValueError(
                f"{shown(self.path)} is not a Parquet file, or damaged ({reason}): get an intact copy of it."
            ) from None
