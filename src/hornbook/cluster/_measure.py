"""Measure the constants of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from distributed import Client, wait
from numpy.typing import NDArray

from hornbook.cluster._client import client_of
from hornbook.cluster._costs import ClusterCosts
from hornbook.cluster._faults import cluster_faults
from hornbook.cluster._parcel import Parcel, task
from hornbook.cluster._residents import ClusterResidents
from hornbook.cluster._tasks import alone
from hornbook.frame import CHUNK, Block

__all__ = ["measure", "reference_pass"]

COLUMNS = 28
TIMES = 5  # each constant is the median of so many
MANY = 400  # tasks by which the scheduler is measured
CHUNKS = 32  # that a thread computes one after the other
BYTES = 2**23  # sent from one worker to another


def measure(client: Any = None) -> ClusterCosts:
    """Measure what a cluster costs: seconds a chunk, a task, a byte, a merge and a question.

    It takes a few seconds, on workers that have nothing else to do.

    Parameters
    ----------
    client : distributed.Client, optional
        The cluster; the current client of this process when left out.

    Returns
    -------
    ClusterCosts
        The constants, and the seconds that follow from them for any number of rows and workers.

    Examples
    --------
    >>> from distributed import Client
    >>> def prediction(address):
    ...     with Client(address) as client:
    ...         costs = measure(client)
    ...     print(costs)
    ...     return costs.pass_seconds(10**9, n_workers=100, n_threads=1600, result_bytes=8 * 28**2)
    """
    connected = client_of(client)
    with cluster_faults(connected, "nothing was measured: start the cluster again."):
        addresses = sorted(connected.nthreads())
        one = _median(lambda: connected.submit(_nothing, 0, pure=False).result())
        many = _median(lambda: wait(connected.map(_nothing, range(MANY), pure=False)))
        chunk = median(connected.gather([
            connected.submit(_chunk_seconds, i, workers=[address], pure=False)
            for i, address in enumerate(addresses)
        ]))  # fmt: skip
        merge = connected.submit(_merge_seconds, BYTES, pure=False).result()
        return ClusterCosts(
            chunk_seconds=float(chunk),
            task_seconds=one,
            schedule_seconds=max(0.0, many - one) / (MANY - 1),
            byte_seconds=_byte_seconds(connected, addresses),
            merge_seconds=float(merge) / BYTES,
            question_seconds=_question_seconds(connected),
        )


def _median(call: Callable[[], Any]) -> float:
    """Seconds of a call, the first of which is not counted."""
    call()
    seconds = []
    for _ in range(TIMES):
        start = perf_counter()
        call()
        seconds.append(perf_counter() - start)
    return median(seconds)


def _nothing(value: int) -> int:
    return value


def reference_pass(block: Block) -> NDArray[np.float64]:
    """What is timed for each chunk: a gradient and a scatter matrix, as Newton's method sums them.

    Parameters
    ----------
    block : Block
        Rows of numbers.
    """
    rows = block.X if isinstance(block.X, np.ndarray) else block.X.numbers
    weights = 1.0 / (1.0 + np.exp(-rows[:, 0]))
    return np.asarray(rows.T @ (rows * (weights * (1.0 - weights))[:, None]))


def _chunk_seconds(seed: int) -> float:
    rows = np.random.default_rng(seed).normal(size=(CHUNKS * CHUNK, COLUMNS))
    chunks = [Block(rows[i : i + CHUNK]) for i in range(0, len(rows), CHUNK)]
    with alone():
        return _median(lambda: [reference_pass(chunk) for chunk in chunks]) / CHUNKS


def _merge_seconds(size: int) -> float:
    one, other = np.ones(size // 8), np.ones(size // 8)
    return _median(lambda: np.add(one, other))


@task
def _cells(size: int, number: int) -> NDArray[np.float64]:
    return np.full(size // 8, float(number))


def _length(parcel: Parcel) -> int:
    return len(parcel.value)


def _byte_seconds(client: Client, addresses: list[str]) -> float:
    """From the first worker to the last; of one worker, to the caller."""
    seconds = {}
    for size in (8, BYTES):
        times = []
        for number in range(TIMES):
            cells = client.submit(_cells, size, number, workers=[addresses[0]], pure=False)
            wait(cells)
            start = perf_counter()
            if len(addresses) > 1:
                client.submit(_length, cells, workers=[addresses[-1]], pure=False).result()
            else:
                cells.result()
            times.append(perf_counter() - start)
        seconds[size] = median(times)
    return max(0.0, seconds[BYTES] - seconds[8]) / BYTES


class _Listener:
    """A resident with nothing to do."""

    def __init__(self, blocks: list[Any], n_threads: int) -> None:
        self._size = len(blocks), n_threads

    def size(self) -> tuple[int, int]:
        """How many blocks and threads it has."""
        return self._size


def _question_seconds(client: Client) -> float:
    pieces = client.map(partial(_cells, 8), range(len(client.nthreads())), pure=False)
    residents = ClusterResidents(client, pieces, _Listener, ())
    return _median(lambda: residents.ask("size", merge=max))
