"""The table of a study on a worker, and the processes that fit its folds there."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from weakref import WeakSet

import cloudpickle
from dask.sizeof import sizeof

from hornbook.studies import Outcome, WorkerPool

__all__ = ["StudyTable", "end_study", "outcome_on_worker"]

PATIENCE = 1.0  # seconds between two looks whether the study has ended


class StudyTable:
    """The files of a table, sent to each worker once.

    Learners run in processes of their own, as on one machine: one that hangs, crashes or takes too long is
    ended there, and the worker lives on. When the worker dies, its processes notice and end.

    Parameters
    ----------
    folder : path
        Where the files are.
    time_limit : float
        Seconds that one task may take.
    mark : str
        Names the study.
    own : TemporaryDirectory, optional
        The folder, if it is to be removed with the table.
    """

    def __init__(
        self,
        folder: Path,
        time_limit: float,
        mark: str = "",
        own: TemporaryDirectory[str] | None = None,
    ) -> None:
        self.folder, self.time_limit, self.mark = folder, time_limit, mark or uuid.uuid4().hex
        self.ended = False
        self._own = own
        self._lock = Lock()
        self._idle: list[WorkerPool] = []

    def __reduce__(self) -> tuple[Callable[..., StudyTable], tuple[dict[str, bytes], float, str]]:
        files = {path.name: path.read_bytes() for path in sorted(self.folder.iterdir()) if path.is_file()}
        return _arrived, (files, self.time_limit, self.mark)

    def outcome(self, task: Any) -> Outcome:
        """Run a task in a process of its own."""
        pool = self._pool()
        try:
            pool.submit(None, task)
            while not self.ended:
                for outcome in pool.wait(PATIENCE):
                    return outcome
            return Outcome(None, "crashed", error="the study has ended")
        finally:
            self._give_back(pool)

    def _pool(self) -> WorkerPool:
        with self._lock:
            # A process that has run one task takes the next: starting it and importing the library take
            # longer than many fits.
            if self._idle:
                return self._idle.pop()
        pool = WorkerPool(1, 1, self.time_limit)
        pool.folder = self.folder
        return pool.__enter__()

    def _give_back(self, pool: WorkerPool) -> None:
        with self._lock:
            if not self.ended and not pool.running:
                self._idle.append(pool)
                return
        pool.close()

    def end(self) -> None:
        """End all processes and remove the files."""
        with self._lock:
            self.ended = True
            pools, self._idle = self._idle, []
        for pool in pools:
            pool.close()
        if self._own is not None:
            self._own.cleanup()

    def __del__(self) -> None:
        self.end()


_here: WeakSet[StudyTable] = WeakSet()  # those that were sent to this process


def _arrived(files: dict[str, bytes], time_limit: float, mark: str) -> StudyTable:
    own = TemporaryDirectory(prefix="hornbook-study-", ignore_cleanup_errors=True)
    for name, content in files.items():
        Path(own.name, name).write_bytes(content)
    table = StudyTable(Path(own.name), time_limit, mark, own)
    _here.add(table)
    return table


@sizeof.register(StudyTable)  # type: ignore[untyped-decorator]
def _size_of(_: StudyTable) -> int:
    return 1000  # the table is on disk


def outcome_on_worker(table: StudyTable, message: bytes) -> bytes:
    """Run a task where its table is; what it writes comes back beside its outcome.

    Parameters
    ----------
    table : StudyTable
        The table.
    message : bytes
        The task.

    Returns
    -------
    bytes
        The outcome and the content of the file that the task has written.
    """
    task = pickle.loads(message)  # noqa: S301 - from the client of this cluster
    with TemporaryDirectory(prefix="hornbook-fold-") as folder:
        place = Path(folder, "predictions")
        if is_dataclass(task) and hasattr(task, "path"):
            task = replace(task, path=str(place))  # type: ignore[type-var]  # an instance, by now
        outcome = table.outcome(task)
        content = place.read_bytes() if place.is_file() else b""
    return bytes(cloudpickle.dumps((outcome, content)))


def end_study(mark: str) -> None:
    """End the processes of a study on this worker, also those in the middle of a fit.

    Parameters
    ----------
    mark : str
        Names the study.
    """
    for table in list(_here):
        if table.mark == mark:
            table.end()
