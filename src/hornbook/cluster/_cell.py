"""Where a worker keeps the arrays of some rows from one pass to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hornbook.frame import Arrays, Block, Store

__all__ = ["Cell", "CellPass"]


class Cell:
    """The arrays of one piece, as a value of the cluster that is changed where it is.

    It goes when the client lets go of it. A copy on another worker is empty, and so is a new one after a
    worker has died: arrays that are not there are made of the rows, as a carry always allows. No more than
    two generations are there, so that a task that has to run again finds what it has read.
    """

    def __init__(self) -> None:
        self.stores: dict[int, Store] = {}

    def __reduce__(self) -> tuple[type[Cell], tuple[()]]:
        # It travels empty: arrays are made again from rows and state where a worker lacks them.
        return Cell, ()

    def __sizeof__(self) -> int:
        # Dask balances memory by what sizeof says, and would count the object alone.
        return 200 + sum(store.in_memory for store in self.stores.values())

    @contextmanager
    def passing(self, generation: int, reads: bool) -> Iterator[CellPass]:
        """A pass over the arrays of a generation; what it has written is kept if it ends well."""
        before = self.stores.get(generation)
        step = CellPass(before or Store(), self.stores.get(generation - 1))
        yield step
        if reads:
            self.stores[generation] = step.before
        else:
            # The one before stays: a repeated task reads it again, and the next pass fills its arrays. Older
            # ones can no longer be asked for.
            self.stores = {generation: step.before, generation + 1: step.after}


class CellPass:
    """Arrays before and after a pass over a piece.

    Parameters
    ----------
    before : Store
        What the pass reads.
    free : Store, optional
        Arrays that nobody will read again.
    """

    def __init__(self, before: Store, free: Store | None) -> None:
        self.before, self.after = before, Store()
        self._free = free

    def arrays(self, chunk: Block, make: Callable[..., Arrays], state: tuple[Any, ...]) -> Arrays:
        """The arrays of a chunk, made and kept if they are not there."""
        arrays = self.before.get(chunk.start)
        if arrays is None:
            arrays = make(chunk, *state)
            self.before.put(chunk.start, arrays)
        return arrays

    def spare(self, start: int, arrays: Arrays) -> Arrays:
        """Arrays of the same shapes, to be filled."""
        free = None if self._free is None else self._free.kept(start)
        if free is None or any(
            one.shape != other.shape or one.dtype != other.dtype
            for one, other in zip(free, arrays, strict=True)
        ):
            return tuple(map(np.empty_like, arrays))
        return free

    def put(self, start: int, arrays: Arrays) -> None:
        """Keep what the pass has made of a chunk."""
        self.after.put(start, arrays)
