"""What can happen to a cluster, in a sentence each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from distributed import Client, Future, KilledWorker
from distributed.comm import CommClosedError

__all__ = ["AS_BEFORE", "LostClusterError", "Workers", "cluster_faults", "results_of", "worn_out"]

PATIENCE = 5.0  # seconds between two looks at whether there are workers
RECHECK = 30.0  # seconds to wait for a new worker where none is left


class LostClusterError(ConnectionError):
    """The scheduler of a cluster, or all its workers, cannot be reached any more."""


AS_BEFORE = "the learner is as it was before: start the cluster again, connect to it, and fit again."


@contextmanager
def cluster_faults(client: Client, left: str = AS_BEFORE) -> Iterator[None]:
    """Say what happened where Dask raises errors of its own; errors of learners pass through.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    left : str
        What is left when the scheduler is lost, and what to do.
    """
    try:
        # Some functions of Dask ask for the current client, which one that was not made the default is not.
        with client.as_current():
            yield
    # Dask gives up on a task after its workers died several times; the usual reason is memory.
    except KilledWorker as error:
        raise MemoryError(worn_out(_deaths(error))) from None
    except Exception as error:
        # An error of a learner, which is as true on a cluster as elsewhere.
        if client.status == "running" and not _without_scheduler(error):
            raise
        raise LostClusterError(f"The scheduler {_address(client)} was lost, and {left}") from None


class Workers:
    """Whether a cluster has had workers lately: a nanny starts a new one for one that has died.

    Parameters
    ----------
    left : str
        What is left when there are none, and what to do.
    """

    def __init__(self, left: str = AS_BEFORE) -> None:
        self._left = left
        self._gone: float | None = None  # when they were first missed

    def check(self, known: Any) -> None:
        """Give up when there have been none for too long: Dask itself would wait for ever.

        Parameters
        ----------
        known : mapping
            The workers that the scheduler knows now.
        """
        if known:
            self._gone = None
        elif self._gone is None:
            self._gone = monotonic()
        elif monotonic() - self._gone > RECHECK:
            raise LostClusterError(f"All workers are gone, and {self._left}")


def results_of(client: Client, futures: Sequence[Future]) -> list[Any]:
    """Wait for tasks and bring their results here.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    futures : sequence of Future
        Tasks.
    """
    results: list[Any] = client.sync(_results, client, list(futures))
    return results


async def _results(client: Client, futures: list[Future]) -> list[Any]:
    gathering = asyncio.ensure_future(client.gather(futures, asynchronous=True))
    workers = Workers()
    try:
        while not (await asyncio.wait([gathering], timeout=PATIENCE))[0]:
            workers.check(await client.scheduler.ncores())
        results: list[Any] = await gathering
        return results
    finally:
        gathering.cancel()


def worn_out(deaths: int) -> str:
    """What is said when so many workers have died on the same rows."""
    return (
        f"{deaths} workers died one after the other on the same part of the rows, most likely "
        "because they ran out of memory: give workers more memory, or the table smaller partitions."
    )


def _without_scheduler(error: Exception) -> bool:
    """Whether tasks were cancelled, or a message not sent, for want of a scheduler."""
    causes = [error, *getattr(error, "error_groups", ())]
    reasons = [str(getattr(cause, "reason", "")) for cause in causes]
    return isinstance(error, CommClosedError) or any(reason.startswith("scheduler") for reason in reasons)


def _deaths(error: KilledWorker) -> int:
    return int(getattr(error, "allowed_failures", 3)) + 1


def _address(client: Client) -> str:
    scheduler = client.scheduler
    return str(getattr(scheduler, "address", "of the cluster"))
