"""Folders of files as Blocks on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from distributed import Client, Future

from hornbook.cluster._blocks import Key
from hornbook.cluster._client import client_of
from hornbook.cluster._parcel import task
from hornbook.cluster._partitions import Part, blocks_of_parts
from hornbook.frame import Blocks, EmptyTableError, Frame, Schema, read

__all__ = ["parts_of_files", "scan"]

ROWS = 2**20  # of a Parquet file in one partition


def scan(
    files: str | os.PathLike[str],
    target: Key | None = None,
    *,
    weight: Key | None = None,
    group: Key | None = None,
    id: Key | None = None,  # noqa: A002 (the word users know)
    kinds: Any = None,
    delimiter: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
    quote: str | None = '"',
    client: Any = None,
) -> Blocks:
    """Open files for the workers of a cluster: each reads some of them, and no row comes here.

    Parameters
    ----------
    files : str or path
        A file, or a pattern like ``"folder/*.parquet"``, in a place that all workers can read: CSV, TSV, JSON
        lines or Parquet. Files are ordered by name. A Parquet file is read in parts of about a million
        rows, which its metadata count; other files are read whole, each by one worker, and may have a header
        line only.
    target, weight, group, id : str or int, optional
        Name or position of the column with that role; all others are features.
    kinds : dict, optional
        Kinds of columns by name or position, as in `hornbook.Frame`.
    delimiter, header, encoding, missing, quote : optional
        How the files are written, as in `hornbook.read`.
    client : distributed.Client, optional
        The cluster; the current client of this process when left out.

    Returns
    -------
    Blocks
        The rows.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from distributed import Client
    >>> from hornbook import NaiveBayes
    >>> with TemporaryDirectory() as folder, Client(processes=False, n_workers=1, dashboard_address=":0"):
    ...     for name, rows in (("a", "1,no 2,no"), ("b", "8,yes 9,yes")):
    ...         _ = Path(folder, f"{name}.csv").write_text(f"x,ripe {rows}".replace(" ", chr(10)))
    ...     model = NaiveBayes().fit(scan(f"{folder}/*.csv", target="ripe"))
    >>> model.predict({"x": [1.5, 8.5]}).tolist()
    ['no', 'yes']
    """
    connected = client_of(client)
    roles = {"target": target, "weight": weight, "group": group, "id": id}
    text = {
        "delimiter": delimiter,
        "header": header,
        "encoding": encoding,
        "missing": missing,
        "quote": quote,
    }
    return blocks_of_parts(connected, *parts_of_files(connected, files, {**roles, "kinds": kinds, **text}))


def parts_of_files(
    client: Client, files: str | os.PathLike[str], options: dict[str, Any]
) -> tuple[list[Future], Callable[[int], str]]:
    """Partitions that workers read from files, and what each is called.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    files : str or path
        A file or a pattern.
    options : dict
        How they are read, as in `scan`.
    """
    ranges = [(path, *span) for path in _paths(files) for span in _spans(path)]
    parts = client.map(_read, *map(list, zip(*ranges, strict=True)), options=options, pure=False)
    names = [_name(path, start, stop) for path, start, stop in ranges]
    return parts, lambda i: f"Partition {i} ({names[i]})"


def _paths(files: str | os.PathLike[str]) -> list[str]:
    pattern = os.fspath(files)
    wild = any(mark in pattern for mark in "*?[")
    # Sorted, because the order of files decides the numbers of rows, and thereby every draw.
    paths = sorted(glob(pattern)) if wild else [pattern]  # noqa: PTH207 - patterns may be absolute
    paths = [str(Path(path).absolute()) for path in paths]
    if not paths:
        raise ValueError(
            f"No file matches {pattern}: give the name of a file, or a pattern like folder/*.parquet."
        )
    for path in paths:
        if not Path(path).is_file():
            raise ValueError(f"There is no file {path}: check the name.")
    return paths


def _is_parquet(path: str) -> bool:
    return Path(path).suffix.lower() in {".parquet", ".pq"}


def _spans(path: str) -> list[tuple[int, int | None]]:
    """First row and end of the parts of a file; None where it is read whole."""
    if not _is_parquet(path):
        return [(0, None)]
    try:
        # From the footer of the file, without reading a row; text has no such number, and is read whole.
        n_rows: int = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0].removesuffix(".")
        raise ValueError(
            f"{path} is not a Parquet file, or damaged ({reason}): get an intact copy of it."
        ) from None
    return [(start, min(start + ROWS, n_rows)) for start in range(0, max(n_rows, 1), ROWS)]


def _name(path: str, start: int, stop: int | None) -> str:
    return Path(path).name if stop is None else f"{Path(path).name}, rows {start} to {stop}"


@task
def _read(path: str, start: int, stop: int | None, options: dict[str, Any]) -> Part:
    if stop is None:
        try:
            return Part(read(path, **options))
        except EmptyTableError:
            # As Dask and others write partitions without rows: the kinds of its columns are those of others.
            return Part(Frame.from_columns(Schema((), named=False), np.empty((0, 0))))
    table = pl.scan_parquet(path, glob=False).slice(start, stop - start).collect()
    roles = {name: options.get(name) for name in ("target", "weight", "group", "id", "kinds")}
    return Part(Frame(table, **roles))
