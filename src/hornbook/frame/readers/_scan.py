"""Files that are larger than memory, as Blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import polars as pl

from hornbook.frame._blocks import Blocks
from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.frame.readers._csv import Widened
from hornbook.frame.readers._read import Key, Kinds, Roles, check_roles, frame_of, reader_of
from hornbook.frame.readers._scan_progress import Progress
from hornbook.frame.readers._scan_schema import Union, recoded
from hornbook.frame.rows._block import blocks_of
from hornbook.frame.rows._rows import Streamed
from hornbook.frame.rows._team import KeptTeam
from hornbook.params import Jobs, threads

__all__ = ["scan"]


def scan(
    path: str | os.PathLike[str],
    target: Key | None = None,
    batch_rows: int = 65536,
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
    n_jobs: Jobs = None,
) -> Blocks:
    r"""Open a file that need not fit into memory: the same table as `read` makes, as Blocks on disk.

    The file is read through once, to learn the types and levels of the columns and the number of rows. A
    learner that fits from Blocks then reads it again for every sum it needs, some rows at a time, and learns
    the same to the last bit as from the whole table in memory.

    Parameters
    ----------
    path : str or path
        The file: CSV, TSV, JSON lines or Parquet, compressed with gzip or not, or a pipe, as in `read`.
    target : str or int, optional
        Name or position of the column to predict.
    batch_rows : int, default 65536
        Rows read at a time; a few times as many are in memory at once.
    weight, group, id : str or int, optional
        Name or position of the column with that role; all others are features.
    kinds : dict, optional
        Kinds of columns by name or position, as in `Frame`.
    delimiter, header, encoding, missing, quote : optional
        How the file is written, as in `read`.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    Blocks
        The rows, with ``source`` set.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from hornbook import NaiveBayes
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "melons.csv")
    ...     _ = path.write_text("color,ripe\ngreen,true\ndark,false\ngreen,true\n")
    ...     melons = scan(path, target="ripe")
    ...     model = NaiveBayes().fit(melons)
    >>> melons
    Blocks(3 rows on disk, 2 columns)
    >>> model.predict({"color": ["dark", "green"]}).tolist()
    [False, True]
    """
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise ValueError(f"scan: parameter 'batch_rows' must be a whole number >= 1; got {batch_rows!r}.")
    reader = reader_of(
        path, encoding=encoding, delimiter=delimiter, header=header, missing=missing, quote=quote
    )
    roles: Roles = {"target": target, "weight": weight, "group": group, "id": id}
    check_roles(reader, roles)

    name = Path(reader.source.path).name

    def batches(progress: Progress) -> Iterator[Frame]:
        with progress:
            for table in _batches(reader.frames(batch_rows), batch_rows):
                progress.show(reader.done, table.height)
                frame = frame_of(table, reader, roles, kinds)
                del table  # free the rows while a learner works on the frame
                yield frame

    try:
        # A pass of its own, before any learner: the levels of categories must be known for all rows, or codes
        # of the first batches would have to change later.
        schema, n_rows = _learned(batches(Progress(f"reading {name}")))
    except Widened:  # at most once: the reader has then seen all cells
        schema, n_rows = _learned(batches(Progress(f"reading {name}")))
    passes = count(1)

    def frames() -> Iterator[Frame]:
        progress = Progress(f"{name}, pass {next(passes)}", n_rows)
        return (recoded(frame, schema) for frame in batches(progress))

    # Every pass parses the file again: of the rows no more than a batch is held.
    rows = Streamed(
        lambda: blocks_of(frames()),
        n_rows,
        held=batch_rows,
        team=KeptTeam(threads(n_jobs)),
        whole=lambda: Frame.concat(list(frames())),
    )
    return Blocks.over(rows, schema, reader.source)


def _learned(frames: Iterator[Frame]) -> tuple[Schema, int]:
    union = Union()
    for frame in frames:
        union.add(frame)
    return union.schema(), union.n_rows


def _batches(tables: Iterator[pl.DataFrame], batch_rows: int) -> Iterator[pl.DataFrame]:
    """The same rows in tables of exactly that many rows; the last may have fewer."""
    kept: list[pl.DataFrame] = []
    n_kept = 0
    for table in tables:
        kept.append(table)
        n_kept += table.height
        del table
        while n_kept >= batch_rows:
            whole = pl.concat(kept)
            n_kept -= batch_rows
            # The caller gets the only reference to the batch, and can free it while the next is read.
            kept = [whole[batch_rows:], whole[:batch_rows]]
            del whole
            yield kept.pop()
    if n_kept:
        yield pl.concat(kept)
