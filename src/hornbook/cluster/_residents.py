"""Residents of the rows of a cluster: one for each worker, and others in the place of lost ones."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cloudpickle
from distributed import Client, Future, wait
from distributed.actor import ProxyRPC

from hornbook.cluster._faults import (
    AS_BEFORE,
    RECHECK,
    LostClusterError,
    Workers,
    cluster_faults,
    worn_out,
)
from hornbook.cluster._resident import Call, Resident, answer_of
from hornbook.frame import LostRowsError, Residents

__all__ = ["ClusterResidents", "shared_out"]

FAN_OUT = 4  # residents that one asks, and that the caller asks
DEATHS = 4  # of workers on the same piece until it is given up
PATIENCE = 1.0  # seconds between two looks at whether a worker still exists
CONNECT = 2.0  # seconds within which a worker has to respond, or it cannot be reached from here


@dataclass
class _Actor:
    """A resident, as the caller knows it."""

    address: str
    places: list[int]  # of its pieces among all
    future: Future


class ClusterResidents(Residents):
    """A resident for each worker, with the pieces it has.

    Questions go directly from machine to machine, without tasks, down a tree of residents, and results come
    up the same way: each resident merges those of at most four others into its own.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    pieces : list of Future
        The rows.
    make : callable
        ``make(blocks, n_threads, *state)`` gives the object of some of them.
    state : tuple
        What it needs beside the rows.
    """

    def __init__(
        self, client: Client, pieces: Sequence[Future], make: Callable[..., Any], state: tuple[Any, ...]
    ) -> None:
        self._client, self._pieces, self._make = client, pieces, make
        self._actors: list[_Actor] = []
        self._deaths: Counter[int] = Counter()
        self._begin(range(len(pieces)), state)
        self._direct: bool = client.sync(self._connects)

    def _begin(self, places: Sequence[int], state: tuple[Any, ...]) -> None:
        """Make residents for some pieces, where these are."""
        message = cloudpickle.dumps((self._make, state))
        left = list(places)
        while left:
            futures = [self._pieces[place] for place in left]
            workers = Workers()
            while not wait_some(futures):
                workers.check(self._client.nthreads())
            threads = self._threads()
            owners = shared_out(list(self._client.who_has(futures).values()), threads)
            new = [
                _Actor(
                    address,
                    [left[i] for i in mine],
                    self._client.submit(
                        Resident, [futures[i] for i in mine], message,
                        workers=[address], actor=True, pure=False,
                    ),
                )
                for address, mine in owners.items()
            ]  # fmt: skip
            for actor in new:
                if self._has_begun(actor):
                    self._actors.append(actor)
            begun = {place for actor in self._actors for place in actor.places}
            left = [place for place in left if place not in begun]
            self._count_deaths(left)

    def _has_begun(self, actor: _Actor) -> bool:
        """Wait for a resident; False when its worker is lost."""
        while not wait_some([actor.future]):
            if actor.address not in self._client.nthreads():
                return False
        if actor.future.status == "error" and actor.address not in self._client.nthreads():
            return False
        actor.future.result()
        return True

    def _threads(self) -> Mapping[str, int]:
        """Threads of the workers; all may have died, and others may be about to start."""
        try:
            self._client.wait_for_workers(1, timeout=RECHECK)
        except TimeoutError:
            raise LostClusterError(f"All workers are gone, and {AS_BEFORE}") from None
        threads: dict[str, int] = self._client.nthreads()
        return threads

    def _count_deaths(self, places: Sequence[int]) -> None:
        self._deaths.update(places)
        if places and max(self._deaths[place] for place in places) >= DEATHS:
            raise MemoryError(worn_out(DEATHS))

    def ask(self, method: str, *args: Any, merge: Callable[[Any, Any], Any]) -> Any:
        """Ask some residents, which ask the others."""
        with cluster_faults(self._client):
            return self._merged(method, args, merge)

    def _merged(self, method: str, args: tuple[Any, ...], merge: Callable[[Any, Any], Any]) -> Any:
        message = cloudpickle.dumps((method, args, merge))
        calls = _calls([(actor.address, str(actor.future.key)) for actor in self._actors])
        result, *others = self._client.sync(self._answers, message, calls)
        for other in others:
            result = merge(result, other)
        return result

    async def _answers(self, message: bytes, calls: Sequence[Call]) -> list[Any]:
        answers = asyncio.gather(*(answer_of(self._reach(call[0]), call, message) for call in calls))
        try:
            while True:
                # A machine that has vanished without a word closes no connection.
                done, _ = await asyncio.wait([answers], timeout=PATIENCE)
                if done:
                    return await answers
                known = await self._client.scheduler.ncores()
                if any(actor.address not in known for actor in self._actors):
                    raise LostRowsError("a worker is gone")
        finally:
            answers.cancel()

    def _reach(self, address: str) -> Any:
        """The worker itself, where this process can connect to it, or else by way of the scheduler."""
        return self._client.rpc(address) if self._direct else ProxyRPC(self._client.scheduler, address)

    async def _connects(self) -> bool:
        address = self._actors[0].address
        try:
            await asyncio.wait_for(self._client.rpc(address).identity(), CONNECT)
        except (TimeoutError, OSError):
            return False
        return True

    def restore(self, *state: Any) -> None:
        """Make those again whose workers are gone, where Dask has computed their pieces again."""
        with cluster_faults(self._client):
            known = self._client.nthreads()
            alive = [
                actor for actor in self._actors
                if actor.address in known and actor.future.status == "finished"
            ]  # fmt: skip
            places = sorted({place for actor in self._actors if actor not in alive for place in actor.places})
            self._actors = alive
            self._count_deaths(places)
            self._begin(places, state)


def wait_some(futures: Sequence[Future]) -> bool:
    """Whether the futures are done within a moment."""
    try:
        wait(futures, timeout=PATIENCE)
    except TimeoutError:
        return False
    return True


def _calls(actors: Sequence[tuple[str, str]]) -> list[Call]:
    """Which residents are asked, and whom these ask: a tree in which nobody asks more than a few."""
    size = math.ceil(len(actors) / FAN_OUT)
    groups = [actors[i : i + size] for i in range(0, len(actors), max(1, size))]
    return [(*group[0], _calls(group[1:])) for group in groups]


def shared_out(holders: Sequence[Sequence[str]], threads: Mapping[str, int]) -> dict[str, list[int]]:
    """Which worker takes which pieces: one that has it, unless others with as many threads have fewer.

    Parameters
    ----------
    holders : sequence of sequence of str
        For each piece the workers that have it.
    threads : mapping
        Threads of the workers.

    Examples
    --------
    >>> shared_out([["a"], ["a"], ["a"], ["b"]], {"a": 1, "b": 1})
    {'a': [0, 1], 'b': [3, 2]}
    """
    total = sum(threads.values())
    most = {address: math.ceil(len(holders) * n / total) for address, n in threads.items()}
    owners: dict[str, list[int]] = {address: [] for address in threads}
    left = []
    for place, addresses in enumerate(holders):
        room = [name for name in addresses if name in most and len(owners[name]) < most[name]]
        if room:
            owners[min(room, key=lambda name: len(owners[name]) / threads[name])].append(place)
        else:
            left.append(place)
    for place in left:
        owners[min(threads, key=lambda name: len(owners[name]) / threads[name])].append(place)
    return {address: mine for address, mine in owners.items() if mine}
