"""The medoids as a fitted model keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering.medoids._all_distances import Indices
from hornbook.distances import CalledSpace, Placed, Space
from hornbook.frame import Frame, Schema
from hornbook.params import Floats, Shape

__all__ = ["Prototypes", "cells_of", "ordered"]


@dataclass(frozen=True)
class Prototypes:
    """Medoids in the space of the distance, and their cells as they were.

    Parameters
    ----------
    space : Space, CalledSpace or None
        How far apart two rows are; None with a matrix of distances.
    rows : Placed
        The medoids in that space.
    cells : ndarray of shape (n_rows, n_columns)
        Numbers, and codes of categories; NaN where missing. No columns with a matrix of distances.
    """

    space: Space | CalledSpace | None
    rows: Placed
    cells: Annotated[Floats, Shape("n_rows", "n_cells")]

    @classmethod
    def of(
        cls, space: Space | CalledSpace | None, rows: Placed | None, data: Frame, medoids: Indices
    ) -> Prototypes:
        """The medoids among the rows."""
        k = len(medoids)
        if space is None or rows is None:
            return cls(None, Placed(np.empty((k, 0)), np.empty((k, 0), dtype=np.int32)), np.empty((k, 0)))
        return cls(space, rows[medoids], cells_of(data[medoids]))

    def verify(self, schema: Schema) -> None:
        """Reject cells that are no levels of their columns, as in a damaged model file."""
        if self.space is None:
            return
        if self.cells.shape[1] != len(schema):
            raise ValueError("the cells of the medoids are not those of the columns")
        for column, cells in zip(schema.columns, self.cells.T, strict=True):
            known = cells[~np.isnan(cells)]
            if column.kind != "numeric" and ((known < 0) | (known >= len(column.levels))).any():
                raise ValueError("the levels of the medoids are not those of the columns")

    def decoded(self, schema: Schema) -> NDArray[Any]:
        """Cells with the names of categories; numbers where all columns are."""
        if all(kind == "numeric" for kind in schema.kinds):
            return self.cells
        table = np.empty(self.cells.shape, dtype=object)
        for j, column in enumerate(schema.columns):
            cells = self.cells[:, j].tolist()
            if column.kind == "numeric":
                table[:, j] = cells
            else:
                table[:, j] = [None if np.isnan(code) else column.levels[int(code)] for code in cells]
        return table


def cells_of(rows: Frame) -> Floats:
    """Numbers, and codes of categories; NaN where missing."""
    if rows.array is not None and len(rows.schema.numeric) == len(rows.schema):
        return rows.array.astype(np.float64)  # always a copy
    return np.stack([_numbers(rows, j) for j in range(len(rows.schema))], axis=1)


def _numbers(rows: Frame, j: int) -> Floats:
    cells = rows.column(j)
    if rows.schema.columns[j].kind == "numeric":
        return cells.astype(np.float64)
    return np.where(cells < 0, np.nan, cells)


def ordered(cells: Floats, medoids: Indices) -> Indices:
    """Medoids in the order of their cells, which does not depend on the order of the rows."""
    # lexsort sorts by its last key first: reversed columns make column 0 the primary key.
    order = np.lexsort((medoids, *cells.T[::-1]))
    return np.asarray(medoids[order], dtype=np.int64)
