"""Sparse rows of numbers, of which only the nonzero ones are stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.frame._sparse_check import MOST_COLUMNS, check_offsets, checked_sparse
from hornbook.params import Floats

__all__ = ["SparseRows"]


@dataclass(frozen=True)
class SparseRows:
    """A sparse matrix as plain arrays, row by row: which columns are not 0, and what they hold.

    Parameters
    ----------
    values : ndarray
        The stored numbers.
    columns : ndarray of int32
        The column of each, ascending within a row.
    offsets : ndarray of int64 of shape (n_rows + 1,)
        Row i has those at offsets[i] up to offsets[i + 1].
    n_columns : int
        How many columns there are.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> rows = SparseRows.of(coo_array([[0.0, 2.0], [0.0, 0.0], [3.0, 4.0]]))
    >>> rows.values.tolist(), rows.columns.tolist(), rows.offsets.tolist()
    ([2.0, 3.0, 4.0], [1, 0, 1], [0, 1, 1, 3])
    >>> rows[1:].dense().tolist()
    [[0.0, 0.0], [3.0, 4.0]]
    """

    values: Floats
    columns: NDArray[np.int32]
    offsets: NDArray[np.int64]
    n_columns: int

    def sizes_by_name(self) -> dict[str, int]:
        """Sizes that other parts of a model must agree with."""
        return {"n_rows": len(self), "n_numbers": self.n_columns}

    def __post_init__(self) -> None:
        # SciPy does not check these indices, and a model file may contain anything.
        if not 0 <= self.n_columns <= MOST_COLUMNS:
            raise ValueError(f"Sparse rows have at most {MOST_COLUMNS} columns; got {self.n_columns}.")
        n_stored = len(self.values)
        if self.values.ndim != 1 or self.columns.shape != self.values.shape or not len(self.offsets):
            raise ValueError("Sparse rows need as many columns as values, and an offset to begin with.")
        wrong = check_offsets(self.offsets, len(self.offsets), n_stored)
        if wrong or self.offsets[-1] != n_stored:
            raise ValueError(f"Sparse rows are damaged: {wrong or 'values are left over'}.")
        if n_stored and not 0 <= self.columns.min() <= self.columns.max() < self.n_columns:
            raise ValueError(f"Sparse rows hold a column that is not from 0 to {self.n_columns - 1}.")

    @classmethod
    def of(cls, X: Any) -> SparseRows:
        """Return the rows of a SciPy sparse matrix or of a dense array; nothing is shared with it."""
        rows = csr_array(checked_sparse(X) if issparse(X) else X, dtype=np.float64, copy=True)
        # Kernels rely on ascending columns without repetition; this sorts the indices as well.
        rows.sum_duplicates()
        # A zero that is stored would be counted as a value where zeros are counted by what is not stored.
        rows.eliminate_zeros()
        return cls(rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int64), rows.shape[1])

    @property
    def matrix(self) -> Any:
        """The rows as a SciPy array that shares their memory."""
        return csr_array(
            (self.values, self.columns, self.offsets), shape=(len(self.offsets) - 1, self.n_columns)
        )

    @property
    def schema(self) -> Schema:
        """What the columns are: numbers without names."""
        return Frame(np.empty((0, self.n_columns))).schema

    @property
    def complete(self) -> bool:
        """Whether no cell is missing."""
        return not np.isnan(self.values).any()

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, rows: Any) -> SparseRows:
        return SparseRows.of(self.matrix[rows])

    def select(self, columns: NDArray[np.intp], scale: Floats) -> SparseRows:
        """Return some of the columns, in this order, each times a number."""
        return SparseRows.of(self.matrix[:, columns] * scale)

    def dense(self) -> Floats:
        """Return the rows as an array."""
        return np.asarray(self.matrix.toarray())
