"""Sparse matrices, taken a chunk of rows at a time: no more than that is ever dense."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix, issparse, sparray

from hornbook.frame import (
    CHUNK,
    Block,
    Blocks,
    Frame,
    KeptTeam,
    SparseRows,
    Streamed,
    checked_sparse,
    require_memory,
    require_rows_and_columns,
)

__all__ = ["by_chunks", "dense_table", "sparse_blocks", "sparse_container"]

CELLS = 2**24  # made dense at a time when rows are asked about


def sparse_container(X: Any) -> Any:
    """The type in which estimators get a sparse matrix, by rows or by columns; None for other tables."""
    if not issparse(X):
        return None
    if getattr(X, "format", "") in ("csr", "csc"):  # of every sparse type, though its stub has none
        return type(X)
    return csr_array if isinstance(X, sparray) else csr_matrix


def sparse_blocks(
    X: Any, y: NDArray[Any] | None, w: NDArray[np.float64] | None, n_threads: int, *, whole: bool = False
) -> Blocks:
    """Rows of a sparse matrix with their target and weights; a cell that is not stored is 0.

    They come as dense chunks, or all at once and still sparse, for learners that keep the whole table.
    """
    rows = _rows(X)
    if not whole:
        n_dense = min(rows.shape[0], CHUNK * n_threads)
        require_memory(n_dense, rows.shape[1], "leave out columns that are nearly always 0")
    schema = Frame(rows[:1].toarray()).schema
    if 0 in X.shape:
        require_rows_and_columns(Frame(X.toarray()))
    if whole:
        return Blocks.of(Block(SparseRows.of(rows), y, w), schema, n_threads)

    def blocks() -> Iterator[Block]:
        for start in range(0, rows.shape[0], CHUNK):
            part = slice(start, start + CHUNK)
            dense = Frame(rows[part].toarray())
            yield Block(dense, None if y is None else y[part], None if w is None else w[part], start)

    return Blocks.over(Streamed(blocks, rows.shape[0], CHUNK * n_threads, KeptTeam(n_threads)), schema)


def dense_table(X: Any) -> Frame:
    """All rows of a sparse matrix as a dense table, if memory allows; a cell that is not stored is 0."""
    rows = _rows(X)
    require_memory(
        rows.shape[0], rows.shape[1], "learn from fewer rows, or leave out columns that are nearly always 0"
    )
    return Frame(rows.toarray())


def by_chunks(method: Callable[[Any], NDArray[Any]], X: Any) -> NDArray[Any]:
    """Return what a method says about the rows of a sparse matrix."""
    rows = _rows(X)
    step = max(1, min(CHUNK, CELLS // max(rows.shape[1], 1)))
    starts = range(0, max(rows.shape[0], 1), step)
    return np.concatenate([method(rows[start : start + step].toarray()) for start in starts])


def _rows(X: Any) -> Any:
    """The matrix by rows, with numbers that a table knows what to do with."""
    rows = checked_sparse(X)
    return rows.astype(np.float64) if rows.dtype.kind in "biuf" else rows
