"""One or more tables used as one, and sums over their rows that never depend on who adds them up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import add
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.frame.profile._block_profile import block_profile
from hornbook.frame.profile._profile import Profile
from hornbook.frame.readers._source import Source
from hornbook.frame.rows._block import Block, blocks_of, chunks_of
from hornbook.frame.rows._carry import Arrays, Carry, Store
from hornbook.frame.rows._residents import Residents
from hornbook.frame.rows._rows import InMemory, Rows
from hornbook.frame.rows._team import KeptTeam
from hornbook.params import Jobs, threads

__all__ = ["Blocks"]

Result = TypeVar("Result")
Value = TypeVar("Value")


class Blocks:
    """One or more tables with the same columns, used as one; `hornbook.scan` makes them of a file.

    Learners read a Blocks object only through `map`, `where`, `reduce`, `fold`, `take` and `stored`, so they
    need not know how many tables there are, nor where: in memory, in a file, or on other machines. Functions
    given to these must not change their arguments. On other machines they must also be importable, as
    functions of a module are; a lambda will do for rows in memory and in files.

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

    What is known of each row from one pass to the next is a carry. Here every row keeps the largest threshold
    it has exceeded, and a pass counts the rows that have come up; ``make`` says how to have the same from
    the rows and the thresholds so far.

    >>> def exceeded(block, thresholds):
    ...     sums = block.X.numbers.sum(axis=1)
    ...     return (np.array([max([t for t in thresholds if s > t], default=0.0) for s in sums]),)
    >>> def count_new(block, kept, threshold):
    ...     (most,) = kept
    ...     now = np.where(block.X.numbers.sum(axis=1) > threshold, threshold, most)
    ...     return int((now > most).sum()), (now,)
    >>> carry = blocks.carry(exceeded, [])
    >>> for thresholds in ([4.0], [4.0, 10.0]):
    ...     print(blocks.reduce(count_new, thresholds[-1], carry=carry))
    ...     carry.state = (thresholds,)
    4
    2
    >>> carry.gather()[0].tolist()
    [0.0, 4.0, 4.0, 10.0, 10.0]
    """

    def __init__(self, frames: Frame | Sequence[Frame], *, n_jobs: Jobs = None) -> None:
        tables = [frames] if isinstance(frames, Frame) else list(frames)
        if not tables:
            raise ValueError("Blocks need at least one Frame; got none.")
        for position, table in enumerate(tables):
            # Codes mean the same in all blocks only where levels are equal, so blocks that were coded apart
            # from each other are refused rather than added up.
            if table.schema != tables[0].schema:
                raise ValueError(
                    f"Block {position} has other columns, kinds, roles or levels than block 0: "
                    "give all blocks the same columns, and categories as one categorical type."
                )
        self.schema: Schema = tables[0].schema
        # Several tables may come from several files, of which none is the source of all rows.
        self.source: Source | None = tables[0].source if len(tables) == 1 else None
        self._rows: Rows = InMemory(list(blocks_of(tables)), KeptTeam(threads(n_jobs)), tables)

    @classmethod
    def of(cls, block: Block, schema: Schema, n_threads: int) -> Blocks:
        """Blocks with the rows of one block, for a learner's own use."""
        return cls.over(InMemory([block], KeptTeam(n_threads)), schema)

    @classmethod
    def over(cls, rows: Rows, schema: Schema, source: Source | None = None) -> Blocks:
        """Blocks of rows that may be anywhere."""
        # The constructor takes tables, but rows that are streamed or on other machines are none yet.
        blocks = cls.__new__(cls)
        vars(blocks).update(schema=schema, source=source, _rows=rows)
        return blocks

    @property
    def n_rows(self) -> int:
        """Rows in all blocks together."""
        return self._rows.n_rows

    @property
    def threads(self) -> int:
        """Threads of the caller."""
        return self._rows.threads

    @property
    def lazy(self) -> bool:
        """Whether rows are read, and what `map` was given applied to them, anew on each pass."""
        # Only rows that are read in batches say how many of them are held in memory at a time.
        return self._rows.held is not None

    @property
    def is_one_block(self) -> bool:
        """Whether all rows are in one block, in memory."""
        return self._rows.is_one_block

    @property
    def elsewhere(self) -> bool:
        """Whether rows are with other processes, and what learners need of each row stays there."""
        return self._rows.elsewhere

    def __repr__(self) -> str:
        where = " on a cluster" if self.elsewhere else " on disk" if self.lazy else ""
        return f"Blocks({self.n_rows} rows{where}, {len(self.schema)} columns)"

    def __iter__(self) -> Iterator[Block]:
        """All rows, brought here block by block: for output, not for sums."""
        return iter(self._rows)

    def map(self, function: Callable[[Block], Block]) -> Blocks:
        """Blocks with ``function`` applied to each block; the function must work row by row.

        On rows in memory it is applied at once, on rows in a file whenever they are read.
        """
        return Blocks.over(self._rows.map(function), self.schema, self.source)

    def where(self, function: Callable[[Block], NDArray[np.bool_]]) -> Blocks:
        """Blocks with the rows for which ``function`` is true; it gives a boolean for each row of a block."""
        return Blocks.over(self._rows.where(function), self.schema, self.source)

    def to_frame(self) -> Frame:
        """All rows as one table in memory."""
        return self._rows.to_frame()

    def profile(self) -> Profile:
        """Summarize features and target, and list problems of the table, by sums over the rows.

        It says the same as that of the whole table in memory, with three exceptions: a column with more than
        4096 different numbers has their number estimated, to 2 %; so is the number of rows that repeat
        others, among more than 65,536 different ones; and pairs of columns are compared on a sample.
        """
        return block_profile(self)

    def carry(self, make: Callable[..., Arrays], *state: Any, double_buffered: bool = False) -> Carry:
        """Arrays with one entry for each row, which stay where the rows are from one `reduce` to the next.

        Parameters
        ----------
        make : callable
            ``make(block, *state)`` gives the arrays of some rows as a tuple. It is called when they are not
            there: before the first pass, and where they were lost.
        *state : object
            What it needs beside the rows. After each pass, set ``carry.state`` to what it needs from then on.
        double_buffered : bool, default False
            Whether the functions of `reduce` get, after the arrays, others of the same shapes, which they
            fill and give back: so a pass needs no new memory.
        """
        carry = self._rows.carry(make, state)
        carry.double_buffered = double_buffered
        return carry

    def residents(self, make: Callable[..., Any], *state: Any) -> Residents:
        """Objects that live where the rows are, each of some of them, and are asked again and again.

        Parameters
        ----------
        make : callable
            ``make(blocks, n_threads, *state)`` gives the object of the rows of some blocks. All rows are in
            memory there, in the form that they have here.
        *state : object
            What it needs beside the rows.
        """
        return self._rows.residents(make, state)

    def kept(self, carry: Carry) -> Blocks:
        """Blocks whose rows are the arrays of a carry, in their place: features, target and weights.

        What a pass has made of the rows, say codes of a byte a cell, is then read by further passes instead
        of the rows themselves.

        Parameters
        ----------
        carry : Carry
            With one array for each row, or two, or three; not double-buffered.
        """
        # The pass after next would overwrite what further passes still read as their rows.
        if carry.double_buffered:
            raise ValueError(
                "The arrays of a double-buffered carry cannot be kept as rows: passes reuse them."
            )
        return Blocks.over(self._rows.kept(carry), self.schema)

    @overload
    def reduce(
        self,
        function: Callable[..., Result],
        *state: Any,
        merge: Callable[[Result, Result], Result] = ...,
        carry: None = None,
        together: int = 1,
        reads: Literal[False] = False,
    ) -> Result: ...

    @overload
    def reduce(
        self,
        function: Callable[..., Result],
        *state: Any,
        merge: Callable[[Result, Result], Result] = ...,
        carry: Carry,
        together: int = 1,
        reads: Literal[True],
    ) -> Result: ...

    @overload
    def reduce(
        self,
        function: Callable[..., tuple[Result, Arrays]],
        *state: Any,
        merge: Callable[[Result, Result], Result] = ...,
        carry: Carry,
        together: int = 1,
        reads: Literal[False] = False,
    ) -> Result: ...

    def reduce(
        self,
        function: Callable[..., Any],
        *state: Any,
        merge: Callable[[Any, Any], Any] = add,
        carry: Carry | None = None,
        together: int = 1,
        reads: bool = False,
    ) -> Any:
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
        carry : Carry, optional
            Arrays with one entry for each row. The function then is ``function(chunk, arrays, *state)`` and
            returns the result and the new arrays of these rows.
        together : int, default 1
            How many chunks the function takes in one call, a power of 2: for kernels that merge the results
            of chunks themselves, in the same order.
        reads : bool, default False
            Whether the function only reads the arrays of the carry: it then returns the result alone, and
            the arrays stay as they are.
        """
        # A balanced tree of merges also keeps rounding errors small: they grow with log(n) of the chunks
        # instead of n (pairwise summation; Higham, Accuracy and Stability of Numerical Algorithms, section
        # 4.2).
        return self._rows.reduce(function, state, merge, carry, together, reads)

    def fold(
        self,
        function: Callable[..., Value],
        value: Value,
        *state: Any,
        together: int = 1,
        order: NDArray[np.intp] | None = None,
    ) -> Value:
        """Take a value through all chunks of 4096 rows: ``value = function(chunk, value, *state)``.

        For what is not a sum, because each row depends on those before it.

        Parameters
        ----------
        function : callable
            Gets a `Block`, the value so far and the state, returns the next value.
        value : object
            The first value.
        *state : object
            Passed on to every call.
        together : int, default 1
            How many chunks the function takes in one call: for functions that do not mind where rows are cut.
        order : ndarray of int, optional
            The first rows of the chunks to visit, in this order, one chunk in a call; all chunks in the order
            of the rows when left out.
        """
        return self._rows.fold(function, value, state, together, order)

    def take(self, rows: ArrayLike) -> Block:
        """Some rows, by their numbers among all rows.

        Parameters
        ----------
        rows : array-like of int
            Numbers from 0, in any order.
        """
        return self._rows.take(np.asarray(rows, dtype=np.intp))

    def stored(self, function: Callable[[Block], Arrays], limit: int | None = None) -> Store:
        """Bring arrays of all chunks of 4096 rows here, to be read in any order.

        For what visits rows in another order than they come, as stochastic gradient descent does.

        Parameters
        ----------
        function : callable
            Gets a `Block`, returns its arrays.
        limit : int, optional
            Bytes that may be in memory, the others are in a temporary file; no limit when left out.
        """
        store = Store(limit)
        # Put one after the other by the caller: what visits rows in its own order needs them here, wherever
        # they were, and a file is written by one thread.
        for chunk in chunks_of(self._rows):
            store.put(chunk.start, function(chunk))
        return store
