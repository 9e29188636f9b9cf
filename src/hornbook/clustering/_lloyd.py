"""Passes of Lloyd's algorithm: the nearest center of each row, and the sums for the new means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.frame import CHUNK, Arrays, Block, Blocks
from hornbook.params import Floats

__all__ = ["Lloyd", "Totals", "batch_totals"]

TOGETHER = 4  # fewest chunks in one call of the kernel, which adds them up as Blocks do


@dataclass(frozen=True)
class Totals:
    """Sums over rows for each center, after one pass.

    Parameters
    ----------
    sums : ndarray of shape (n_clusters, n_columns)
        Of weight times (value - origin).
    mass : ndarray of shape (n_clusters, n_columns)
        Weight of the known cells.
    origin : ndarray of shape (n_columns,)
        What is subtracted from the values, so that sums keep their digits.
    inertia : float
        Sum of weight times square distance to the nearest center.
    changed : int
        How many rows have another nearest center than in the pass before.
    """

    sums: Floats
    mass: Floats
    origin: Floats
    inertia: float
    changed: int

    @staticmethod
    def of(flat: Floats, shape: tuple[int, ...], origin: Floats) -> Totals:
        """The totals of a pass of the kernel for centers of this shape."""
        k, d = shape
        sums, mass = flat[: k * d].reshape(shape), flat[k * d : -2]
        # Without missing cells a center has one weight for all columns.
        wide = mass.reshape(shape) if len(mass) == k * d else np.repeat(mass, d).reshape(shape)
        return Totals(sums, wide, origin, float(flat[-2]), int(flat[-1]))

    def means(self, otherwise: Floats) -> Floats:
        """Means of the values of each center's rows; ``otherwise`` where there are none."""
        known = self.mass > 0
        return np.where(known, self.origin + self.sums / np.where(known, self.mass, 1.0), otherwise)

    def deviations(self, centers: Floats) -> Floats:
        """Sums of weight times (value - center)."""
        return self.sums - self.mass * (centers - self.origin)


class Lloyd:
    """Passes over the same rows with moving centers, and the bounds of the rows between passes.

    Hamerly (2010), "Making k-means even faster": each row keeps its label and one lower bound of the distance
    to every other center. The triangle inequality shows which rows cannot have changed sides, and only the
    others are compared with all centers. Labels and sums are those of comparing everything, to the last bit.

    Parameters
    ----------
    blocks : Blocks
        The rows, as matrices in which missing cells are NaN.
    columns : ColumnMoments
        Of these rows.
    """

    def __init__(self, blocks: Blocks, columns: ColumnMoments) -> None:
        self.blocks = blocks
        self.gaps = columns.gaps
        self.origin = columns.origin
        self._bounds = blocks.carry(_bounds_of, double_buffered=True)
        self._together = _chunks_per_call(blocks)
        self._before: Floats | None = None

    @property
    def labels(self) -> NDArray[np.int32]:
        """The nearest center of each row, as of the last pass."""
        return self._bounds.gather()[0]

    def step(self, centers: Floats) -> Totals:
        """Find the nearest center of each row."""
        moves = _native.center_moves(centers, self._before, self.gaps, self.blocks.threads)
        state = (centers, self.origin, *moves, self.gaps)
        flat: Floats = self.blocks.reduce(_assigned, *state, carry=self._bounds, together=self._together)
        # Lost bounds can be rebuilt from these centers.
        self._before = centers
        self._bounds.state = (centers,)
        return Totals.of(flat, centers.shape, self.origin)


def batch_totals(batch: Block, columns: ColumnMoments, centers: Floats, n_threads: int) -> Totals:
    """Totals of rows that are all in memory and have no nearest center yet."""
    reach, near = _native.center_moves(centers, None, columns.gaps, n_threads)
    old = _bounds_of(batch)
    state = (centers, columns.origin, reach, near, columns.gaps)
    flat, _ = _assigned(batch, old, tuple(map(np.empty_like, old)), *state, n_threads)
    return Totals.of(flat, centers.shape, columns.origin)


def _chunks_per_call(blocks: Blocks) -> int:
    """A power of 2; larger where rows need not be copied for it, because every call has its price."""
    if not blocks.is_one_block:
        return TOGETHER
    calls = 1 if blocks.threads == 1 else 4 * blocks.threads  # more than threads, should one be held up
    share = -(-blocks.n_rows // (CHUNK * calls))
    return max(TOGETHER, 1 << (share - 1).bit_length())


def _assigned(
    block: Block,
    old: Arrays,
    new: Arrays,
    centers: Floats,
    origin: Floats,
    reach: Floats,
    near: Floats,
    gaps: bool,
    n_threads: int = 1,
) -> tuple[Floats, Arrays]:
    """Totals of a chunk, and the labels and bounds of its rows after the pass."""
    labels, lower = old
    new_labels, new_lower = new
    flat = _native.lloyd_pass(
        block.X,
        block.w,
        centers,
        origin,
        reach,
        near,
        labels,
        lower,
        new_labels,
        new_lower,
        gaps,
        n_threads,
    )
    return flat, new


def _bounds_of(block: Block, centers: Floats | None = None) -> Arrays:
    """Labels as a pass with these centers leaves them, any before the first pass.

    A bound of 0 says nothing about the other centers, so the next pass compares all rows.
    """
    if centers is None:
        labels = np.zeros(len(block), dtype=np.int32)
    else:
        labels = _native.nearest_centers(block.X, centers, 1)[0]
    return labels, np.zeros(len(block), dtype=np.float32)
