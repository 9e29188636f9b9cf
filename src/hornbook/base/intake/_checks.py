"""Checks on the cells of a table that every learner needs."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks, Frame, Schema, SparseRows

__all__ = ["all_finite", "check_cells", "check_kinds", "plain_rows", "refuse_infinite", "warn_of_text"]

ROWS_TO_JUDGE = 20  # with fewer rows, all-different text says nothing
FEW = 2**12  # cells that are looked at sooner than a kernel is called
FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)


def plain_rows(X: Any, schema: Schema) -> Frame | None:
    """New rows that are an array of floats like the one of the fit; None if there is more to look at."""
    if type(X) is not np.ndarray or X.ndim != 2 or not schema.plain or X.shape[1] != len(schema.columns):
        return None
    if X.dtype is FLOAT32 and X.size <= FEW:  # at once, instead of column by column
        X = X.astype(FLOAT64)
    if X.dtype is not FLOAT64 or not X.flags.aligned or not len(X):
        return None
    return Frame.from_columns(schema, X)


def all_finite(frame: Frame) -> bool:
    """Whether rows are few, and an array without a missing or infinite cell."""
    array = frame.array
    return array is not None and array.size <= FEW and bool(np.isfinite(array).all())


def check_cells(
    frame: Frame | SparseRows, learner: str, *, missing_allowed: bool, n_threads: int, start: int = 0
) -> bool:
    """Refuse infinite cells, and missing ones where the learner cannot use them; rows count from ``start``.

    Returns
    -------
    complete : bool
        Whether no cell is missing.
    """
    if isinstance(frame, SparseRows):
        gaps = _gaps_in_stored(frame)
    else:
        gaps = [*_gaps_in_numbers(frame, n_threads, start), *_gaps_in_codes(frame)]
    if gaps and not missing_allowed:
        raise ValueError(
            f"Input X contains NaN: column {frame.schema.names[min(gaps)]!r} has missing values and "
            f"{learner} cannot use them; fill them first, for example with hornbook.Encoder."
        )
    return not gaps


def check_kinds(features: Frame, allowed: Collection[str], learner: str) -> None:
    """Refuse columns of kinds that the learner does not take."""
    for column in features.schema.columns:
        if column.kind not in allowed:
            raise ValueError(
                f"column {column.name!r} is {column.kind}, but {learner} takes {' and '.join(allowed)} "
                "columns only: convert it or leave it out."
            )


def _gaps_in_numbers(frame: Frame, n_threads: int, start: int) -> list[int]:
    """Positions of numeric columns with missing cells."""
    if frame.array is not None:
        parts = [(frame.array, list(range(len(frame.schema))))]
    else:
        columns = {int(j): frame.column(int(j)) for j in frame.schema.numeric}
        parts = [(column[:, None], [j]) for j, column in columns.items() if _real(column)]
    gaps = []
    for part, places in parts:
        cells = np.asarray(part, dtype=np.float64)
        # Of few cells the counts take no longer than the answer that all are finite.
        if cells.size > FEW and _native.all_finite(cells, n_threads):
            continue
        missing, _, _, infinite = _native.scan(cells, n_threads)
        if infinite >= 0:
            row, j = divmod(int(infinite), len(places))
            _refuse_infinite(frame.schema.names[places[j]], start + row)
        gaps += [j for j, count in zip(places, missing.tolist(), strict=True) if count]
    return gaps


def _gaps_in_stored(rows: SparseRows) -> list[int]:
    infinite = np.isinf(rows.values)
    if infinite.any():
        place = int(infinite.argmax())
        row = int(np.searchsorted(rows.offsets, place, side="right")) - 1
        _refuse_infinite(rows.schema.names[rows.columns[place]], row)
    return [int(j) for j in np.unique(rows.columns[np.isnan(rows.values)])]


def _gaps_in_codes(frame: Frame) -> list[int]:
    return [int(j) for j in frame.schema.coded if (frame.column(int(j)) < 0).any()]


def refuse_infinite(blocks: Blocks, names: NDArray[Any]) -> bool:
    """Refuse infinite cells of the rows that a fit hook gets.

    Parameters
    ----------
    blocks : Blocks
        Rows as matrices.
    names : ndarray of shape (n_encoded,)
        Their columns.

    Returns
    -------
    complete : bool
        Whether no cell is missing.
    """
    return not blocks.reduce(_missing_count, names)


def _missing_count(block: Block, names: NDArray[Any]) -> int:
    if _native.all_finite(block.X, 1):
        return 0
    missing, _, _, infinite = _native.scan(block.X, 1)
    if infinite >= 0:
        row, j = divmod(int(infinite), len(names))
        _refuse_infinite(str(names[j]), block.start + row)
    return int(missing.sum())


def _real(column: NDArray[Any]) -> bool:
    return column.dtype.kind == "f"  # whole numbers are never missing or infinite


def _refuse_infinite(name: str, row: int) -> None:
    raise ValueError(
        f"Input X contains infinity or a value too large for dtype('float64'): column {name!r}, row {row}; "
        "correct the cell, or make it missing (NaN)."
    )


def warn_of_text(frame: Frame) -> None:
    """Warn of text columns in which every row differs: nothing can be learned from them."""
    if len(frame) < ROWS_TO_JUDGE:
        return
    for column in frame.schema.columns:
        if column.kind == "nominal" and column.source == "text" and len(column.levels) == len(frame):
            warnings.warn(
                f"column {column.name!r} has a different text in each of the {len(frame)} rows: "
                "it looks like free text or an ID, from which nothing can be learned; leave it out.",
                UserWarning,
                stacklevel=6,
            )
