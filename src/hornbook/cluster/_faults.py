"""What can happen to a cluster, in a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from distributed import Client, KilledWorker
from distributed.comm import CommClosedError

__all__ = ["AS_BEFORE", "LostClusterError", "cluster_faults", "worn_out"]


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
