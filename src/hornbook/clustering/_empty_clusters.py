"""Relocation of centers without rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._lloyd import Totals
from hornbook.frame import Block, Blocks
from hornbook.params import Floats

__all__ = ["relocated"]


@dataclass(frozen=True)
class FarRows:
    """Rows farthest from their centers, the farthest first; ties in the order of the rows."""

    squares: Floats
    rows: Floats
    weights: Floats
    labels: NDArray[np.int32]
    count: int

    def merge(self, other: FarRows) -> FarRows:
        """The farthest of both."""
        squares = np.concatenate([self.squares, other.squares])
        # Stable: of equal distances the earlier row comes first, however rows are cut into chunks.
        order = np.argsort(-squares, kind="stable")[: self.count]
        return FarRows(
            squares[order],
            np.concatenate([self.rows, other.rows])[order],
            np.concatenate([self.weights, other.weights])[order],
            np.concatenate([self.labels, other.labels])[order],
            self.count,
        )


def relocated(totals: Totals, blocks: Blocks, centers: Floats) -> Totals:
    """Move each center without rows to the row that is farthest from its own center, as scikit-learn does.

    The row leaves its cluster. Rows without weight, and rows that lie on their center, are never taken.
    """
    if totals.mass.all():  # nearly always
        return totals
    # Without any known cell in any column; with missing cells a single column may be empty without
    # harm.
    empty = np.flatnonzero(~(totals.mass > 0).any(axis=1))
    if not len(empty):
        return totals
    far = blocks.reduce(_farthest, centers, len(empty), merge=FarRows.merge)
    sums, mass = totals.sums.copy(), totals.mass.copy()
    # Fewer far rows than empty clusters leave some where they are.
    for cluster, row, weight, label in zip(empty, far.rows, far.weights, far.labels, strict=False):
        known = ~np.isnan(row)
        part = np.where(known, weight * (row - totals.origin), 0.0)
        # Moved with its whole weight, from the sums of its cluster to those of the empty one.
        sums[label] -= part
        sums[cluster] += part
        mass[label] -= weight * known
        mass[cluster] += weight * known
    return replace(totals, sums=sums, mass=mass)


def _farthest(block: Block, centers: Floats, count: int) -> FarRows:
    labels, squares = _native.nearest_centers(block.X, centers, 1)
    weights = np.ones(len(block)) if block.w is None else block.w
    # A row on its center would not lower the loss by being moved.
    movable = np.flatnonzero((weights > 0) & (squares > 0))
    order = movable[np.argsort(-squares[movable], kind="stable")[:count]]
    return FarRows(squares[order], block.X[order], weights[order], labels[order], count)
