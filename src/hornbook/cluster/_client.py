"""The cluster to use, and whether it computes the same as this machine."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from weakref import WeakKeyDictionary

import distributed
from distributed import Client

import hornbook

__all__ = ["client_of", "same_versions", "thread_count"]

# What decides over the last bits, and over what can be sent to a worker.
PACKAGES = ("numpy", "scipy", "polars", "scikit-learn")
PATIENCE = 60  # seconds until there has to be a worker

_compared: WeakKeyDictionary[Client, frozenset[str]] = WeakKeyDictionary()


def client_of(client: Any = None) -> Client:
    """The client given, or else the current one of this process.

    Parameters
    ----------
    client : distributed.Client, optional
        Connected to the cluster.
    """
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            raise ValueError(
                "There is no Dask client: connect to a cluster first, with distributed.Client(address), or "
                "with distributed.Client() for workers on this machine."
            ) from None
    if not isinstance(client, Client):
        raise TypeError(f"client must be a distributed.Client; got {type(client).__name__}.")
    if client.asynchronous:
        raise TypeError("A client with asynchronous=True cannot wait: use distributed.Client(address).")
    same_versions(client)
    return client


def thread_count(client: Client) -> int:
    """Threads of all workers."""
    counts: dict[str, int] = client.nthreads()
    return max(1, sum(counts.values()))


def facts() -> dict[str, str]:
    """Versions on which results or messages depend."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "hornbook": hornbook.__version__,
        **{name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def same_versions(client: Client) -> None:
    """Refuse workers with other versions than this process; asked once for each set of workers."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ValueError(
            f"The cluster {client.scheduler.address} has no workers after {PATIENCE} seconds: start some."
        ) from None
    workers = frozenset(client.nthreads())
    if _compared.get(client) == workers:
        return
    here = facts()
    try:
        everywhere = client.run(facts)
    except ModuleNotFoundError as error:
        raise ValueError(
            f"A worker lacks the package {error.name}: install the same packages on all machines."
        ) from None
    for address, theirs in everywhere.items():
        other = [f"{name} {theirs[name]}" for name in here if theirs[name] != here[name]]
        if other:
            mine = [f"{name} {here[name]}" for name in here if theirs[name] != here[name]]
            raise ValueError(
                f"Worker {address} has {' and '.join(other)}, but this process has {' and '.join(mine)}: "
                "results would not be the same; install the same versions on all machines of the cluster."
            )
    _compared[client] = workers
