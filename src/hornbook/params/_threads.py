"""How many threads a learner may use: the interpretation of ``n_jobs``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from typing import TYPE_CHECKING

import numpy as np

from hornbook.params._check import ParameterError

if TYPE_CHECKING:
    from threadpoolctl import LibController

__all__ = ["blas_threads", "one_thread", "threads"]

MOST = 2**31 - 1  # the largest count that kernels take; they start no more threads than they have work for

# ``count``: the threads of BLAS that a thread of ours has asked for; ``alone``: whether it may start none.
_limit = local()


def threads(n_jobs: int | None) -> int:
    """Turn ``n_jobs`` into a number of threads.

    All threads are one inside a joblib worker or a `Team`, else ``OMP_NUM_THREADS`` when it is a positive
    integer, else the number of processors that this process may use.

    Parameters
    ----------
    n_jobs : int, optional
        A positive number of threads; -1 or None for all, -2 for all but one, and so on.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> threads(3)
    3
    >>> threads(None) == threads(-1)
    True
    """
    if n_jobs is None:
        return _available()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs == 0:
        raise ParameterError(
            f"n_jobs must be a positive integer, or negative to count back from all threads (-1 is all), "
            f"or None for all; got {n_jobs!r}."
        )
    return min(int(n_jobs), MOST) if n_jobs > 0 else max(1, _available() + 1 + int(n_jobs))


@contextmanager
def one_thread() -> Iterator[None]:
    """Make "all threads" one on this thread, which is one of several that work side by side."""
    outer = getattr(_limit, "alone", False)
    _limit.alone = True
    try:
        yield
    finally:
        _limit.alone = outer


@contextmanager
def blas_threads(count: int) -> Iterator[None]:
    """Limit the threads of BLAS, which matrix products run on.

    One thread is best for small products, and where sums must not depend on the number of threads. Does the
    same as ``threadpool_limits(count, "blas")``, which inspects every library in each call and so takes
    longer than a small product. Inside another limit of the same thread that is as low, no library is asked.

    Parameters
    ----------
    count : int
        The most threads.

    Examples
    --------
    >>> with blas_threads(1):
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    outer = getattr(_limit, "count", MOST)
    if outer <= count:
        yield
        return
    changed = [(library, n) for library in _blas() if (n := library.get_num_threads()) > count]
    for library, _ in changed:
        library.set_num_threads(count)
    _limit.count = count
    try:
        yield
    finally:
        _limit.count = outer
        for library, n in changed:
            library.set_num_threads(n)


@cache
def _blas() -> list[LibController]:
    # Looking for the loaded BLAS libraries takes milliseconds; it is done once.
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415 - so is the import

    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]


def _available() -> int:
    if getattr(_limit, "alone", False):
        return 1
    # Importing joblib takes as long as everything else here; a program that only prints help can do without.
    from joblib.parallel import get_active_backend  # noqa: PLC0415

    backend, _ = get_active_backend()
    if backend.nesting_level > 0:
        return 1  # the workers already use all processors
    wanted = os.environ.get("OMP_NUM_THREADS", "").strip()
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    return _processors(allowed, os.environ.get("LOKY_MAX_CPU_COUNT"))


@cache
def _processors(_allowed: int, _limit: str | None) -> int:
    """Cached, because reading the system's files takes longer than predicting a row."""
    from joblib import cpu_count  # noqa: PLC0415

    return int(cpu_count())
