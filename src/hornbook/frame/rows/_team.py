"""Threads that compute chunks, ready from one pass to the next."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from hornbook.params import Team

__all__ = ["KeptTeam"]

Task = TypeVar("Task")
Result = TypeVar("Result")


class KeptTeam:
    """Threads of this process; they are started when first needed, and kept for the next pass.

    Starting threads takes about as long as a small sum, and an iterative fit computes hundreds of sums.

    Parameters
    ----------
    size : int
        How many.

    Examples
    --------
    >>> list(KeptTeam(2).results(abs, iter([-1, -2, -3]), most=1))
    [1, 2, 3]
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._team: Team | None = None
        self._process = 0

    def __reduce__(self) -> tuple[type[KeptTeam], tuple[int]]:
        return KeptTeam, (self.size,)

    def _started(self) -> Team:
        if self._team is None or self._process != os.getpid():  # a fork has none of its parent's threads
            self._team, self._process = Team(self.size), os.getpid()
        return self._team.__enter__()

    def results(self, work: Callable[[Task], Result], tasks: Iterator[Task], most: int) -> Iterator[Result]:
        """Yield the results of the tasks in order; at most ``most`` of them are pending at a time."""
        team = self._started()
        waiting: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                waiting.append(team.submit(work, task))
                if len(waiting) > most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            if waiting:  # after an error or Ctrl-C, no task may keep running in the background
                self._team = None
                team.__exit__(None, None, None)
