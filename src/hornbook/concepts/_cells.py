"""Cells as integers that are equal exactly when the cells are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Column, Frame

__all__ = ["MISSING", "cells_of", "value_of"]

Cells = NDArray[np.int64]

MISSING = np.iinfo(np.int64).min  # the bits of no number but -0, which is written as 0


def cells_of(frame: Frame) -> Cells:
    """Return one integer for each cell: the code of a level, or the bits of a number."""
    kinds = enumerate(frame.schema.kinds)
    columns = [
        _numbers(frame.column(j)) if kind == "numeric" else _codes(frame.column(j)) for j, kind in kinds
    ]
    return np.ascontiguousarray(np.stack(columns, axis=1))


def _codes(cells: NDArray[Any]) -> Cells:
    return np.where(cells < 0, MISSING, cells.astype(np.int64))


def _numbers(cells: NDArray[Any]) -> Cells:
    numbers = cells.astype(np.float64) + 0.0  # turns -0 into 0, and so frees its bits for MISSING
    return np.where(np.isnan(numbers), MISSING, numbers.view(np.int64))


def value_of(cell: int, column: Column) -> Any:
    """Return the original value of a cell."""
    if column.kind != "numeric":
        return column.levels[cell]
    return float(np.int64(cell).view(np.float64))
