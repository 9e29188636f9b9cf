"""Passes of Lloyd's algorithm: the nearest center of each row, and the sums for the new means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.frame import CHUNK, Arrays, Block, Blocks
from hornbook.params import Floats

__all__ = ["Lloyd", "Totals"]

TOGETHER = 4  # fewest chunks in one call of the kernel, which adds them up as Blocks do
SMALLEST = 1e-140  # distances below this may have lost digits in their squares


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
        self._bounds = blocks.carry(_bounds_of)
        self._together = _chunks_per_call(blocks)
        self._before: Floats | None = None

    @property
    def labels(self) -> NDArray[np.int32]:
        """The nearest center of each row, as of the last pass."""
        return self._bounds.gather()[0]

    def step(self, centers: Floats) -> Totals:
        """Find the nearest center of each row."""
        reach, near = self._moves(centers)
        state = (centers, self.origin, reach, near, self.gaps)
        flat: Floats = self.blocks.reduce(_assigned, *state, carry=self._bounds, together=self._together)
        # Lost bounds can be rebuilt from these centers.
        self._before = centers
        self._bounds.state = (centers,)
        k, d = centers.shape
        sums, mass = flat[: k * d].reshape(k, d), flat[k * d : -2]
        wide = mass.reshape(k, d) if self.gaps else np.repeat(mass, d).reshape(k, d)
        return Totals(sums, wide, self.origin, float(flat[-2]), int(flat[-1]))

    def _moves(self, centers: Floats) -> tuple[Floats, Floats]:
        """The largest move of the other centers, and half the distance to the nearest; rounded to be safe."""
        k, d = centers.shape
        safe = (d + 16) * 2.0**-50  # relative rounding error of a distance, as in the kernel
        apart = _native.square_distances(centers, centers, self.blocks.threads)
        apart.ravel()[:: k + 1] = np.inf  # the diagonal
        near = (0.5 - safe) * np.sqrt(apart.min(axis=1))
        # The triangle inequality does not hold between rows that lack some of the columns.
        near[(near < SMALLEST) | self.gaps] = 0.0
        if self._before is None:
            return np.zeros(k), near
        moved = (1.0 + safe) * np.sqrt(np.square(centers - self._before).sum(axis=1)) + SMALLEST
        # A center's bound concerns the others: all have the largest move, the farthest mover the second
        # largest.
        order = np.argsort(moved)
        reach = np.full(k, moved[order[-1]])
        reach[order[-1]] = moved[order[-2]] if k > 1 else 0.0
        return reach, near


def _chunks_per_call(blocks: Blocks) -> int:
    """A power of 2; larger where rows need not be copied for it, because every call has its price."""
    if not blocks.is_one_block:
        return TOGETHER
    calls = 1 if blocks.threads == 1 else 4 * blocks.threads  # more than threads, should one be held up
    share = -(-blocks.n_rows // (CHUNK * calls))
    return max(TOGETHER, 1 << (share - 1).bit_length())


def _assigned(
    block: Block,
    bounds: Arrays,
    centers: Floats,
    origin: Floats,
    reach: Floats,
    near: Floats,
    gaps: bool,
) -> tuple[Floats, Arrays]:
    """Totals of a chunk, and the labels and bounds of its rows after the pass."""
    # Copies: the kernel updates in place, and a pass may be repeated.
    labels, lower = (array.copy() for array in bounds)
    totals = _native.lloyd_pass(block.X, block.w, centers, origin, reach, near, labels, lower, gaps, 1)
    return totals, (labels, lower)


def _bounds_of(block: Block, centers: Floats | None = None) -> Arrays:
    """Labels as a pass with these centers leaves them, any before the first pass.

    A bound of 0 says nothing about the other centers, so the next pass compares all rows.
    """
    if centers is None:
        labels = np.zeros(len(block), dtype=np.int32)
    else:
        labels = _native.nearest_centers(block.X, centers, 1)[0]
    return labels, np.zeros(len(block), dtype=np.float32)
