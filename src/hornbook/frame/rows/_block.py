"""Some rows of a table, and all rows cut into chunks of fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._frame import Frame

__all__ = ["CHUNK", "Block", "blocks_of", "chunks_of", "stacked", "taken"]

# Results depend on it: where chunks begin decides about the rounding of every sum over rows.
CHUNK = 4096  # rows in one unit of work, counted from the first row of all blocks


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

    # Blocks are made anew many times in a fit, and `dataclasses.replace` takes four times as long.
    def with_features(self, X: Any) -> Block:
        """The same rows with other features."""
        return Block(X, self.y, self.w, self.start)

    def with_target(self, y: NDArray[Any]) -> Block:
        """The same rows with another target."""
        return Block(self.X, y, self.w, self.start)

    def unweighted(self) -> Block:
        """The same rows, of which every one counts once."""
        return Block(self.X, self.y, None, self.start)

    def rows(self, start: int, stop: int, number: int = 0) -> Block:
        """Rows start to stop, without a copy; the first of them gets this number among all rows."""
        return self.at(slice(start, stop), number)

    def at(self, places: slice | NDArray[Any], number: int = 0) -> Block:
        """Rows at some places: a slice, integers or booleans."""
        y = None if self.y is None else self.y[places]
        w = None if self.w is None else self.w[places]
        return Block(_rows_at(self.X, places), y, w, number)


def _rows_at(X: Any, places: slice | NDArray[Any]) -> Any:
    """The same as ``X[places]``; for integers and a matrix, in half the time."""
    if isinstance(X, np.ndarray) and isinstance(places, np.ndarray) and places.dtype.kind == "i":
        return X.take(places, axis=0)
    return X[places]


def blocks_of(frames: Iterable[Frame]) -> Iterator[Block]:
    """Features, target and weights of tables, one below the other."""
    start = 0
    for frame in frames:
        yield Block(frame.features, frame.y, frame.w, start)
        start += len(frame)


def chunks_of(blocks: Iterable[Block], size: int = CHUNK) -> Iterator[Block]:
    """Chunks of so many rows counted over all blocks, each with its start; the last may be shorter."""
    # Boundaries are multiples of the size among all rows, however blocks divide these; otherwise a file read
    # in batches would give other last bits than the same table in memory.
    waiting: list[Block] = []  # rows that do not fill a chunk yet
    below = 0  # the number of the first row of the block
    for block in blocks:
        start = 0
        if waiting:
            start = min(size - sum(map(len, waiting)), len(block))
            waiting.append(block.rows(0, start))
        if waiting and sum(map(len, waiting)) == size:
            yield stacked(waiting)
            waiting = []
        while start + size <= len(block):
            yield block.rows(start, start + size, below + start)
            start += size
        if start < len(block):
            waiting.append(block.rows(start, len(block), below + start))
        below += len(block)
    if waiting:
        yield stacked(waiting)


def stacked(pieces: list[Block]) -> Block:
    """The rows of several blocks, one below the other; they start where the first does.

    Parameters
    ----------
    pieces : list of Block
        At least one; all or none have a target, and weights.

    Examples
    --------
    >>> stacked([Block(np.zeros((2, 3))), Block(np.ones((1, 3)))]).X.sum(axis=1).tolist()
    [0.0, 0.0, 3.0]
    """
    if len(pieces) == 1:
        return pieces[0]
    if isinstance(pieces[0].X, Frame):
        X: Any = Frame.concat([piece.X for piece in pieces])
    else:
        X = np.concatenate([piece.X for piece in pieces])
    ys = [piece.y for piece in pieces if piece.y is not None]
    ws = [piece.w for piece in pieces if piece.w is not None]
    y, w = np.concatenate(ys) if ys else None, np.concatenate(ws) if ws else None
    return Block(X, y, w, pieces[0].start)


def taken(blocks: Iterable[Block], rows: NDArray[np.intp]) -> Block:
    """Rows by their numbers among all rows, in the order given; reads no further than the last of them."""
    # Ascending, because a file is read from its start to its end; the order asked for is restored below.
    order = rows.argsort(kind="stable")
    ascending, pieces, start, done = rows[order], [], 0, 0
    for block in blocks:
        stop = int(ascending.searchsorted(start + len(block)))
        if stop > done:
            pieces.append(block.at(ascending[done:stop] - start))
        start, done = start + len(block), stop
        if done == len(rows):
            break
    # Negative numbers are refused, too: streamed rows cannot be counted from the end.
    if done < len(rows) or not pieces or ascending[0] < 0:
        raise IndexError(f"there are {start} rows, counted from 0; asked for {rows.tolist()}.")
    joined = stacked(pieces)
    return joined if (order[1:] > order[:-1]).all() else joined.at(order.argsort())
