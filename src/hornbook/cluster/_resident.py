"""Objects that live on workers beside some rows, and pass questions on to one another."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from distributed import get_worker
from distributed.protocol import to_serialize

from hornbook.cluster._parcel import Parcel, unpacked
from hornbook.cluster._tasks import alone
from hornbook.frame import LostRowsError

__all__ = ["Call", "Resident", "answer_of"]

# A resident that is asked by another: the address of its worker, its key, and those that it asks itself.
Call = tuple[str, str, list[Any]]


class Resident:
    """An object with the rows that it is about, as an actor of Dask.

    It computes in a thread of its own, so that it answers other machines meanwhile, and no two of them can
    wait for each other.

    Parameters
    ----------
    pieces : list of Parcel
        The rows.
    message : bytes
        How the object is made of them, pickled.
    """

    def __init__(self, pieces: list[Parcel], message: bytes) -> None:
        make, state = pickle.loads(message)  # noqa: S301 - from the client of this cluster
        self._worker = get_worker()
        self._thread = ThreadPoolExecutor(1, "hornbook")
        n_threads = self._worker.state.nthreads
        with alone():
            self._object = make(unpacked(pieces), n_threads, *state)

    async def ask(self, message: bytes, others: list[Call]) -> Parcel:
        """Call a method here and at others, and merge the results."""
        loop = asyncio.get_running_loop()
        answers = asyncio.gather(*(answer_of(self._worker.rpc(call[0]), call, message) for call in others))
        try:
            own, merge = await loop.run_in_executor(self._thread, partial(self._own, message))
            for other in await answers:
                own = await loop.run_in_executor(self._thread, merge, own, other)
        finally:
            answers.cancel()
        return Parcel(own)

    def _own(self, message: bytes) -> tuple[Any, Callable[[Any, Any], Any]]:
        method, args, merge = pickle.loads(message)  # noqa: S301
        with alone():
            return getattr(self._object, method)(*args), merge


async def answer_of(worker: Any, call: Call, message: bytes) -> Any:
    """What a resident says, with those that it asks.

    Parameters
    ----------
    worker : object
        Calls its worker.
    call : tuple
        The resident.
    message : bytes
        The question.
    """
    address, key, others = call
    try:
        reply = await worker.actor_execute(
            function="ask", actor=key, args=[to_serialize(message), to_serialize(others)], kwargs={}
        )
    except (OSError, KeyError) as error:  # no such worker, or one that was started again
        raise LostRowsError(address) from error
    if reply["status"] != "OK":
        raise reply["exception"]
    return unpacked(reply["result"])
