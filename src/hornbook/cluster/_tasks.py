"""What workers do: one task for each piece of the rows, and merges of what they give."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from hornbook.cluster._cell import Cell, CellPass
from hornbook.cluster._parcel import Parcel, task
from hornbook.frame import CHUNK, Arrays, Block, pairwise, stacked
from hornbook.params import one_thread

__all__ = [
    "CarryPlan",
    "Pass",
    "alone",
    "applied",
    "arrays_of",
    "delivered",
    "folded",
    "kept_block",
    "merged",
    "new_cell",
    "result_of",
    "row_count",
    "rows_at",
    "visited",
]


@dataclass(frozen=True)
class Pass:
    """One pass over all rows, as it is sent to the workers.

    Parameters
    ----------
    function : callable
        What is computed for each chunk.
    state : tuple
        What it gets beside the chunk.
    merge : callable
        How results of neighboring chunks become one.
    together : int
        Chunks in one call.
    carry : CarryPlan, optional
        How the arrays that rows keep are found.
    """

    function: Callable[..., Any]
    state: tuple[Any, ...]
    merge: Callable[[Any, Any], Any]
    together: int = 1
    carry: CarryPlan | None = None


@dataclass(frozen=True)
class CarryPlan:
    """What a pass has to know of a carry.

    Parameters
    ----------
    make : callable
        Makes the arrays that are not there.
    state : tuple
        What it needs beside the rows.
    generation : int
        How many passes have changed the arrays.
    reads : bool
        Whether the pass leaves them as they are.
    double_buffered : bool
        Whether the function is given arrays to fill.
    """

    make: Callable[..., Arrays]
    state: tuple[Any, ...]
    generation: int
    reads: bool
    double_buffered: bool


class _OneThread:
    """BLAS on one thread while any task runs: it splits its sums by threads, which changes the last bits.

    Tasks of one worker overlap, so the first one sets the limit and the last one lifts it.
    """

    def __init__(self) -> None:
        self._lock, self._count = Lock(), 0
        self._controller: ThreadpoolController | None = None
        self._limit: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            # The first task sets the limit and the last restores it: several tasks run in threads of one
            # worker, and the limit is one for the whole process.
            if not self._count:
                self._controller = self._controller or ThreadpoolController()
                self._limit = self._controller.limit(limits=1, user_api="blas")
            self._count += 1
        try:
            with one_thread():
                yield
        finally:
            with self._lock:
                self._count -= 1
                if not self._count:
                    self._limit.restore_original_limits()


alone = _OneThread()


def _chunks(block: Block, together: int) -> Iterator[Block]:
    """The chunks of a piece, which starts where one does."""
    for start in range(0, len(block), together * CHUNK):
        yield block.rows(start, min(start + together * CHUNK, len(block)), block.start + start)


def delivered(message: bytes) -> bytes:
    """A long message, from where all tasks of a pass get it."""
    return message


@task
def result_of(blocks: list[Block], cell: Cell | None, message: bytes) -> Any:
    """What a pass makes of some neighboring pieces."""
    plan: Pass = pickle.loads(message)  # noqa: S301 - from the client of this cluster
    # Pieces are joined where one call takes more chunks than a piece has.
    chunks = _chunks(stacked(blocks), plan.together)
    with alone():
        if plan.carry is None or cell is None:
            return pairwise(map(partial(_result, plan), chunks), plan.merge)
        # Written to a store of its own, which takes effect when the pass has ended well: a task that fails
        # half-way can be run again.
        with cell.passing(plan.carry.generation, plan.carry.reads) as step:
            return pairwise(map(partial(_carried, plan, plan.carry, step), chunks), plan.merge)


def _result(plan: Pass, chunk: Block) -> Any:
    return plan.function(chunk, *plan.state)


def _carried(plan: Pass, carry: CarryPlan, step: CellPass, chunk: Block) -> Any:
    arrays = step.arrays(chunk, carry.make, carry.state)
    if carry.reads:
        return plan.function(chunk, arrays, *plan.state)
    buffers = (arrays, step.spare(chunk.start, arrays)) if carry.double_buffered else (arrays,)
    result, after = plan.function(chunk, *buffers, *plan.state)
    step.put(chunk.start, after)
    return result


@task
def merged(results: list[Any], message: bytes) -> Any:
    """Merge the results of neighboring pieces."""
    merge = pickle.loads(message)  # noqa: S301
    with alone():
        return pairwise(results, merge)


def new_cell(_: Parcel) -> Cell:
    """Where the arrays of a piece will be kept."""
    return Cell()


@task
def arrays_of(blocks: list[Block], cell: Cell, message: bytes) -> list[Arrays]:
    """What some pieces keep, chunk by chunk."""
    return _kept(blocks, cell, message)


@task
def kept_block(blocks: list[Block], cell: Cell, message: bytes) -> Block:
    """What some pieces keep, as rows: features, target and weights."""
    parts = _kept(blocks, cell, message)
    joined = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    X, y, w = (*joined, None, None)[:3]
    return Block(X, y, w, blocks[0].start)


def _kept(blocks: list[Block], cell: Cell, message: bytes) -> list[Arrays]:
    carry, together = pickle.loads(message)  # noqa: S301
    with alone(), cell.passing(carry.generation, reads=True) as step:
        return [step.arrays(chunk, carry.make, carry.state) for chunk in _chunks(stacked(blocks), together)]


@task
def applied(block: Block, message: bytes) -> Block:
    """A piece after some functions."""
    functions = pickle.loads(message)  # noqa: S301
    start = block.start
    with alone():
        for function in functions:
            block = function(block)
    # Functions may return a new block that starts at 0, but chunks are counted from the first row of all.
    return replace(block, start=start) if block.start != start else block


def row_count(piece: Parcel) -> int:
    """How many rows a piece has."""
    return len(piece.value)


@task
def rows_at(block: Block, places: NDArray[np.intp]) -> Block:
    """Some rows of a piece."""
    return block.at(places)


@task
def folded(block: Block, value: Any, message: bytes, together: int) -> Any:
    """Take a value through the chunks of a piece."""
    function, state = pickle.loads(message)  # noqa: S301
    with alone():
        for chunk in _chunks(block, together):
            value = function(chunk, value, *state)
    return value


@task
def visited(block: Block, value: Any, message: bytes, starts: list[int]) -> Any:
    """Take a value through some chunks of a piece, in the order given."""
    function, state = pickle.loads(message)  # noqa: S301
    with alone():
        # In the order of the draw, not of the rows: each step depends on the one before.
        for start in starts:
            place = start - block.start
            chunk = block.rows(place, min(place + CHUNK, len(block)), start)
            value = function(chunk, value, *state)
    return value
