"""Fewer rows than columns: coefficients in the span of the rows (the representer theorem)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.frame import Block, Blocks
from hornbook.params import Floats

__all__ = ["RowSpace", "centered_rows", "span"]


@dataclass(frozen=True)
class RowSpace:
    """Coordinates of rows along an orthonormal basis of their span.

    A loss of linear scores depends only on the component of the coefficients in the span of the centered
    rows; the orthogonal component just makes them longer. Where squares are penalized, or the shortest
    solution is wanted, it is therefore 0, and as many coefficients as rows are enough.

    Parameters
    ----------
    basis : ndarray of shape (n_columns, n_directions)
        The directions. Coefficients of the columns are the basis times those of the directions.
    center : ndarray of shape (n_columns,)
        What was subtracted from the columns.
    inside : ndarray of shape (n_rows, n_directions)
        The coordinates of the rows.
    blocks : Blocks
        The same, with target and weights.
    """

    basis: Floats
    center: Floats
    inside: Floats
    blocks: Blocks

    @classmethod
    def of(cls, blocks: Blocks, center: Floats) -> RowSpace:
        """Compute the basis and the coordinates."""
        # The penalized optimum is a combination of the rows, so that n coordinates suffice for d > n columns.
        rows = centered_rows(blocks, center)
        basis, inside = span(rows.X)
        block = Block(np.ascontiguousarray(inside), rows.y, rows.w)
        return cls(basis, center, block.X, Blocks.of(block, blocks.schema, blocks.threads))


def span(rows: Floats, smallest: float | None = None) -> tuple[Floats, Floats]:
    """An orthonormal basis of the span of the rows, and their coordinates.

    Directions whose singular value relative to the largest is below ``smallest``, by default the rounding
    error, are dropped; centering alone leaves one of them.
    """
    # QR first: the SVD is then of a small square matrix.
    basis, parts = np.linalg.qr(rows.T)
    left, size, right = np.linalg.svd(parts)
    least = max(rows.shape) * np.finfo(float).eps if smallest is None else smallest
    used = size > least * size.max(initial=0.0)
    return basis @ left[:, used], right.T[:, used] * size[used]


def centered_rows(blocks: Blocks, center: Floats) -> Block:
    """All rows in memory, minus the center."""
    return blocks.reduce(_centered, center, merge=_joined)


def _centered(block: Block, center: Floats) -> Block:
    return Block(block.X - center, block.y, block.w)


def _joined(one: Block, other: Block) -> Block:
    w = None if one.w is None or other.w is None else np.concatenate([one.w, other.w])
    return Block(np.vstack([one.X, other.X]), np.concatenate([np.asarray(one.y), np.asarray(other.y)]), w)
