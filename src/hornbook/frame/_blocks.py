"""Rows cut into chunks of fixed size, and sums over them that never depend on who adds them up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from operator import add
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.frame.readers._source import Source
from hornbook.params import Jobs, Team, blas_threads, threads

__all__ = ["Block", "Blocks", "Rows", "Streamed", "blocks_of"]

CHUNK = 4096  # rows in one unit of work, counted from the first row of all blocks
RUN = 8  # chunks a thread takes at a time

Result = TypeVar("Result")


@dataclass(frozen=True)
class Block:
    """Some rows of a table: features, target and weights side by side.

    Parameters
    ----------
    X : Frame or ndarray
        The features, in the form the learner wants.
    y : ndarray, optional
        The target, one value a row.
    w : ndarray, optional
        The weights, one a row; None means every row counts once.
    start : int, default 0
        The number of the first row among all rows.
    """

    X: Any
    y: NDArray[Any] | None = None
    w: NDArray[np.float64] | None = None
    start: int = 0

    def __len__(self) -> int:
        return len(self.X)

    def rows(self, start: int, stop: int) -> Block:
        """Rows start to stop, without a copy."""
        part = slice(start, stop)
        return Block(
            self.X[part], None if self.y is None else self.y[part], None if self.w is None else self.w[part]
        )


def blocks_of(frames: Iterable[Frame]) -> Iterator[Block]:
    """Features, target and weights of tables, one below the other."""
    start = 0
    for frame in frames:
        yield Block(frame.features, frame.y, frame.w, start)
        start += len(frame)


class Rows(Protocol):
    """Where the rows of `Blocks` are: in memory or in a file. Iterating gives them all, as often as asked."""

    @property
    def n_rows(self) -> int:
        """How many there are."""

    @property
    def held(self) -> int | None:
        """How many may be in memory beside those being read; None when they are there anyway."""

    def __iter__(self) -> Iterator[Block]: ...

    def map(self, function: Callable[[Block], Block]) -> Rows:
        """Rows with the function applied to each block."""

    def to_frame(self) -> Frame:
        """All rows as one table in memory."""


class InMemory:
    """Rows that are in memory.

    Parameters
    ----------
    parts : list of Block
        The rows.
    frames : list of Frame
        The tables they come from; none for rows that were made of others.
    """

    held = None

    def __init__(self, parts: list[Block], frames: Sequence[Frame] = ()) -> None:
        self.n_rows = sum(map(len, parts))
        self._parts = parts
        self._frames = frames

    def __iter__(self) -> Iterator[Block]:
        return iter(self._parts)

    def map(self, function: Callable[[Block], Block]) -> InMemory:
        """Apply the function now."""
        return InMemory([function(part) for part in self._parts])

    def to_frame(self) -> Frame:
        """The one table there is, or all of them joined."""
        return self._frames[0] if len(self._frames) == 1 else Frame.concat(self._frames)


class Streamed:
    """Rows that are made anew, block by block, whenever they are needed.

    Parameters
    ----------
    blocks : callable
        Goes through all rows from the first.
    n_rows : int
        How many rows there are.
    held : int
        How many rows may be in memory beside those being made.
    whole : callable, optional
        Makes one table of all rows; left out for rows that were made of others.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Streamed(lambda: (Block(np.full((2, 3), i)) for i in range(2)), n_rows=4, held=2)
    >>> [block.X.sum().item() for block in rows.map(lambda block: Block(block.X + 1))]
    [6, 12]
    """

    def __init__(
        self,
        blocks: Callable[[], Iterator[Block]],
        n_rows: int,
        held: int,
        whole: Callable[[], Frame] = lambda: Frame.concat([]),
    ) -> None:
        self.n_rows = n_rows
        self.held = held
        self._blocks = blocks
        self._whole = whole

    def __iter__(self) -> Iterator[Block]:
        return self._blocks()

    def map(self, function: Callable[[Block], Block]) -> Streamed:
        """Apply the function whenever rows are needed."""
        return Streamed(lambda: map(function, self._blocks()), self.n_rows, self.held)

    def to_frame(self) -> Frame:
        """Make one table of all rows."""
        return self._whole()


class Blocks:
    """One or more tables with the same columns, used as one; `hornbook.scan` makes them of a file.

    Learners read a Blocks object only through `map` and `reduce`, so they need not know how many
    tables there are, nor whether they are in memory.

    Parameters
    ----------
    frames : Frame or sequence of Frame
        Tables with equal schema, in the order of their rows.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    schema : Schema
        What the columns are.
    source : Source or None
        The file behind the rows, and how it was understood.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Blocks, Frame
    >>> table = np.arange(10.0).reshape(5, 2)
    >>> blocks = Blocks([Frame(table[:3]), Frame(table[3:])])
    >>> blocks.n_rows
    5
    >>> blocks.reduce(lambda block: block.X.numbers.sum(axis=0)).tolist()
    [20.0, 25.0]
    """

    def __init__(self, frames: Frame | Sequence[Frame], *, n_jobs: Jobs = None) -> None:
        tables = [frames] if isinstance(frames, Frame) else list(frames)
        if not tables:
            raise ValueError("Blocks need at least one Frame; got none.")
        for position, table in enumerate(tables):
            if table.schema != tables[0].schema:
                raise ValueError(
                    f"Block {position} has other columns, kinds, roles or levels than block 0: "
                    "give all blocks the same columns, and categories as one categorical type."
                )
        self.schema: Schema = tables[0].schema
        self.source: Source | None = tables[0].source if len(tables) == 1 else None
        self.threads = threads(n_jobs)
        self._rows: Rows = InMemory(list(blocks_of(tables)), tables)

    @classmethod
    def of(cls, block: Block, schema: Schema, n_threads: int) -> Blocks:
        """Blocks with the rows of one block, for a learner's own use."""
        return cls.over(InMemory([block]), schema, n_threads)

    @classmethod
    def over(cls, rows: Rows, schema: Schema, n_threads: int, source: Source | None = None) -> Blocks:
        """Blocks of rows that may be anywhere."""
        made = cls.__new__(cls)
        vars(made).update(schema=schema, source=source, threads=n_threads, _rows=rows)
        return made

    @property
    def n_rows(self) -> int:
        """Rows in all blocks together."""
        return self._rows.n_rows

    @property
    def lazy(self) -> bool:
        """Whether rows are read, and what `map` was given applied to them, anew on each pass."""
        return self._rows.held is not None

    def __repr__(self) -> str:
        where = " on disk" if self.lazy else ""
        return f"Blocks({self.n_rows} rows{where}, {len(self.schema)} columns)"

    def __iter__(self) -> Iterator[Block]:
        return iter(self._rows)

    def map(self, function: Callable[[Block], Block]) -> Blocks:
        """Blocks with ``function`` applied to each block; the function must work row by row.

        On rows in memory it is applied at once, on rows in a file whenever they are read.
        """
        return Blocks.over(self._rows.map(function), self.schema, self.threads, self.source)

    def to_frame(self) -> Frame:
        """All rows as one table in memory."""
        return self._rows.to_frame()

    def chunks(self) -> Iterator[Block]:
        """Chunks of 4096 rows counted over all blocks, each with its start; the last may be shorter."""
        for i, piece in enumerate(self._pieces()):
            yield Block(piece.X, piece.y, piece.w, i * CHUNK)

    def _pieces(self) -> Iterator[Block]:
        carried: list[Block] = []
        for part in self._rows:
            start = 0
            if carried:
                start = min(CHUNK - sum(map(len, carried)), len(part))
                carried.append(part.rows(0, start))
                if sum(map(len, carried)) < CHUNK:
                    continue
                yield _joined(carried)
                carried = []
            while start + CHUNK <= len(part):
                yield part.rows(start, start + CHUNK)
                start += CHUNK
            if start < len(part):
                carried.append(part.rows(start, len(part)))
        if carried:
            yield _joined(carried)

    def reduce(
        self,
        function: Callable[..., Result],
        *state: Any,
        merge: Callable[[Result, Result], Result] = add,
    ) -> Result:
        """Merge ``function(chunk, *state)`` over all chunks of 4096 rows.

        Every chunk is computed on one thread, and results are merged pairwise in the order of the
        rows, so the outcome is the same to the last bit for any number of threads and blocks.

        Parameters
        ----------
        function : callable
            Gets a `Block` and the state, returns a result.
        *state : object
            Passed on to every call.
        merge : callable, default operator.add
            Combines the results of two neighboring groups of rows.
        """
        with blas_threads(1):
            return _pairwise(self._results(function, state), merge)

    def _results(self, function: Callable[..., Result], state: tuple[Any, ...]) -> Iterator[Result]:
        if self.threads == 1 or self.n_rows <= CHUNK:
            yield from (function(chunk, *state) for chunk in self.chunks())
            return

        def work(run: list[Block]) -> list[Result]:
            return [function(chunk, *state) for chunk in run]

        length, most = self._pace()
        runs = _runs(self.chunks(), length)
        with Team(self.threads) as team:
            waiting: deque[Future[list[Result]]] = deque()
            for run in runs:
                waiting.append(team.submit(work, run))
                if len(waiting) > most:  # a bound on how far reading runs ahead of merging
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()

    def _pace(self) -> tuple[int, int]:
        """How many chunks a thread takes at a time, and how many such runs may wait."""
        held = self._rows.held
        if held is None:
            return RUN, 2 * self.threads
        length = min(RUN, max(1, held // (2 * self.threads * CHUNK)))
        return length, max(1, held // (length * CHUNK))


def _runs(chunks: Iterator[Block], length: int) -> Iterator[list[Block]]:
    while run := list(islice(chunks, length)):
        yield run


def _joined(pieces: list[Block]) -> Block:
    if len(pieces) == 1:
        return pieces[0]
    first = pieces[0]
    if isinstance(first.X, Frame):
        X: Any = Frame.concat([piece.X for piece in pieces])
    else:
        X = np.concatenate([piece.X for piece in pieces])
    ys = [piece.y for piece in pieces if piece.y is not None]
    ws = [piece.w for piece in pieces if piece.w is not None]
    return Block(X, np.concatenate(ys) if ys else None, np.concatenate(ws) if ws else None)


def _pairwise(results: Iterable[Result], merge: Callable[[Result, Result], Result]) -> Result:
    """Merge neighbors like the digits of a binary counter: the shape depends on the number alone."""
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
