"""A pass on a cluster as events: tasks, workers, a scheduler and a network, without waiting for any."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field
from typing import Any

from hornbook.cluster import ClusterCosts
from hornbook.cluster._costs import FAN_IN, PassPlan

__all__ = ["simulated_pass"]


@dataclass
class _Simulation:
    """Workers that share the cores of their machines, and a scheduler that hands out one task at a time.

    Parameters
    ----------
    costs : ClusterCosts
        Constants.
    n_workers : int
        Workers of one thread.
    cores : int
        Cores that all of them have together.
    """

    costs: ClusterCosts
    n_workers: int
    cores: int
    now: float = 0.0
    free_cores: int = 0
    events: list[tuple[float, int, Any]] = field(default_factory=list)
    queues: list[list[tuple[float, Any]]] = field(default_factory=list)
    number: Any = field(default_factory=itertools.count)
    scheduled: float = 0.0  # until when the scheduler is busy

    def __post_init__(self) -> None:
        self.free_cores = self.cores
        self.queues = [[] for _ in range(self.n_workers)]
        self.busy = [False] * self.n_workers

    def at(self, time: float, call: Any) -> None:
        heapq.heappush(self.events, (time, next(self.number), call))

    def submit(self, worker: int, seconds: float, done: Any) -> None:
        """A task goes through the scheduler, to the worker, and its end is reported the same way."""
        self.scheduled = max(self.scheduled, self.now) + self.costs.schedule_seconds
        self.at(self.scheduled + 0.5 * self.costs.task_seconds, lambda: self.arrive(worker, seconds, done))

    def arrive(self, worker: int, seconds: float, done: Any) -> None:
        self.queues[worker].append((seconds, done))
        self.start()

    def start(self) -> None:
        for worker, queue in enumerate(self.queues):
            if queue and not self.busy[worker] and self.free_cores > 0:
                seconds, done = queue.pop(0)
                self.busy[worker] = True
                self.free_cores -= 1
                self.at(self.now + seconds, lambda worker=worker, done=done: self.finish(worker, done))

    def finish(self, worker: int, done: Any) -> None:
        self.busy[worker] = False
        self.free_cores += 1
        self.at(self.now + 0.5 * self.costs.task_seconds, done)
        self.start()

    def run(self) -> float:
        while self.events:
            self.now, _, call = heapq.heappop(self.events)
            call()
        return self.now


class _Merges:
    """The tree of merges: a task begins when all that it merges is there."""

    def __init__(self, simulation: _Simulation, result_bytes: int) -> None:
        self._simulation, self._bytes = simulation, result_bytes
        self._waiting: dict[tuple[int, int], int] = {}

    def done(self, level: int, place: int, widths: list[int]) -> None:
        if level + 1 == len(widths):
            return
        parent = level + 1, place // FAN_IN
        size = min(FAN_IN, widths[level] - parent[1] * FAN_IN)
        self._waiting[parent] = self._waiting.get(parent, size) - 1
        if self._waiting[parent]:
            return
        costs, others = self._simulation.costs, self._simulation.n_workers > 1
        seconds = size * self._bytes * (costs.byte_seconds * others + costs.merge_seconds)
        self._simulation.submit(
            parent[1] % self._simulation.n_workers, seconds, lambda: self.done(*parent, widths)
        )


def simulated_pass(
    costs: ClusterCosts, n_rows: int, *, n_workers: int, cores: int, result_bytes: int, chunk_seconds: float
) -> float:
    """Seconds of a pass over rows on workers of one thread, by a queue of events."""
    simulation = _Simulation(costs, n_workers, cores)
    plan = PassPlan.of(n_rows, n_workers)
    merges, widths = _Merges(simulation, result_bytes), [plan.pieces, *plan.levels]
    for piece in range(plan.pieces):
        simulation.submit(
            piece % n_workers,
            plan.chunks * chunk_seconds,
            lambda piece=piece: merges.done(0, piece, widths),
        )
    return simulation.run()
