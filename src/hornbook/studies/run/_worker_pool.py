"""The worker processes of a study, and the outcomes of their tasks."""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Self

from joblib import wrap_non_picklable_objects

from hornbook.studies._settings import StudyError
from hornbook.studies.run._interrupts import Interrupts

__all__ = ["FailedTask", "Outcome", "WorkerPool", "all_done"]

HEADER = 8  # bytes before each message of a worker, that hold its length
PIECE = 1 << 20  # bytes read at once
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task.

    Parameters
    ----------
    label : object
        What the task was submitted with.
    kind : {"done", "raised", "crashed", "time"}
        Whether it finished, raised an error, crashed its process, or exceeded the time limit.
    result : object
        What it returned, if it is done.
    error : str
        What went wrong, if it is not.
    """

    label: Any
    kind: Literal["done", "raised", "crashed", "time"]
    result: Any = None
    error: str = ""


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    log: IO[bytes]
    ready: bool = False
    label: Any = None
    busy: bool = False
    deadline: float = field(default=float("inf"))
    received: bytearray = field(default_factory=bytearray)

    def messages(self) -> list[tuple[Any, Any]] | None:
        """Return all messages that have arrived; None when the process is gone."""
        # Unbuffered: the selector cannot see bytes in a buffer, and would wait for what has been read.
        assert self.process.stdout is not None
        piece = os.read(self.process.stdout.fileno(), PIECE)
        if not piece:
            return None
        self.received += piece
        messages = []
        while len(self.received) >= HEADER:
            end = HEADER + int.from_bytes(self.received[:HEADER], "little")
            if len(self.received) < end:
                break
            messages.append(pickle.loads(self.received[HEADER:end]))  # noqa: S301 - from our own worker
            del self.received[:end]
        return messages


class WorkerPool:
    """Processes that run tasks in parallel.

    Parameters
    ----------
    size : int
        How many processes.
    threads : int
        How many threads each of them may use.
    time_limit : float
        Seconds that one task may take.

    Attributes
    ----------
    folder : path
        The folder of the shared table; set it before the first task.
    interrupts : Interrupts
        What Ctrl-C does while the processes work.
    since : float or None
        When the first process was ready, on the clock of `time.monotonic`.
    """

    def __init__(self, size: int, threads: int, time_limit: float) -> None:
        self.size, self.threads, self.time_limit = size, threads, time_limit
        self.folder = Path()
        self.since: float | None = None
        self.interrupts = Interrupts()
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        try:
            for _ in range(self.size):
                self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def running(self) -> list[Any]:
        """Labels of the running tasks."""
        return [worker.label for worker in self._workers if worker.busy]

    @property
    def idle(self) -> bool:
        """Whether a task can be submitted."""
        return any(not worker.busy for worker in self._workers)

    def submit(self, label: Any, task: Any) -> None:
        """Give a task to an idle worker.

        Parameters
        ----------
        label : object
            Returned with the outcome.
        task : object
            Has a method ``run(shared)``; its class must be importable, its fields may hold any object.
        """
        # One that is ready before one that is still importing.
        worker = min((idle for idle in self._workers if not idle.busy), key=lambda idle: not idle.ready)
        # Learners of a user may hold lambdas and classes of a notebook, which plain pickles cannot send.
        payload = pickle.dumps(wrap_non_picklable_objects(task, keep_wrapper=False))
        worker.busy, worker.label = True, label
        # The time limit is for the fit: a worker that is still importing gets its deadline when it is ready.
        if worker.ready:
            worker.deadline = time.monotonic() + self.time_limit
        assert worker.process.stdin is not None
        with suppress(BrokenPipeError):  # the process is gone, as wait() will report
            pickle.dump((str(self.folder), payload), worker.process.stdin)
            worker.process.stdin.flush()

    def wait(self, patience: float = 60.0) -> list[Outcome]:
        """Wait for messages, at most for some seconds, and return the outcomes of finished tasks."""
        now = time.monotonic()
        nearest = min((worker.deadline for worker in self._workers if worker.busy), default=now)
        outcomes = []
        with self.interrupts.waiting():
            ready = self._selector.select(max(0.0, min(nearest - now, patience)))
        for key, _ in ready:
            outcomes += self._heard(key.data)
        for worker in [late for late in self._workers if late.busy and late.deadline <= time.monotonic()]:
            outcomes.append(Outcome(worker.label, "time", error=self._too_long()))
            self._replace(worker)
        return outcomes

    def _too_long(self) -> str:
        return (
            f"it took longer than the time limit of {self.time_limit:g} s for one fit: raise it with "
            "time_limit=, or leave the learner out"
        )

    def _heard(self, worker: _Worker) -> list[Outcome]:
        messages = worker.messages()
        if messages is None:
            return self._lost(worker)
        outcomes = []
        for kind, payload in messages:
            if kind == "ready":
                worker.ready = True
                self.since = self.since or time.monotonic()
                if worker.busy:
                    worker.deadline = time.monotonic() + self.time_limit
                continue
            label, result = worker.label, pickle.loads(payload)  # noqa: S301 - from our own worker
            worker.busy, worker.label, worker.deadline = False, None, float("inf")
            if kind == "disk":
                raise OSError(*result)
            done = kind == "done"
            outcomes.append(Outcome(label, kind, result) if done else Outcome(label, kind, error=result))
        return outcomes

    def _lost(self, worker: _Worker) -> list[Outcome]:
        """Turn the unexpected end of a process into the failure of its task."""
        code = worker.process.wait()
        last = self._last_words(worker)
        if not worker.ready:
            raise StudyError(f"a worker process could not be started: {last or f'it ended with {code}'}.")
        busy, label = worker.busy, worker.label
        self._replace(worker)
        return [Outcome(label, "crashed", error=_how_it_ended(code, last))] if busy else []

    def _last_words(self, worker: _Worker) -> str:
        worker.log.seek(0)
        lines = worker.log.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip()[:300] if lines else ""

    def _replace(self, worker: _Worker) -> None:
        self._end(worker)
        self._workers.remove(worker)
        self._start()

    def _start(self) -> None:
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        paths = [str(Path(path or ".").resolve()) for path in sys.path]
        # In the environment, because BLAS libraries read it when they are loaded.
        threads = dict.fromkeys(THREADS, str(self.threads))
        # -P: a file in the current folder must not shadow a module.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "hornbook.studies.run._worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # Ctrl-C reaches the parent only, which then ends its workers
            env={**os.environ, **threads, "PYTHONPATH": os.pathsep.join(paths)},
        )
        worker = _Worker(process, log)
        self._workers.append(worker)
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)

    def _end(self, worker: _Worker) -> None:
        with suppress(KeyError, ValueError):
            self._selector.unregister(worker.process.stdout or 0)
        # Not terminated: a learner that hangs in native code would never run Python's handler of that signal.
        worker.process.kill()
        worker.process.wait()
        for pipe in (worker.process.stdin, worker.process.stdout, worker.log):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()
        self._selector.close()

    def __iter__(self) -> Iterator[Outcome]:
        """Yield outcomes until no task is running."""
        while self.running:
            yield from self.wait()


def _how_it_ended(code: int, last: str) -> str:
    if code == -signal.SIGKILL:
        return "its process was killed, as happens when memory runs out: try jobs=1, or leave it out"
    if code < 0:
        return f"it crashed its process ({signal.Signals(-code).name}): leave it out"
    return f"its process ended with code {code}{f': {last}' if last else ''}"


@dataclass(frozen=True)
class FailedTask:
    """What became of a task that failed."""

    error: str


def all_done(team: WorkerPool, tasks: dict[tuple[str, int], Any]) -> dict[tuple[str, int], Any]:
    """Results of all tasks; of those that failed, the error."""
    waiting = list(tasks.items())
    results: dict[tuple[str, int], Any] = {}
    while len(results) < len(tasks):
        while waiting and team.idle:
            team.submit(*waiting.pop(0))
        for outcome in team.wait():
            done = outcome.kind == "done"
            results[outcome.label] = outcome.result if done else FailedTask(outcome.error)
    return results
