"""A cluster given by an address, by a number of processes, or as a client."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from distributed import Client, LocalCluster

from hornbook.cluster._client import client_of

__all__ = ["connected"]

LOCAL = re.compile(r"local:([1-9]\d{0,3})")
ADDRESS = re.compile(r"[a-z]+://\S+")
PATIENCE = 30  # seconds until a scheduler has to respond


@contextmanager
def connected(cluster: Any) -> Iterator[Client]:
    """Connect to a cluster, and end what was started for it.

    Parameters
    ----------
    cluster : str or distributed.Client
        The address of a scheduler like ``"tcp://10.0.0.1:8786"``; ``"local:4"`` for four worker processes on
        this machine, with one thread each; or a client, which stays connected.

    Yields
    ------
    distributed.Client
        Connected to workers with the same versions as this process.

    Examples
    --------
    >>> with connected("local") as client:
    ...     pass
    Traceback (most recent call last):
        ...
    ValueError: A cluster is given as tcp://host:port, or as local:4 for 4 local processes; got 'local'.
    """
    if not isinstance(cluster, str):
        yield client_of(cluster)
    elif match := LOCAL.fullmatch(cluster):
        with _local_workers(int(match[1])) as workers, Client(workers, set_as_default=False) as client:
            yield client_of(client)
    elif ADDRESS.fullmatch(cluster):
        with _client_at(cluster) as client:
            yield client_of(client)
    else:
        raise ValueError(
            f"A cluster is given as tcp://host:port, or as local:4 for 4 local processes; got {cluster!r}."
        )


@contextmanager
def _local_workers(n_workers: int) -> Iterator[Any]:
    workers = LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        dashboard_address=None,
        worker_dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
    try:
        yield workers
    finally:
        # On a busy machine processes take longer to end than Dask waits for, and the work is done by then.
        with suppress(TimeoutError):
            workers.close()


def _client_at(address: str) -> Client:
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:  # a TimeoutError is an OSError; ValueError for unknown protocols
        reason = " ".join(str(error).split()).removesuffix(".")
        raise ValueError(
            f"There is no scheduler at {address} ({reason}): check the address, and that it is running."
        ) from None
