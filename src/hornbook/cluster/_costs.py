"""What a cluster costs: constants measured on it, and the seconds that follow from them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from hornbook.cluster._pieces import piece_chunks
from hornbook.frame import CHUNK

__all__ = ["FAN_IN", "ClusterCosts", "PassPlan"]

FAN_IN = 4  # results that one task merges


@dataclass(frozen=True)
class PassPlan:
    """One pass over all rows, as tasks.

    Parameters
    ----------
    pieces : int
        Tasks that compute.
    chunks : float
        Chunks of a piece, on average.
    levels : tuple of int
        Tasks of each level of merges, the last of which is one.
    """

    pieces: int
    chunks: float
    levels: tuple[int, ...]

    @classmethod
    def of(cls, n_rows: int, n_threads: int) -> PassPlan:
        """The plan for rows on all threads of a cluster."""
        size = piece_chunks(n_rows, n_threads) * CHUNK
        pieces = math.ceil(n_rows / size)
        levels, width = [], pieces
        while width > 1:
            width = math.ceil(width / FAN_IN)
            levels.append(width)
        return cls(pieces, n_rows / CHUNK / pieces, tuple(levels))

    @property
    def tasks(self) -> int:
        """Tasks of the pass."""
        return self.pieces + sum(self.levels)


@dataclass(frozen=True)
class ClusterCosts:
    """Constants of a cluster, from which the seconds of a pass follow.

    Parameters
    ----------
    chunk_seconds : float
        A chunk of 4096 rows and 28 columns on one thread, for a gradient with scatter matrix.
    task_seconds : float
        A task from its submission to its result at the caller, with nothing to compute.
    schedule_seconds : float
        What each further task takes the scheduler.
    byte_seconds : float
        A byte from one worker to another.
    merge_seconds : float
        A byte of two results that are added up.
    question_seconds : float
        A question to residents and its answer, with nothing to compute.

    Examples
    --------
    >>> costs = ClusterCosts(2e-3, 5e-3, 2e-4, 1e-9, 1e-9, 2e-3)
    >>> print(f"{costs.pass_seconds(10**9, n_workers=10, n_threads=160, result_bytes=6272):.2f} s")
    3.10 s
    >>> costs.limit(10**9, n_workers=1000, n_threads=16_000, result_bytes=6272)
    'scheduler'
    """

    chunk_seconds: float
    task_seconds: float
    schedule_seconds: float
    byte_seconds: float
    merge_seconds: float
    question_seconds: float

    def parts(
        self, n_rows: int, *, n_workers: int, n_threads: int, result_bytes: int, chunk_seconds: float = 0.0
    ) -> dict[str, float]:
        """Seconds of each part of a pass by tasks: chunks, scheduler and merges.

        Parameters
        ----------
        n_rows, n_workers, n_threads : int
            Rows; workers, and the threads of all of them.
        result_bytes : int
            Of the result of a piece.
        chunk_seconds : float, default 0.0
            Of the learner; the measured ones when 0.
        """
        plan = PassPlan.of(n_rows, n_threads)
        rounds = math.ceil(plan.pieces / n_threads)
        merge = FAN_IN * result_bytes * (self.byte_seconds * (n_workers > 1) + self.merge_seconds)
        return {
            "chunks": rounds * plan.chunks * (chunk_seconds or self.chunk_seconds),
            "scheduler": plan.tasks * self.schedule_seconds,
            "merges": self.task_seconds * (1 + len(plan.levels)) + len(plan.levels) * merge,
        }

    def pass_seconds(
        self, n_rows: int, *, n_workers: int, n_threads: int, result_bytes: int, chunk_seconds: float = 0.0
    ) -> float:
        """Seconds of a pass by tasks: the scheduler works while chunks are computed, merges follow."""
        how = {"n_workers": n_workers, "n_threads": n_threads, "result_bytes": result_bytes}
        parts = self.parts(n_rows, chunk_seconds=chunk_seconds, **how)
        return max(parts["chunks"], parts["scheduler"]) + parts["merges"]

    def limit(
        self, n_rows: int, *, n_workers: int, n_threads: int, result_bytes: int, chunk_seconds: float = 0.0
    ) -> str:
        """What takes longest: ``"chunks"``, ``"scheduler"`` or ``"merges"``."""
        how = {"n_workers": n_workers, "n_threads": n_threads, "result_bytes": result_bytes}
        parts = self.parts(n_rows, chunk_seconds=chunk_seconds, **how)
        return max(parts, key=lambda name: parts[name])

    def ask_seconds(self, n_rows: int, *, n_workers: int, n_threads: int, result_bytes: int) -> float:
        """Seconds of a question to residents: no tasks, and a tree of machines instead of one of tasks."""
        depth = max(1, math.ceil(math.log(max(n_workers, 2), FAN_IN)))
        compute = math.ceil(n_rows / CHUNK / n_threads) * self.chunk_seconds
        merge = FAN_IN * result_bytes * (self.byte_seconds + self.merge_seconds)
        return compute + depth * (self.question_seconds + merge)

    def __str__(self) -> str:
        units = {"byte_seconds": 2**20, "merge_seconds": 2**20}
        lines = {
            "chunk_seconds": "a chunk of 4096 x 28 on a thread",
            "task_seconds": "a task, there and back",
            "schedule_seconds": "each further task",
            "byte_seconds": "a megabyte between workers",
            "merge_seconds": "a megabyte merged",
            "question_seconds": "a question to residents",
        }
        values = asdict(self)
        return "\n".join(
            f"{text.ljust(34)}{1e3 * values[name] * units.get(name, 1):9.3f} ms"
            for name, text in lines.items()
        )
