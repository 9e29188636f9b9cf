"""A table as codes of one or two bytes per cell, computed once and kept where the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks, stacked
from hornbook.params import Floats
from hornbook.trees.binned._bins import SAMPLE, Bins, Hashes, columns_with_gaps, row_hashes, smallest
from hornbook.trees.binned._row_weights import row_weights

__all__ = ["CodedBlocks", "code_blocks"]

MEMORY_BYTES = 2**28  # of rows that may be in memory at a time
CHUNKS_PER_CALL = 16  # coded at once, and kept in one piece
Ranges = tuple[list[Floats], list[Floats], NDArray[np.bool_], NDArray[np.bool_]]


@dataclass(frozen=True)
class CodedBlocks:
    """Rows of codes.

    Parameters
    ----------
    rows : Blocks
        With the bytes of the codes as features, row by row, and with target and weights.
    sizes : ndarray of int32
        Number of codes of each column.
    width : int
        Bytes per code.
    columns : CodedColumns
        What the codes stand for.
    gaps : ndarray of bool
        Columns in which some row lacks a value.
    """

    rows: Blocks
    sizes: NDArray[np.int32]
    width: int
    columns: _native.CodedColumns
    gaps: NDArray[np.bool_]

    def gather(self) -> Block:
        """All rows in memory."""
        return stacked(self.rows.reduce(_listed))

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in memory: its codes, target, weight and node."""
        return len(self.sizes) * self.width + 24

    @property
    def fits_in_memory(self) -> bool:
        """Whether all rows may be in memory at a time; those of other processes stay there."""
        return not self.rows.elsewhere and self.rows.n_rows * self.row_bytes <= MEMORY_BYTES


def code_blocks(blocks: Blocks, factor: Floats | None, max_bins: int, seed: int) -> CodedBlocks:
    """Code all rows by bins of a sample: a pass over row numbers, one to read the sample, one to code.

    Parameters
    ----------
    blocks : Blocks
        Frames with target and weights.
    factor : ndarray, optional
        Weights of the classes in the quantiles of the bins.
    max_bins : int
        Most bins of a numeric column.
    seed : int
        Seed of the sample.
    """
    sample = blocks.take(_sample_rows(blocks, factor, seed))
    bins = Bins.of(sample.X, row_weights(sample, factor), max_bins, blocks.threads)
    # Codes stay where the rows are; a lost chunk is coded again by the same bins.
    carry = blocks.carry(partial(_coded, bins=bins, factor=factor))
    low, high, missing, gaps = blocks.reduce(
        _code, bins, factor, carry=carry, merge=_merge_ranges, together=CHUNKS_PER_CALL
    )
    width = np.min_scalar_type(int(bins.sizes.max())).itemsize  # code `size` is a missing value
    return CodedBlocks(blocks.kept(carry), bins.sizes, width, bins.columns((low, high, missing)), gaps)


def _listed(block: Block) -> list[Block]:
    return [block]


def _sample_rows(blocks: Blocks, factor: Floats | None, seed: int) -> NDArray[np.intp]:
    """The numbers of the sampled rows."""
    # Hashes are uniform, so that nearly all rows can be left out at once, and few are merged. Only where
    # weights of 0, or a chance of 1 in 10^15, leave too few below the limit, all are looked at.
    share = (SAMPLE + 8 * np.sqrt(SAMPLE)) / blocks.n_rows
    if share < 1:
        limit = np.uint64(share * 2.0**64)
        rows = blocks.reduce(_sampled, factor, seed, limit, merge=_merge_sampled)[1]
        if len(rows) == SAMPLE:
            return rows
    return blocks.reduce(_sampled, factor, seed, None, merge=_merge_sampled)[1]


def _sampled(
    block: Block, factor: Floats | None, seed: int, limit: np.uint64 | None
) -> tuple[Hashes, NDArray[np.intp]]:
    w = row_weights(block, factor)
    rows = block.start + (np.arange(len(block)) if w is None else np.flatnonzero(w > 0))
    hashes = row_hashes(rows, seed)
    if limit is not None:
        low = np.flatnonzero(hashes < limit)
        hashes, rows = hashes[low], rows[low]
    return smallest(hashes, rows)


def _merge_sampled(
    one: tuple[Hashes, NDArray[np.intp]], other: tuple[Hashes, NDArray[np.intp]]
) -> tuple[Hashes, NDArray[np.intp]]:
    # The smallest of the smallest are the smallest of all, whatever the order of the merges.
    return smallest(np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]]))


def _coded(block: Block, bins: Bins, factor: Floats | None) -> tuple[NDArray[np.generic], ...]:
    """Codes, target and weights of rows, as they are kept."""
    return _code(block, (), bins, factor)[1]


def _code(
    block: Block, _: tuple[NDArray[np.generic], ...], bins: Bins, factor: Floats | None
) -> tuple[Ranges, tuple[NDArray[np.generic], ...]]:
    assert block.y is not None
    w = row_weights(block, factor)
    chunk = bins.code(block.X, w, 1)
    # The factor of the class is not kept: it may differ from tree to tree, as with class weights of bootstrap
    # samples.
    kept = (chunk.codes, block.y) if block.w is None else (chunk.codes, block.y, block.w)
    # Of rows of weight 0, the codes do not show what they lack.
    gaps = chunk.ranges[2] if w is None else columns_with_gaps(block.X)
    return (*chunk.ranges, gaps), kept


def _merge_ranges(one: Ranges, other: Ranges) -> Ranges:
    low = [np.minimum(*pair) for pair in zip(one[0], other[0], strict=True)]
    high = [np.maximum(*pair) for pair in zip(one[1], other[1], strict=True)]
    return low, high, one[2] | other[2], one[3] | other[3]
