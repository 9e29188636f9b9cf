"""Threads that compute chunks, ready from one pass to the next."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from threadpoolctl import LibController, ThreadpoolController

__all__ = ["Team", "one_blas_thread"]

Task = TypeVar("Task")
Result = TypeVar("Result")


class Team:
    """Threads of this process; they are started when first needed, and end with the team.

    Starting threads takes about as long as a small sum, and an iterative fit computes hundreds of sums.

    Parameters
    ----------
    size : int
        How many.

    Examples
    --------
    >>> list(Team(2).results(abs, iter([-1, -2, -3]), most=1))
    [1, 2, 3]
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def __reduce__(self) -> tuple[type[Team], tuple[int]]:
        return Team, (self.size,)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # a fork has none of its parent's threads
            self._pool, self._process = ThreadPoolExecutor(self.size), os.getpid()
        return self._pool

    def results(self, work: Callable[[Task], Result], tasks: Iterator[Task], most: int) -> Iterator[Result]:
        """What the work makes of the tasks, in their order; at most so many wait to be done or fetched."""
        pool = self._threads()
        waiting: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(work, task))
                if len(waiting) > most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # after an error nothing may go on behind the caller's back
            for future in waiting:
                future.cancel()
            wait(waiting)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS libraries use one thread: their sums would depend on the number.

    The same as ``threadpool_limits(1, "blas")``, which describes every library in each call and so takes
    longer than a small sum.
    """
    before = [(library, library.get_num_threads()) for library in _blas()]
    changed = [(library, n) for library, n in before if n != 1]
    for library, _ in changed:
        library.set_num_threads(1)
    try:
        yield
    finally:
        for library, n in changed:
            library.set_num_threads(n)


@cache
def _blas() -> list[LibController]:
    # Looking for the loaded BLAS libraries takes milliseconds; it is done once.
    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]
