"""Rows cut into chunks of fixed size, and sums over them that never depend on who adds them up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice
from operator import add
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.params import Jobs, threads

__all__ = ["Block", "Blocks"]

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
    """

    X: Any
    y: NDArray[Any] | None = None
    w: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.X)

    def rows(self, start: int, stop: int) -> Block:
        """Rows start to stop, without a copy."""
        part = slice(start, stop)
        return Block(
            self.X[part], None if self.y is None else self.y[part], None if self.w is None else self.w[part]
        )


class Blocks:
    """One or more tables with the same columns, used as one.

    Learners read a Blocks object only through `map` and `reduce`, so they need not know how many
    tables there are.

    Parameters
    ----------
    frames : Frame or sequence of Frame
        Tables with equal schema, in the order of their rows.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

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
        self.threads = threads(n_jobs)
        self._frames = tables
        self._parts = [Block(table.features, table.y, table.w) for table in tables]

    @classmethod
    def of(cls, block: Block, schema: Schema, n_threads: int) -> Blocks:
        """Blocks with the rows of one block, for a learner's own use."""
        return cls._made(schema, [block], n_threads)

    @classmethod
    def _made(cls, schema: Schema, parts: list[Block], n_threads: int) -> Blocks:
        made = cls.__new__(cls)
        vars(made).update(schema=schema, threads=n_threads, _parts=parts, _frames=[])
        return made

    @property
    def n_rows(self) -> int:
        """Rows in all blocks together."""
        return sum(len(part) for part in self._parts)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._parts)

    def map(self, function: Callable[[Block], Block]) -> Blocks:
        """Blocks with ``function`` applied to each block; the function must work row by row."""
        return Blocks._made(self.schema, [function(part) for part in self._parts], self.threads)

    def to_frame(self) -> Frame:
        """All rows as one table in memory."""
        return self._frames[0] if len(self._frames) == 1 else Frame.concat(self._frames)

    def chunks(self) -> Iterator[Block]:
        """Chunks of 4096 rows counted over all blocks; the last one may be shorter."""
        carried: list[Block] = []
        for part in self._parts:
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
            Combines the results of two neighbouring groups of rows.
        """
        with _blas().limit(limits=1, user_api="blas"):
            return _pairwise(self._results(function, state), merge)

    def _results(self, function: Callable[..., Result], state: tuple[Any, ...]) -> Iterator[Result]:
        if self.threads == 1 or self.n_rows <= CHUNK:
            yield from (function(chunk, *state) for chunk in self.chunks())
            return

        def work(run: list[Block]) -> list[Result]:
            return [function(chunk, *state) for chunk in run]

        runs = _runs(self.chunks())
        with ThreadPoolExecutor(self.threads) as team:
            waiting: deque[Future[list[Result]]] = deque()
            for run in runs:
                waiting.append(team.submit(work, run))
                if len(waiting) > 2 * self.threads:  # a bound on how far reading runs ahead of merging
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()


def _runs(chunks: Iterator[Block]) -> Iterator[list[Block]]:
    while run := list(islice(chunks, RUN)):
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
    """Merge neighbours like the digits of a binary counter: the shape depends on the number alone."""
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


@cache
def _blas() -> ThreadpoolController:
    # Looking for the loaded BLAS libraries takes milliseconds; it is done once.
    return ThreadpoolController()
