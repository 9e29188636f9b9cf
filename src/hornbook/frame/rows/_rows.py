"""Where rows are, and who computes on them: threads of this process, in memory or streamed from files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from operator import add
from time import perf_counter
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._frame import Frame
from hornbook.frame.rows._block import CHUNK, Block, chunks_of, stacked, taken
from hornbook.frame.rows._carry import Arrays, Carry, Store
from hornbook.frame.rows._residents import LocalResident, Residents
from hornbook.frame.rows._team import KeptTeam
from hornbook.params import blas_threads

__all__ = ["InMemory", "Rows", "Streamed", "chosen", "pairwise"]

RUN = 8  # chunks a thread takes at a time, at most
FEW = 4  # runs for each thread, which leave it idle for up to a quarter of the time
WORTH = 2e-4  # seconds of work that are worth handing to a thread
CARRIED = 2**28  # bytes of a carry in memory, for rows that are not in memory themselves

Result = TypeVar("Result")
Value = TypeVar("Value")
Merge = Callable[[Result, Result], Result]


class Rows(Protocol):
    """Where the rows of `Blocks` are, and how functions come to them.

    Functions, state, carried arrays and results may travel to other processes and back: a function must not
    change what it is given.
    """

    @property
    def threads(self) -> int:
        """How many the caller may use."""

    @property
    def n_rows(self) -> int:
        """How many there are."""

    @property
    def held(self) -> int | None:
        """How many may be in memory beside those being read; None when they are there anyway."""

    @property
    def is_one_block(self) -> bool:
        """Whether all are in memory, in one block."""

    @property
    def elsewhere(self) -> bool:
        """Whether they are with other processes."""

    def __iter__(self) -> Iterator[Block]:
        """All rows in their order, brought to the caller."""

    def map(self, function: Callable[[Block], Block]) -> Rows:
        """Rows with the function applied to each block."""

    def where(self, function: Callable[[Block], NDArray[np.bool_]]) -> Rows:
        """The rows for which the function is true."""

    def carry(self, make: Callable[..., Arrays], state: tuple[Any, ...]) -> Carry:
        """Arrays with one entry for each row, which stay where the rows are."""

    def residents(self, make: Callable[..., Any], state: tuple[Any, ...]) -> Residents:
        """Objects that live where the rows are."""

    def kept(self, carry: Carry) -> Rows:
        """Rows that are the arrays of a carry; those they were made of are not read again."""

    def reduce(
        self,
        function: Callable[..., Any],
        state: tuple[Any, ...],
        merge: Merge[Any],
        carry: Carry | None = None,
        together: int = 1,
        reads: bool = False,
    ) -> Any:
        """Merge what the function makes of all chunks, pairwise in the order of the rows."""

    def fold(
        self,
        function: Callable[..., Value],
        value: Value,
        state: tuple[Any, ...],
        together: int = 1,
        order: NDArray[np.intp] | None = None,
    ) -> Value:
        """Take a value through all chunks one after the other, or through those that start as told."""

    def take(self, rows: NDArray[np.intp]) -> Block:
        """Some rows by number, brought to the caller."""

    def to_frame(self) -> Frame:
        """All rows as one table in memory."""


class _Local(ABC):
    """Rows that the threads of this process compute on."""

    team: KeptTeam
    n_rows: int
    held: int | None
    is_one_block: bool
    elsewhere = False

    @property
    def threads(self) -> int:
        """How many compute."""
        return self.team.size

    @abstractmethod
    def __iter__(self) -> Iterator[Block]:
        """All rows, as often as asked."""

    def carry(self, make: Callable[..., Arrays], state: tuple[Any, ...]) -> Carry:
        """In memory, as the rows, or in a temporary file beyond a limit."""
        return Carry(make, state, None if self.held is None else CARRIED)

    def residents(self, make: Callable[..., Any], state: tuple[Any, ...]) -> Residents:
        """One object for all rows, which are brought into memory."""
        return LocalResident(make, state, stacked(list(self)), self.threads)

    def reduce(
        self,
        function: Callable[..., Any],
        state: tuple[Any, ...],
        merge: Merge[Any],
        carry: Carry | None = None,
        together: int = 1,
        reads: bool = False,
    ) -> Any:
        """Every chunk is computed on one thread, with BLAS on one thread."""
        if carry is None:
            return self._merged(partial(_result, function, state), merge, together)
        if reads:
            return self._merged(partial(_read_result, function, state, carry), merge, together)
        # A pass reads what the last one has left and writes anew, so that one that fails changes nothing.
        store = carry.new_store()
        work = partial(_carried_result, function, state, carry, store)
        result = self._merged(work, merge, together)
        carry.replace(store)
        return result

    def _merged(self, work: Callable[[Block], Any], merge: Merge[Any], together: int) -> Any:
        # BLAS splits its sums by threads, which would change the last bits.
        with blas_threads(1):
            if self._is_one_chunk(together):
                (block,) = self
                return work(block)
            return pairwise(self._results(work, together), merge)

    def _is_one_chunk(self, together: int = 1) -> bool:
        """Whether there is nothing to cut and nothing to merge."""
        return self.is_one_block and 0 < self.n_rows <= together * CHUNK

    def fold(
        self,
        function: Callable[..., Value],
        value: Value,
        state: tuple[Any, ...],
        together: int = 1,
        order: NDArray[np.intp] | None = None,
    ) -> Value:
        """One chunk after the other."""
        if order is not None:
            chunks: Iterable[Block] = map(self._chunk, order.tolist())
        else:
            chunks = self if self._is_one_chunk(together) else chunks_of(self, together * CHUNK)
        with blas_threads(1):
            for chunk in chunks:
                value = function(chunk, value, *state)
        return value

    def _chunk(self, start: int) -> Block:
        block = self.take(np.arange(start, min(start + CHUNK, self.n_rows)))
        return Block(block.X, block.y, block.w, start)

    def take(self, rows: NDArray[np.intp]) -> Block:
        """Read no further than the last of them."""
        return taken(self, rows)

    def _results(self, work: Callable[[Block], Any], together: int) -> Iterator[Any]:
        chunks = chunks_of(self, together * CHUNK)
        if self.threads == 1 or self.n_rows <= together * CHUNK:
            return map(work, chunks)
        length, most = self._pace(together)
        begun: list[Any] = []
        n_left = -(-self.n_rows // (together * CHUNK)) - 1
        if self.held is None and n_left < FEW * length * self.threads:
            # So few runs would leave threads without work: how long a chunk takes says how short runs may be.
            start = perf_counter()
            begun.append(work(next(chunks)))
            seconds = perf_counter() - start
            if n_left * seconds <= WORTH:
                return chain(begun, map(work, chunks))
            length = max(1, min(length, int(WORTH / seconds)))
        runs = iter(lambda: list(islice(chunks, length)), [])
        return chain(begun, chain.from_iterable(self.team.results(partial(_run, work), runs, most)))

    def _pace(self, together: int) -> tuple[int, int]:
        """How many units of work a thread takes at a time, and how many such runs may wait."""
        # Runs of chunks, because handing a single one to a thread takes about as long as a small sum; for
        # streamed rows short enough that all that wait together stay within ``held``.
        longest, unit = max(1, RUN // together), together * CHUNK
        if self.held is None:
            return longest, 2 * self.threads
        length = min(longest, max(1, self.held // (2 * self.threads * unit)))
        return length, max(1, self.held // (length * unit))


class InMemory(_Local):
    """Rows that are in memory.

    Parameters
    ----------
    parts : list of Block
        The rows.
    team : KeptTeam
        Who computes.
    frames : list of Frame
        The tables they come from; none for rows that were made of others.
    """

    held = None

    def __init__(self, parts: list[Block], team: KeptTeam, frames: Sequence[Frame] = ()) -> None:
        self.n_rows = sum(map(len, parts))
        self.team = team
        self.is_one_block = len(parts) == 1
        self._parts = parts
        self._frames = frames

    def __iter__(self) -> Iterator[Block]:
        return iter(self._parts)

    def map(self, function: Callable[[Block], Block]) -> InMemory:
        """Apply the function now."""
        return InMemory([function(part) for part in self._parts], self.team)

    def where(self, function: Callable[[Block], NDArray[np.bool_]]) -> InMemory:
        """Choose the rows now."""
        return self.map(partial(chosen, function))

    def kept(self, carry: Carry) -> InMemory:
        """The arrays are in memory as well."""
        return InMemory(list(_kept_blocks(carry)), self.team)

    def to_frame(self) -> Frame:
        """The one table there is, or all of them joined."""
        return self._frames[0] if len(self._frames) == 1 else Frame.concat(self._frames)


class Streamed(_Local):
    """Rows that are made anew, block by block, whenever they are needed.

    Parameters
    ----------
    blocks : callable
        Goes through all rows from the first.
    n_rows : int
        How many rows there are.
    held : int
        How many rows may be in memory beside those being made.
    team : KeptTeam
        Who computes.
    whole : callable, optional
        Makes one table of all rows; left out for rows that were made of others.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Streamed(
    ...     lambda: (Block(np.full((2, 3), i)) for i in range(2)), n_rows=4, held=2, team=KeptTeam(1)
    ... )
    >>> [block.X.sum().item() for block in rows.map(lambda block: Block(block.X + 1))]
    [6, 12]
    """

    is_one_block = False

    def __init__(
        self,
        blocks: Callable[[], Iterator[Block]],
        n_rows: int,
        held: int,
        team: KeptTeam,
        whole: Callable[[], Frame] = lambda: Frame.concat([]),
    ) -> None:
        self.n_rows = n_rows
        self.held = self._room = held
        self.team = team
        self._blocks = blocks
        self._whole = whole

    def __iter__(self) -> Iterator[Block]:
        return self._blocks()

    def map(self, function: Callable[[Block], Block]) -> Streamed:
        """Apply the function whenever rows are needed."""
        return Streamed(lambda: map(function, self._blocks()), self.n_rows, self._room, self.team)

    def where(self, function: Callable[[Block], NDArray[np.bool_]]) -> Streamed:
        """Choose the rows whenever they are needed; they are counted now."""
        n_rows = self.reduce(_count, (function,), add)
        return Streamed(lambda: map(partial(chosen, function), self._blocks()), n_rows, self._room, self.team)

    def kept(self, carry: Carry) -> Streamed:
        """Read the arrays from memory, or from the temporary file of the carry."""
        return Streamed(partial(_kept_blocks, carry), self.n_rows, self._room, self.team)

    def to_frame(self) -> Frame:
        """Make one table of all rows."""
        return self._whole()


def _result(function: Callable[..., Any], state: tuple[Any, ...], chunk: Block) -> Any:
    return function(chunk, *state)


def _read_result(function: Callable[..., Any], state: tuple[Any, ...], carry: Carry, chunk: Block) -> Any:
    return function(chunk, carry.arrays(chunk), *state)


def _carried_result(
    function: Callable[..., Any], state: tuple[Any, ...], before: Carry, after: Store, chunk: Block
) -> Any:
    result, arrays = function(chunk, *before.buffers(chunk), *state)
    after.put(chunk.start, arrays)
    return result


def _kept_blocks(carry: Carry) -> Iterator[Block]:
    for start in carry.store.starts():
        arrays = carry.store.get(start)
        if arrays is not None:
            X, y, w = (*arrays, None, None)[:3]
            yield Block(X, y, w, start)


def _run(work: Callable[[Block], Any], run: list[Block]) -> list[Any]:
    return [work(chunk) for chunk in run]


def chosen(function: Callable[[Block], NDArray[np.bool_]], block: Block) -> Block:
    """The rows of a block for which the function is true."""
    return block.at(np.flatnonzero(function(block)))


def _count(block: Block, function: Callable[[Block], NDArray[np.bool_]]) -> int:
    return int(np.count_nonzero(function(block)))


def pairwise(results: Iterable[Result], merge: Merge[Result]) -> Result:
    """Merge neighbors like the digits of a binary counter: the shape depends on the number alone."""
    # Pairwise summation: rounding errors grow with log n instead of n (Higham, SIAM J. Sci. Comput. 1993),
    # and no more than log n results wait.
    stack: list[tuple[int, Result]] = []  # (how many chunks, their merged result), sizes falling
    for result in results:
        size, whole = 1, result
        while stack and stack[-1][0] == size:
            whole = merge(stack.pop()[1], whole)
            size *= 2
        stack.append((size, whole))
    if not stack:
        raise ValueError("there are no rows to reduce over")
    whole = stack.pop()[1]
    while stack:
        whole = merge(stack.pop()[1], whole)
    return whole
