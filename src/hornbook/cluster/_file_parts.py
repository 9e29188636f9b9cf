"""Files that workers read, and what is made of each partition of them, written where it was read."""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import polars as pl
from distributed import wait

from hornbook.cluster._client import client_of
from hornbook.cluster._faults import PATIENCE, Workers, cluster_faults
from hornbook.cluster._parcel import unpacked
from hornbook.cluster._partitions import Part, looked_at
from hornbook.cluster._rows import message_of
from hornbook.cluster._scan import parts_of_files
from hornbook.frame import Frame, Schema

__all__ = ["FileParts", "file_parts"]

Progress = Callable[[int, int], None]
NOTHING_WRITTEN = "nothing was written: start the cluster again, connect to it, and write again."


def file_parts(files: str | os.PathLike[str], *, client: Any = None, **reading: Any) -> FileParts:
    """Open files for the workers of a cluster, partition by partition.

    Parameters
    ----------
    files : str or path
        A file, or a pattern like ``"folder/*.parquet"``, in a place that all workers can read.
    client : distributed.Client, optional
        The cluster; the current client of this process when left out.
    **reading : object
        How the files are written, as in `scan`.

    Returns
    -------
    FileParts
        The partitions.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from distributed import Client
    >>> with TemporaryDirectory() as folder, Client(processes=False, n_workers=1, dashboard_address=":0"):
    ...     _ = Path(folder, "a.csv").write_text(f"x{os.linesep}1{os.linesep}2")
    ...     parts = file_parts(f"{folder}/*.csv")
    >>> parts.n_rows, parts.schema.names
    (2, ('x',))
    """
    return FileParts(files, client_of(client), reading)


class FileParts:
    """Partitions of files, in the memory of workers.

    Parameters
    ----------
    files : str or path
        A file or a pattern.
    client : distributed.Client
        Connected to the cluster.
    reading : dict
        How the files are read.

    Attributes
    ----------
    schema : Schema
        The columns of all partitions.
    n_rows : int
        All rows.
    """

    schema: Schema
    n_rows: int

    def __init__(self, files: str | os.PathLike[str], client: Any, reading: dict[str, Any]) -> None:
        self._client = client
        self._parts, self._name_of = parts_of_files(client, files, reading)
        self._counts, self.schema, _ = looked_at(client, self._parts, self._name_of)
        self.n_rows = sum(self._counts)

    def write(
        self,
        function: Callable[[Frame, int], pl.DataFrame],
        folder: str | os.PathLike[str],
        progress: Progress | None = None,
    ) -> int:
        """Write one Parquet file for each partition that has rows, and say how many; all appear, or none.

        Parameters
        ----------
        function : callable
            ``function(rows, first)`` gives the table of a partition whose first row has this number.
        folder : str or path
            A new folder, in a place that all workers can write to.
        progress : callable, optional
            Called with the rows that are done, and all rows, after each partition.
        """
        place = Path(folder).absolute()
        if place.exists():
            raise ValueError(f"{place} exists: name a new folder, or remove it.")
        unfinished = place.with_name(f".{place.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            with cluster_faults(self._client, NOTHING_WRITTEN):
                self._write_all(function, unfinished, progress)
            unfinished.rename(place)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        return sum(count > 0 for count in self._counts)

    def _write_all(
        self, function: Callable[[Frame, int], pl.DataFrame], folder: Path, progress: Progress | None
    ) -> None:
        filled = [i for i, count in enumerate(self._counts) if count]
        starts = [0, *accumulate(self._counts)]
        message = message_of(self._client, function)
        tasks = self._client.map(
            _write,
            [self._parts[i] for i in filled],
            [starts[i] for i in filled],
            [str(folder / f"part-{i:05}.parquet") for i in filled],
            [message] * len(filled),
            pure=False,
        )
        numbers = {task.key: i for task, i in zip(tasks, filled, strict=True)}
        done, workers = 0, Workers(NOTHING_WRITTEN)
        while tasks:
            try:
                finished, others = wait(tasks, timeout=PATIENCE, return_when="FIRST_COMPLETED")
            except TimeoutError:
                workers.check(self._client.nthreads())
                continue
            tasks = list(others)
            for task in finished:
                i = numbers[task.key]
                try:
                    done += task.result()
                except (TypeError, ValueError) as error:
                    raise ValueError(f"{self._name_of(i)}: {error}") from error
            if progress is not None:
                progress(done, self.n_rows)


def _write(parcel: Any, start: int, path: str, message: bytes) -> int:
    """Write the table of one partition; a task that runs twice writes the same file again."""
    part: Part = unpacked(parcel)
    function = pickle.loads(message)  # noqa: S301 - from the client of this cluster
    function(part.frame, start).write_parquet(path)
    return len(part.frame)
