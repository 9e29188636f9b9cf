"""Studies whose folds are fitted on a cluster."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self

import cloudpickle
from distributed import Client, Future

from hornbook.cluster._client import thread_count
from hornbook.cluster._connection import connected
from hornbook.cluster._faults import RECHECK, LostClusterError, Workers, cluster_faults
from hornbook.cluster._study_table import StudyTable, end_study, outcome_on_worker
from hornbook.studies import Outcome, StudyError, WorkerPool

__all__ = ["ClusterPool"]

MOST_LOSSES = 3  # times that a task is submitted again because the table was lost with its last worker
KEPT = "finished folds are kept: start the cluster again, and run the same study, there or without one."


@dataclass(frozen=True)
class _Submitted:
    future: Future
    label: Any
    task: Any
    losses: int = 0


class ClusterPool(WorkerPool):
    """Runs the tasks of a study on the workers of a cluster: as many at a time as these have threads.

    The table is sent to each worker once. Tasks of a worker that dies run on another one; predictions come
    back with the outcome and are written here, so records are the same as without a cluster.

    Parameters
    ----------
    cluster : str or distributed.Client
        An address, ``"local:4"``, or a client.
    time_limit : float
        Seconds that one task may take.
    """

    def __init__(self, cluster: Any, time_limit: float) -> None:
        super().__init__(0, 1, time_limit)
        self._cluster = cluster
        self._stack = ExitStack()
        self._client: Client | None = None
        self._table: Future | None = None
        self._mark = ""
        self._remaining = Workers(KEPT)
        self._running: dict[str, _Submitted] = {}
        self._ready: SimpleQueue[str] = SimpleQueue()

    def __enter__(self) -> Self:
        try:
            self._client = self._stack.enter_context(connected(self._cluster))
            self.size = thread_count(self._client)
        except ValueError as error:
            self.close()
            raise StudyError(str(error)) from None
        except BaseException:
            self.close()
            raise
        return self

    @property
    def running(self) -> list[Any]:
        """Labels of the running tasks."""
        return [submitted.label for submitted in self._running.values()]

    @property
    def idle(self) -> bool:
        """Whether a task can be submitted."""
        return len(self._running) < self.size

    @property
    def client(self) -> Client:
        """Connected to the cluster."""
        assert self._client is not None  # between entering and closing
        return self._client

    def submit(self, label: Any, task: Any) -> None:
        """Send a task to the cluster.

        Parameters
        ----------
        label : object
            Returned with the outcome.
        task : object
            Has a method ``run(shared)``, and a field ``path`` if it writes a file.
        """
        with self._faults():
            self._send(label, task, 0)
        self.since = self.since or time.monotonic()

    def _send(self, label: Any, task: Any, losses: int) -> None:
        if self._table is None:
            table = StudyTable(self.folder, self.time_limit, self._mark)
            self._mark = table.mark
            # Once for all tasks: every fold reads the same table.
            # Under a key of its own: hashing would read all files of the table once more.
            self._table = self.client.scatter(table, broadcast=True, hash=False)
        future = self.client.submit(outcome_on_worker, self._table, cloudpickle.dumps(task), pure=False)
        self._running[future.key] = _Submitted(future, label, task, losses)
        # Callbacks run on a thread of the client, so that they only put the key into a queue.
        future.add_done_callback(lambda done: self._ready.put(done.key))

    def wait(self, patience: float = 60.0) -> list[Outcome]:
        """Wait for results, at most for some seconds, and return the outcomes of finished tasks."""
        keys = []
        with self.interrupts.waiting(), suppress(Empty):
            keys.append(self._ready.get(timeout=min(patience, RECHECK / 2)))
        with suppress(Empty):
            while True:
                keys.append(self._ready.get_nowait())
        with self._faults():
            if not keys:
                self._remaining.check(self.client.nthreads())
            return [outcome for key in keys for outcome in self._outcomes(key)]

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            with cluster_faults(self.client, KEPT):
                yield
        except LostClusterError as error:
            raise StudyError(str(error)) from None

    def _outcomes(self, key: str) -> list[Outcome]:
        submitted = self._running.pop(key, None)
        if submitted is None:
            return []
        try:
            with self._faults():
                outcome, content = pickle.loads(submitted.future.result())  # noqa: S301 - of our own task
        except MemoryError as error:
            return [Outcome(submitted.label, "crashed", error=str(error).rstrip("."))]
        except StudyError:
            raise
        except CancelledError:
            if submitted.losses == MOST_LOSSES:
                raise
            self._table = None
            self._send(submitted.label, submitted.task, submitted.losses + 1)
            return []
        except OSError as error:
            raise StudyError(f"A worker of the cluster has a problem with its disk ({error}).") from error
        if content:
            Path(submitted.task.path).write_bytes(content)
        return [replace(outcome, label=submitted.label)]

    def close(self) -> None:
        """Disconnect; what is still running on the cluster is ended."""
        client, self._client = self._client, None
        if client is not None and client.status == "running":
            with suppress(Exception):  # the cluster may go at any time, and with it what should be ended
                client.cancel([submitted.future for submitted in self._running.values()])
                if self._mark:
                    client.run(end_study, self._mark, on_error="ignore")
        self._running.clear()
        self._table = None
        self._stack.close()
        self._selector.close()
