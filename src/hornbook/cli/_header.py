"""The names of the columns of a table, fast enough for a shell that completes them."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import hornbook

__all__ = ["column_names"]

ENOUGH = 1 << 16  # characters in which the first lines must be


def column_names(data: str) -> list[str]:
    """Names of the columns of a file or a data set; none when they cannot be found.

    Parameters
    ----------
    data : str
        A file or the name of a data set.
    """
    try:
        if not Path(data).is_file():
            return list(hornbook.datasets.load(data).schema.names)
        if Path(data).suffix in (".parquet", ".pq"):
            import polars as pl  # noqa: PLC0415 - slow to import, and only this kind of file needs it

            return list(pl.read_parquet_schema(data))
        return _of_text(Path(data))
    except Exception:  # noqa: BLE001 - a shell that completes must not be disturbed, whatever the file is
        return []


def _of_text(path: Path) -> list[str]:
    is_gzip = path.suffix == ".gz"
    with gzip.open(path, "rt", encoding="utf-8-sig") if is_gzip else path.open(encoding="utf-8-sig") as file:
        start = file.read(ENOUGH)
    if path.name.removesuffix(".gz").endswith((".jsonl", ".ndjson", ".json")):
        return list(json.loads(start.splitlines()[0]))
    first = start.splitlines()[0]
    delimiter = max(",;\t|", key=first.count)
    return next(csv.reader([first], delimiter=delimiter))
