"""Checks on the cells of a table that every learner needs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame

__all__ = ["check_cells", "warn_of_text"]

ROWS_TO_JUDGE = 20  # with fewer rows, all-different text says nothing


def check_cells(frame: Frame, learner: str, *, missing_allowed: bool, n_threads: int) -> None:
    """Refuse infinite cells, and missing ones where the learner cannot use them."""
    schema = frame.schema
    if len(schema.numeric) == len(schema.columns) and isinstance(frame.array, np.ndarray):
        found = [(frame.array, list(range(len(schema.columns))))]
    else:
        found = [(column[:, None], [int(j)]) for j in schema.numeric if _real(column := frame.column(int(j)))]
    for cells, places in found:
        missing, _, _, infinite = _native.scan(np.asarray(cells, dtype=np.float64), n_threads)
        if infinite >= 0:
            row, j = divmod(int(infinite), len(places))
            _refuse_infinite(schema.columns[places[j]].name, row)
        if not missing_allowed and missing.any():
            _refuse_missing(schema.columns[places[int(np.flatnonzero(missing)[0])]].name, learner)
    if not missing_allowed:
        for j in schema.coded:
            if (frame.column(int(j)) < 0).any():
                _refuse_missing(schema.columns[int(j)].name, learner)


def _real(column: NDArray[Any]) -> bool:
    return column.dtype.kind == "f"  # whole numbers are never missing or infinite


def _refuse_infinite(name: str, row: int) -> None:
    raise ValueError(
        f"Input X contains infinity or a value too large for dtype('float64'): column {name!r}, row {row}; "
        "correct the cell, or make it missing (NaN)."
    )


def _refuse_missing(name: str, learner: str) -> None:
    raise ValueError(
        f"Input X contains NaN: column {name!r} has missing values and {learner} cannot use them; "
        "fill them first, for example with hornbook.Encoder."
    )


def warn_of_text(frame: Frame) -> None:
    """Warn of text columns in which every row differs: nothing can be learnt from them."""
    if len(frame) < ROWS_TO_JUDGE:
        return
    for column in frame.schema.columns:
        if column.kind == "nominal" and column.source == "text" and len(column.levels) == len(frame):
            warnings.warn(
                f"column {column.name!r} has a different text in each of the {len(frame)} rows: "
                "it looks like free text or an ID and teaches nothing; leave it out.",
                UserWarning,
                stacklevel=6,
            )
