"""Rows on the workers of a cluster, and sums over them that are computed there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

import cloudpickle
import dask
import numpy as np
from distributed import Client, Future
from numpy.typing import NDArray

from hornbook.cluster._costs import FAN_IN
from hornbook.cluster._faults import cluster_faults, results_of
from hornbook.cluster._parcel import Parcel, unpacked
from hornbook.cluster._pieces import cut_into_pieces
from hornbook.cluster._residents import ClusterResidents
from hornbook.cluster._tasks import (
    CarryPlan,
    Pass,
    applied,
    arrays_of,
    delivered,
    folded,
    kept_block,
    merged,
    new_cell,
    result_of,
    row_count,
    rows_at,
    visited,
)
from hornbook.frame import CHUNK, Arrays, Block, Carry, Frame, Residents, chosen, stacked

__all__ = ["ClusterCarry", "ClusterRows", "message_of"]

IN_LINE = 2**18  # bytes of a message that is part of each task; longer ones are sent to a worker once

P = ParamSpec("P")
Result = TypeVar("Result")
Value = TypeVar("Value")


def _guarded(method: Callable[P, Result]) -> Callable[P, Result]:
    """Let a method of rows say in a sentence what happened to the cluster."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        rows: Any = args[0]
        with cluster_faults(rows.client):
            return method(*args, **kwargs)

    return call


def message_of(client: Client, value: Any) -> Any:
    """Something for all tasks of a pass, as bytes or as a future of bytes."""
    message = cloudpickle.dumps(value)
    if len(message) <= IN_LINE:
        return message
    # As the result of a task, and not scattered: the scheduler can make it again when its worker dies.
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "16 GiB"}):
        return client.submit(delivered, message, pure=False)


class ClusterCarry(Carry):
    """Arrays with one entry for each row, on the workers that have the rows.

    Parameters
    ----------
    make : callable
        ``make(block, *state)`` gives the arrays of a chunk.
    state : tuple
        What it needs beside the rows.
    rows : ClusterRows
        The rows.
    """

    def __init__(self, make: Callable[..., Arrays], state: tuple[Any, ...], rows: ClusterRows) -> None:
        super().__init__(make, state)
        self.generation, self.together = 0, 1
        self._rows = rows
        self._cells: list[Future] = []

    def cells(self) -> list[Future]:
        """Where the arrays of each piece are; a new one has none."""
        if not self._cells:
            self._cells = self._rows.client.map(new_cell, self._rows.pieces, pure=False)
        return self._cells

    def plan(self, *, reads: bool) -> CarryPlan:
        """What a pass has to know."""
        return CarryPlan(self.make, self.state, self.generation, reads, self.double_buffered)

    def gather(self) -> Arrays:
        """The arrays of all rows, brought here."""
        parts = [arrays for piece in self._rows.gathered(self.each(arrays_of)) for arrays in piece]
        return tuple(map(np.concatenate, zip(*parts, strict=True)))

    def each(self, function: Callable[..., Any]) -> list[Future]:
        """Call a function for the arrays of each group of pieces."""
        rows = self._rows
        message = message_of(rows.client, (self.plan(reads=True), self.together))
        groups, cells = rows.groups(self.together), self.cells()[:: rows.group_size(self.together)]
        return list(rows.client.map(function, groups, cells, [message] * len(groups), pure=False))


