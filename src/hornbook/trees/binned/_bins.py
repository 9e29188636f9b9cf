"""Bins of numeric columns, and tables coded by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame, Schema
from hornbook.params import Floats
from hornbook.random import Stream, mixed_bits

__all__ = [
    "SAMPLE",
    "Bins",
    "CodedChunk",
    "code_frame",
    "columns_with_gaps",
    "lacks",
    "row_hashes",
    "smallest",
]

# As in LightGBM and scikit-learn: the rank of an empirical quantile is then off by about 0.001.
SAMPLE = 200_000  # most rows that bins are computed from
Hashes = NDArray[np.uint64]


def lacks(rows: Frame, j: int) -> NDArray[np.bool_]:
    """Which rows lack a value in a column."""
    cells = rows.column(j)
    return np.asarray(np.isnan(cells) if rows.schema.columns[j].kind == "numeric" else cells < 0)


def columns_with_gaps(rows: Frame) -> NDArray[np.bool_]:
    """Which columns lack a value in some row."""
    # One call instead of one for each column: most tables are numbers without gaps.
    if rows.array is not None and _native.all_finite(rows.array, 1):
        return np.zeros(len(rows.schema), dtype=np.bool_)
    return np.array([lacks(rows, j).any() for j in range(len(rows.schema))], dtype=np.bool_)


def row_hashes(rows: NDArray[np.intp], seed: int) -> Hashes:
    """Hashes of the seed and the global row numbers: the sample does not depend on how rows are chunked."""
    # A bottom-k sample (Cohen and Kaplan 2007): the k smallest hashes are a simple random sample, and those
    # of a union are among those of its parts, so that chunks can be merged in any order.
    return mixed_bits(rows.astype(np.uint64) ^ Stream(seed).bits(1)[0])


def smallest(hashes: Hashes, rows: NDArray[np.intp]) -> tuple[Hashes, NDArray[np.intp]]:
    """The `SAMPLE` rows with the smallest hashes, in the order of the table."""
    if len(rows) <= SAMPLE:
        return hashes, rows
    # In the order of the table, so that reading them from a file is one pass.
    chosen = np.sort(np.argpartition(hashes, SAMPLE)[:SAMPLE])
    return hashes[chosen], rows[chosen]


@dataclass(frozen=True)
class CodedChunk:
    """Codes of some rows, and the values they stand for.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_rows, n_columns * width)
        The bytes of the codes, row by row.
    width : int
        Bytes per code.
    ranges : tuple
        Smallest and largest value of each code, column by column; which columns lack values.
    """

    codes: NDArray[np.uint8]
    width: int
    ranges: tuple[list[Floats], list[Floats], NDArray[np.bool_]]


@dataclass(frozen=True)
class Bins:
    """Bin edges of the columns of a table.

    Parameters
    ----------
    levels : ndarray of int32
        Number of levels of each column; -1 for numbers.
    nominal : ndarray of bool
        Which columns have levels without an order.
    sizes : ndarray of int32
        Number of codes of each column.
    cuts : list of ndarray
        Edges between the codes of each column, ascending; none for categories.
    """

    levels: NDArray[np.int32]
    nominal: NDArray[np.bool_]
    sizes: NDArray[np.int32]
    cuts: list[Floats]

    @staticmethod
    def of(sample: Frame, w: Floats | None, max_bins: int, n_threads: int) -> Bins:
        """Bins computed from a sample of rows."""
        levels, nominal = _level_counts(sample.schema)
        table = _native.code_table(_columns(sample), levels, nominal, w, max_bins, n_threads)
        numeric = levels < 0
        sizes = np.array([table.bins(j) for j in range(len(levels))], dtype=np.int32)
        cuts = [_cuts(table.low(j), table.high(j)) if numeric[j] else np.zeros(0) for j in range(len(levels))]
        return Bins(levels, nominal, sizes, cuts)

    def code(self, frame: Frame, w: Floats | None, n_threads: int) -> CodedChunk:
        """The codes of rows; rows of weight 0 are coded as missing in every column."""
        return CodedChunk(
            *_native.code_rows(
                _columns(frame), self.levels, self.nominal, self.sizes, self.cuts, w, n_threads
            )
        )

    def columns(self, ranges: tuple[list[Floats], list[Floats], NDArray[np.bool_]]) -> _native.CodedColumns:
        """What the codes stand for, once the values of all rows are known."""
        low, high, missing = ranges
        for j in np.flatnonzero((self.levels >= 0) & ~self.nominal):  # an ordered level stands for itself
            low[j] = high[j] = np.arange(self.levels[j], dtype=np.float64)
        return _native.coded_columns(self.sizes, self.nominal, missing, low, high)


def _level_counts(schema: Schema) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Number of levels of each column, -1 for numbers, and which columns are nominal."""
    levels = [-1 if column.kind == "numeric" else len(column.levels) for column in schema.columns]
    nominal = [column.kind == "nominal" for column in schema.columns]
    return np.array(levels, dtype=np.int32), np.array(nominal)


def _columns(frame: Frame) -> list[NDArray[Any]]:
    return [frame.column(j) for j in range(len(frame.schema))]


def _cuts(low: Floats, high: Floats) -> Floats:
    """Midpoints between codes; the largest value of the lower one where no float lies between."""
    below, above = high[:-1], low[1:]
    # Halves are added, because the sum of two large numbers may overflow.
    middle = 0.5 * below + 0.5 * above
    return np.where((middle >= below) & (middle < above), middle, below)


def code_frame(
    frame: Frame, w: Floats | None, max_bins: int | None, seed: int, n_threads: int
) -> _native.CodedTable:
    """Columns as rank codes: one for each value, or bins of a sample of the rows of positive weight."""
    rows = np.arange(len(frame)) if w is None else np.flatnonzero(w > 0)
    if max_bins is None or len(rows) <= SAMPLE:  # the sample would be all of them
        levels, nominal = _level_counts(frame.schema)
        return _native.code_table(_columns(frame), levels, nominal, w, max_bins or 0, n_threads)
    rows = smallest(row_hashes(rows, seed), rows)[1]
    bins = Bins.of(frame[rows], None if w is None else w[rows], max_bins, n_threads)
    coded = bins.code(frame, w, n_threads)
    return _native.table_of_codes(coded.codes, coded.width, bins.columns(coded.ranges), n_threads)
