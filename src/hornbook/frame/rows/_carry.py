"""Values of every row that live from one pass over the rows to the next."""

from __future__ import annotations

import math
from collections.abc import Callable
from tempfile import TemporaryFile
from threading import Lock
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from hornbook.frame.rows._block import Block

__all__ = ["Arrays", "Carry", "Store"]

Arrays = tuple[NDArray[Any], ...]


class Store:
    """The arrays of chunks, by their first row: in memory up to a limit, the others in a temporary file.

    Parameters
    ----------
    limit : int, optional
        Bytes that may be in memory; no limit when left out.

    Examples
    --------
    >>> store = Store(limit=20)
    >>> store.put(0, (np.arange(4, dtype=np.int32),))
    >>> store.put(4, (np.arange(5, dtype=np.int32),))
    >>> store.get(4)[0].tolist(), store.in_memory
    ([0, 1, 2, 3, 4], 16)
    """

    def __init__(self, limit: int | None = None) -> None:
        self.in_memory = 0
        self._limit = limit
        self._kept: dict[int, Arrays] = {}
        self._written: dict[int, list[tuple[int, np.dtype[Any], tuple[int, ...]]]] = {}
        self._file: Any = None
        self._lock = Lock()  # chunks are computed on several threads

    def put(self, start: int, arrays: Arrays) -> None:
        """Keep the arrays of a chunk that has none yet."""
        size = sum(array.nbytes for array in arrays)
        with self._lock:
            if self._limit is None or self.in_memory + size <= self._limit:
                self.in_memory += size
                self._kept[start] = arrays
            else:
                self._written[start] = [self._write(array) for array in arrays]

    def _write(self, array: NDArray[Any]) -> tuple[int, np.dtype[Any], tuple[int, ...]]:
        if self._file is None:
            self._file = TemporaryFile(prefix="hornbook-")  # noqa: SIM115 - open as long as the store
            finalize(self, self._file.close)
        # Only appended: a pass writes to a store of its own, which is dropped as a whole.
        place = self._file.seek(0, 2)
        self._file.write(array.tobytes())
        return place, array.dtype, array.shape

    def kept(self, start: int) -> Arrays | None:
        """The arrays of a chunk if they are in memory: not copies."""
        return self._kept.get(start)

    def get(self, start: int) -> Arrays | None:
        """The arrays of a chunk; None if it has none."""
        with self._lock:
            if start in self._written:
                return tuple(self._read(*where) for where in self._written[start])
            return self._kept.get(start)

    def _read(self, place: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        self._file.seek(place)
        # A bytearray, so that the array is writable as the one that was put in; bytes would be read-only.
        cells = bytearray(self._file.read(math.prod(shape) * dtype.itemsize))
        return np.frombuffer(cells, dtype).reshape(shape)

    def drop(self, start: int) -> None:
        """Lose the arrays of a chunk."""
        with self._lock:
            self._kept.pop(start, None)
            self._written.pop(start, None)

    def starts(self) -> list[int]:
        """The first rows of the chunks that have arrays, ascending."""
        return sorted([*self._kept, *self._written])


class Carry:
    """Arrays with one entry for each row that live from pass to pass, chunk by chunk where the rows are.

    `Blocks.carry` makes one, and `Blocks.reduce` passes the arrays of a chunk to its function and keeps what
    the function gives back. Arrays that are not there (before the first pass, or lost with the machine that
    had them) are made of the rows and ``state``, which the caller brings up to date after each pass.

    Parameters
    ----------
    make : callable
        ``make(block, *state)`` gives the arrays of a chunk: those that the passes so far would have left, or
        others with which all further results are the same.
    state : tuple
        What ``make`` needs beside the rows.
    limit : int, optional
        Bytes that may be in memory, the others are in a temporary file; no limit when left out.

    Attributes
    ----------
    double_buffered : bool
        Whether functions get, after the arrays, others of the same shapes to fill and give back.
    """

    def __init__(
        self, make: Callable[..., Arrays], state: tuple[Any, ...] = (), limit: int | None = None
    ) -> None:
        self.make = make
        self.state = state
        self.limit = limit
        self.double_buffered = False
        self.store = Store(limit)
        self._spare = Store(limit)

    def new_store(self) -> Store:
        """Where a pass puts the arrays that will take the place of those that are there."""
        return Store(self.limit)

    def replace(self, store: Store) -> None:
        """Keep what a finished pass has put into a store instead of what it has read."""
        self._spare, self.store = self.store, store

    def arrays(self, chunk: Block) -> Arrays:
        """The arrays of a chunk, made if they are not there."""
        arrays = self.store.get(chunk.start)
        return self.make(chunk, *self.state) if arrays is None else arrays

    def buffers(self, chunk: Block) -> tuple[Arrays, ...]:
        """The arrays of a chunk as a pass gets them, and with double buffering those that it fills."""
        arrays = self.arrays(chunk)
        if not self.double_buffered:
            return (arrays,)
        # Arrays of the pass before last are free. New ones of this size would come from the system in each
        # pass and go back to it, which takes longer than to fill them.
        free = self._spare.kept(chunk.start)
        if free is None or any(map(_differ, free, arrays)):
            free = tuple(map(np.empty_like, arrays))
        return arrays, free

    def gather(self) -> Arrays:
        """The arrays of all rows, in the order of the rows, as the last pass has left them."""
        parts = [self.store.get(start) for start in self.store.starts()]
        return tuple(map(np.concatenate, zip(*(part for part in parts if part is not None), strict=True)))


def _differ(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.shape != other.shape or one.dtype != other.dtype