class ClusterRows:
    """Rows in pieces of a fixed number of chunks, each a value of the cluster.

    Pieces start where chunks do, whatever the partitions were, and have a power of 2 of them: so merging the
    results of pieces pairwise is the same as merging those of all chunks. A piece that is lost with its
    worker is computed again by Dask, which knows what it was made of.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    pieces : list of Future
        Blocks.
    n_rows : int
        Rows of all of them.
    chunks : int
        Chunks of a piece, a power of 2; the last piece may have fewer.
    threads : int
        Threads of the caller.
    pending : tuple of callable, default ()
        Functions to be applied to the pieces when they are needed.
    tables : list of Future, default []
        The pieces as whole tables, of rows that are one.
    """

    is_one_block = False
    elsewhere = True

    def __init__(
        self,
        client: Client,
        pieces: list[Future],
        n_rows: int,
        chunks: int,
        threads: int,
        pending: tuple[Callable[[Block], Block], ...] = (),
        tables: Sequence[Future] = (),
    ) -> None:
        self.client, self.n_rows, self.threads, self.chunks = client, n_rows, threads, chunks
        self._source, self._pending, self._tables = pieces, pending, tables
        self._applied: list[Future] | None = None if pending else pieces

    @property
    def held(self) -> int:
        """No more than one piece at a time comes to the caller."""
        return self.chunks * CHUNK

    @property
    def pieces(self) -> list[Future]:
        """The pieces, after all functions."""
        if self._applied is None:
            messages = [message_of(self.client, self._pending)] * len(self._source)
            self._applied = self.client.map(applied, self._source, messages, pure=False)
        return self._applied

    def __iter__(self) -> Iterator[Block]:
        for piece in self.pieces:
            yield self.gathered([piece])[0]

    @_guarded
    def gathered(self, futures: Sequence[Future]) -> list[Any]:
        """Results of tasks, brought here."""
        try:
            return [unpacked(result) for result in results_of(self.client, futures)]
        except KeyboardInterrupt:
            # Without that the cluster would finish work that nobody waits for.
            self.client.cancel(list(futures))
            raise

    def map(self, function: Callable[[Block], Block]) -> ClusterRows:
        """Apply the function when rows are needed; what comes out stays on the workers."""
        if self._applied is None:
            source, pending = self._source, (*self._pending, function)
        else:
            source, pending = self._applied, (function,)
        return ClusterRows(self.client, source, self.n_rows, self.chunks, self.threads, pending)

    @_guarded
    def where(self, function: Callable[[Block], NDArray[np.bool_]]) -> ClusterRows:
        """Choose the rows now; they are numbered, and cut into pieces, anew."""
        # Chunks are counted by global row, so that rows which are left out move all that follow.
        parts = self.map(partial(chosen, function)).pieces
        lengths = self.gathered(self.client.map(row_count, parts, pure=False))
        pieces = cut_into_pieces(self.client, parts, lengths, self.chunks)
        return ClusterRows(self.client, pieces, sum(lengths), self.chunks, self.threads)

    def carry(self, make: Callable[..., Arrays], state: tuple[Any, ...]) -> Carry:
        """On the workers, beside the rows."""
        return ClusterCarry(make, state, self)

    @_guarded
    def residents(self, make: Callable[..., Any], state: tuple[Any, ...]) -> Residents:
        """One on each worker that has rows."""
        return ClusterResidents(self.client, self.pieces, make, state)

    @_guarded
    def kept(self, carry: Carry) -> ClusterRows:
        """The arrays as rows, in pieces as long as the passes over them took."""
        assert isinstance(carry, ClusterCarry)
        pieces = carry.each(kept_block)
        chunks = max(self.chunks, carry.together)
        return ClusterRows(self.client, pieces, self.n_rows, chunks, self.threads)

    def group_size(self, together: int) -> int:
        """How many pieces a task takes so that no call of a function is cut short."""
        return max(1, together // self.chunks)

    def groups(self, together: int) -> list[list[Future]]:
        """The pieces of each task."""
        size, pieces = self.group_size(together), self.pieces
        return [pieces[i : i + size] for i in range(0, len(pieces), size)]

    @_guarded
    def reduce(
        self,
        function: Callable[..., Any],
        state: tuple[Any, ...],
        merge: Callable[[Any, Any], Any],
        carry: Carry | None = None,
        together: int = 1,
        reads: bool = False,
    ) -> Any:
        """A task for each piece, where it is, and a tree of tasks that merge what they give."""
        if not self.n_rows:
            raise ValueError("there are no rows to reduce over")
        groups, plan = self.groups(together), None
        cells: Sequence[Future | None] = [None] * len(groups)
        if carry is not None:
            assert isinstance(carry, ClusterCarry)
            carry.together = together
            plan, cells = carry.plan(reads=reads), carry.cells()[:: self.group_size(together)]
        message = message_of(self.client, Pass(function, state, merge, together, plan))
        # Not pure, here as everywhere: tasks change the cells of their workers, so that equal arguments do
        # not mean an equal result, and to hash large arguments would take longer than to send them.
        level = self.client.map(result_of, groups, cells, [message] * len(groups), pure=False)
        result = self._merged(level, merge)
        if isinstance(carry, ClusterCarry) and not reads:
            carry.generation += 1
        return result

    def _merged(self, level: list[Future], merge: Callable[[Any, Any], Any]) -> Any:
        message = message_of(self.client, merge)
        while len(level) > 1:
            # FAN_IN is a power of 2, so that the tree of merges is the pairwise one of rows in memory, and
            # sums have the same bits.
            several = [level[i : i + FAN_IN] for i in range(0, len(level), FAN_IN)]
            level = self.client.map(merged, several, [message] * len(several), pure=False)
        return self.gathered(level)[0]

    @_guarded
    def fold(
        self,
        function: Callable[..., Value],
        value: Value,
        state: tuple[Any, ...],
        together: int = 1,
        order: NDArray[np.intp] | None = None,
    ) -> Value:
        """The value travels from piece to piece."""
        message = message_of(self.client, (function, state))
        # One task after the other, since each needs the value of the one before: workers save memory here,
        # not time.
        link: Any = Parcel(value)
        if order is None:
            for piece in self.pieces:
                link = self.client.submit(folded, piece, link, message, together, pure=False)
        else:
            for place, starts in _visits(order, self.chunks * CHUNK):
                link = self.client.submit(visited, self.pieces[place], link, message, starts, pure=False)
        result: Value = self.gathered([link])[0] if isinstance(link, Future) else value
        return result

    @_guarded
    def take(self, rows: NDArray[np.intp]) -> Block:
        """Only these rows come here."""
        if not len(rows) or rows.min() < 0 or rows.max() >= self.n_rows:
            raise IndexError(f"there are {self.n_rows} rows, counted from 0; asked for {rows.tolist()}.")
        order = rows.argsort(kind="stable")
        ascending = rows[order]
        owners, first = np.unique(ascending // (self.chunks * CHUNK), return_index=True)
        places = [part % (self.chunks * CHUNK) for part in np.split(ascending, first[1:])]
        sources = [self.pieces[int(owner)] for owner in owners]
        joined = stacked(self.gathered(self.client.map(rows_at, sources, places, pure=False)))
        return joined if (order[1:] > order[:-1]).all() else joined.at(order.argsort())

    @_guarded
    def to_frame(self) -> Frame:
        """All rows, brought here as one table."""
        return Frame.concat([block.X for block in self.gathered(self._tables)])


def _visits(order: NDArray[np.intp], size: int) -> Iterator[tuple[int, list[int]]]:
    """Each piece with the chunks that are visited there one after the other."""
    owners = order // size
    edges = np.flatnonzero(np.diff(owners)) + 1
    for run in np.split(order, edges):
        yield int(run[0]) // size, run.tolist()
