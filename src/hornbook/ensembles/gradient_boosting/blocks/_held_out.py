"""Rows that boosting holds out of blocks, chosen by hash, and watches from round to round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles.forests._fitted_forest import ForestCells
from hornbook.ensembles.gradient_boosting._boosted_trees import BoostedTrees
from hornbook.ensembles.gradient_boosting._progress import loss_sums, mean_of
from hornbook.ensembles.gradient_boosting._start import spread_base
from hornbook.ensembles.gradient_boosting._tree_rounds import TreesOfRounds
from hornbook.ensembles.gradient_boosting._validation import (
    HeldRows,
    hashes_of,
    held_count,
    refuse_none_held,
    share_of,
)
from hornbook.frame import Block, Blocks, Schema
from hornbook.losses import Loss
from hornbook.params import Floats

__all__ = ["HeldBlocks", "choose_held", "split_blocks"]

_MOST_COUNTS = 2**16  # that a chunk returns in the first pass
Hashes = NDArray[np.uint64]
Added = tuple[int, BoostedTrees]  # score, tree


def choose_held(targets: Blocks, share: float, seed: int, *, n_classes: int, learner: str) -> HeldRows:
    """Which rows are held out, from their targets and weights: those that `split_rows` takes in memory."""
    n_groups = max(1, n_classes)
    # As many leading bits as keep (classes x buckets) counts of a chunk small.
    bits = max(0, (_MOST_COUNTS // n_groups).bit_length() - 1)
    counts = targets.reduce(_counts, seed, n_classes, bits)
    sizes = counts.sum(axis=1)
    share = share_of(share, int(sizes.sum()), learner)
    wanted = np.array([held_count(share, int(size)) for size in sizes])
    # The largest hash that is held out lies in the first bucket up to which there are enough.
    buckets = (counts.cumsum(axis=1) < wanted[:, None]).sum(axis=1)
    inside = targets.reduce(_hashes_in, seed, n_classes, bits, buckets, merge=_join_hashes)
    limits = np.zeros(n_groups, dtype=np.uint64)
    for group in np.flatnonzero(wanted).tolist():
        before = int(counts[group, : buckets[group]].sum())
        # A selection in two passes: buckets first, then only the hashes of one bucket are brought
        # together.
        limits[group] = np.sort(inside[group])[wanted[group] - before - 1]
    if not wanted.any():
        refuse_none_held(targets.n_rows, learner)
    return HeldRows(seed, wanted > 0, limits)


def split_blocks(blocks: Blocks, rows: HeldRows) -> tuple[Blocks, Blocks]:
    """Training rows and held-out ones."""
    return blocks.where(partial(_is_training, rows=rows)), blocks.where(partial(_is_held, rows=rows))


def _groups(block: Block, n_classes: int) -> NDArray[np.intp]:
    """The class of each row; 0 for numbers, -1 for rows of weight 0."""
    assert block.y is not None
    groups = block.y.astype(np.intp) if n_classes else np.zeros(len(block), dtype=np.intp)
    return groups if block.w is None else np.where(block.w > 0, groups, -1)


def _bucketed(block: Block, seed: int, bits: int) -> tuple[Hashes, NDArray[np.intp]]:
    """Hashes of the rows, and their first bits."""
    hashes = hashes_of(block.start + np.arange(len(block)), seed)
    first = hashes >> np.uint64(64 - bits) if bits else np.zeros(len(block), dtype=np.uint64)
    return hashes, first.astype(np.intp)


def _counts(block: Block, seed: int, n_classes: int, bits: int) -> NDArray[np.intp]:
    groups, (_, buckets) = _groups(block, n_classes), _bucketed(block, seed, bits)
    known, shape = groups >= 0, (max(1, n_classes), 2**bits)
    places = groups[known] * 2**bits + buckets[known]
    return np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)


def _hashes_in(block: Block, seed: int, n_classes: int, bits: int, chosen: NDArray[np.intp]) -> list[Hashes]:
    """Hashes of the rows of each class in its bucket."""
    groups, (hashes, buckets) = _groups(block, n_classes), _bucketed(block, seed, bits)
    return [hashes[(groups == group) & (buckets == bucket)] for group, bucket in enumerate(chosen.tolist())]


def _join_hashes(one: list[Hashes], other: list[Hashes]) -> list[Hashes]:
    return [np.concatenate(pair) for pair in zip(one, other, strict=True)]


def _is_held(block: Block, rows: HeldRows) -> NDArray[np.bool_]:
    assert block.y is not None
    return rows.among(block.start + np.arange(len(block)), block.y, block.w)


def _is_training(block: Block, rows: HeldRows) -> NDArray[np.bool_]:
    return ~_is_held(block, rows)


@dataclass(frozen=True)
class _Cells:
    """Where the cells of trees are among those that are kept: first numbers, then codes."""

    n_numbers: int
    place: NDArray[np.int32]

    def of(self, block: Block) -> ForestCells:
        codes = block.X[:, self.n_numbers :].astype(np.int32)
        return ForestCells(np.ascontiguousarray(block.X[:, : self.n_numbers]), codes, self.place)


class HeldBlocks:
    """Held-out rows that are not in memory; their cells are kept as numbers, and read again in each round.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    schema : Schema
        Their columns.
    base : ndarray of shape (n_scores,)
        Where the scores start.
    """

    def __init__(self, blocks: Blocks, schema: Schema, base: Floats) -> None:
        carry = blocks.carry(_kept_cells)
        blocks.reduce(_keep_cells, carry=carry)
        self._rows = blocks.kept(carry)
        self._cells = _Cells(sum(column.kind == "numeric" for column in schema.columns), schema.places)
        self._base, self._done, self._newest = base, [], []
        self._scores = self._rows.carry(_scores_of, base, self._cells, [])

    _done: list[Added]
    _newest: list[Added]

    def add(self, member: TreesOfRounds, k: int) -> None:
        """Add the newest tree to score k, in the next pass."""
        self._newest.append((k, member.newest()))

    def loss(self, loss: Loss) -> float:
        """Weighted mean of the loss."""
        sums = self._rows.reduce(
            _held_loss, loss, self._cells, self._newest, carry=self._scores, merge=_below
        )
        self._done, self._newest = self._done + self._newest, []
        self._scores.state = (self._base, self._cells, self._done)
        return mean_of(sums)


def _kept_cells(block: Block) -> tuple[NDArray[np.generic], ...]:
    cells = np.column_stack([block.X.numbers, block.X.codes.astype(np.float64)])
    assert block.y is not None
    return (cells, block.y) if block.w is None else (cells, block.y, block.w)


def _keep_cells(
    block: Block, _: tuple[NDArray[np.generic], ...]
) -> tuple[int, tuple[NDArray[np.generic], ...]]:
    return 0, _kept_cells(block)


def _scores_of(block: Block, base: Floats, cells: _Cells, added: list[Added]) -> tuple[Floats]:
    return (_moved(block, spread_base(base, len(block)), cells, added),)


def _moved(block: Block, z: Floats, cells: _Cells, added: list[Added]) -> Floats:
    z, rows = z.copy(), cells.of(block)
    for k, tree in added:
        column = z if z.ndim == 1 else z[:, k]
        column += tree.answers(rows, 1)[:, 0]
    return z


def _held_loss(
    block: Block, kept: tuple[Floats], loss: Loss, cells: _Cells, added: list[Added]
) -> tuple[Floats, tuple[Floats]]:
    assert block.y is not None
    z = _moved(block, kept[0], cells, added)
    return loss_sums(loss, block.y, z, block.w), (z,)


def _below(one: Floats, other: Floats) -> Floats:
    return np.concatenate([one, other])
