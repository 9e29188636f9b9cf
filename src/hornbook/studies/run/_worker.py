"""A worker process: it takes tasks from its parent, one at a time, until the parent is gone.

It is a program of its own and not a fork of the parent, so that threads of the parent cannot hang it and
users need no ``__main__`` guard. What learners print goes to standard error.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

import hornbook.base
import hornbook.studies.run._tasks  # noqa: F401 - with the line above, imported before the time of the first fit starts
from hornbook.evaluation import failure
from hornbook.studies._files import DiskError
from hornbook.studies.run._shared_table import Shared, open_shared
from hornbook.studies.run._worker_pool import HEADER

__all__ = ["main"]


def main() -> None:
    """Serve the parent."""
    tasks, results = _own(0, "rb"), _own(1, "wb")
    # What learners print goes to stderr: on stdout it would be read as an answer.
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    # And a learner that reads stdin must not swallow tasks.
    os.dup2(nothing, 0)
    queue: SimpleQueue[Any] = SimpleQueue()
    # A thread of its own, which notices the end of the parent during a fit of hours.
    Thread(target=_listen, args=(tasks, queue), daemon=True).start()
    _send(results, ("ready", None))
    shared: tuple[str, Shared] | None = None
    while True:
        folder, payload = queue.get()
        try:
            # Mapped once, and used by all tasks of a study.
            if shared is None or shared[0] != folder:
                shared = (folder, open_shared(Path(folder)))
            task = pickle.loads(payload)  # noqa: S301 - from our own parent process
            answer = ("done", pickle.dumps(task.run(shared[1])))
        except DiskError as error:
            answer = ("disk", pickle.dumps((error.errno, error.strerror, error.filename)))
        except Exception as error:  # noqa: BLE001 - whatever a learner raises is its failed fold
            answer = ("raised", pickle.dumps(failure(error)))
        _send(results, answer)


def _own(descriptor: int, mode: str) -> IO[Any]:
    """Move a pipe to the parent to another descriptor, which learners neither print to nor read from."""
    return os.fdopen(os.dup(descriptor), mode)


def _send(results: IO[bytes], answer: Any) -> None:
    message = pickle.dumps(answer)
    results.write(len(message).to_bytes(HEADER, "little") + message)
    results.flush()


def _listen(tasks: IO[bytes], queue: SimpleQueue[Any]) -> None:
    """Pass tasks on; when the parent is gone, end the process, even in the middle of a fit."""
    try:
        while True:
            queue.put(pickle.load(tasks))  # noqa: S301 - from our own parent process
    except EOFError:
        # Not sys.exit, which would end this thread alone; the main thread may be inside native code for
        # hours.
        os._exit(0)


if __name__ == "__main__":
    main()
