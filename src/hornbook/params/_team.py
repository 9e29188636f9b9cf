"""Python threads that do not outlive what they were started for."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from hornbook import _native
from hornbook.params._threads import one_thread

__all__ = ["Team", "let_ctrl_c_through"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def let_ctrl_c_through() -> None:
    """Let Ctrl-C end a wait: the handler that polars installs would resume it.

    Examples
    --------
    >>> let_ctrl_c_through()
    """
    if hasattr(signal, "siginterrupt") and callable(signal.getsignal(signal.SIGINT)):
        signal.siginterrupt(signal.SIGINT, True)


class Team(ThreadPoolExecutor):
    """An executor whose ``with`` statement ends without waiting for work that is no longer needed.

    Signals are handled only on the main thread: when Ctrl-C raises there, the kernels that the team runs are
    stopped, and pending work is never started. For the work of several threads, ``n_jobs=None`` is one.

    Parameters
    ----------
    n_threads : int
        Number of threads.

    Examples
    --------
    >>> with Team(2) as team:
    ...     list(team.map(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    def __init__(self, n_threads: int) -> None:
        super().__init__(n_threads)
        self._stop = _native.StopFlag()

    def __enter__(self) -> Self:
        let_ctrl_c_through()
        return self

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Call a function on one of the threads."""

        def work() -> Result:
            # Work that is spread over threads must not start further ones in each of them.
            with self._stop, one_thread() if self._max_workers > 1 else nullcontext():
                return fn(*args, **kwargs)

        return super().submit(work)

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        # Kernels poll the flag: shutdown() then waits only until their next stop point.
        self._stop.set()
        self.shutdown(cancel_futures=True)
