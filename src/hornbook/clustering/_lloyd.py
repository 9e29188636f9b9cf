"""Lloyd's passes over the rows: the nearest center of each, and the means of those that share one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering._column_moments import Survey
from hornbook.frame import Block, Blocks

__all__ = ["Lloyd", "Totals"]

Floats = NDArray[np.float64]
SMALLEST = 1e-140  # distances below this may have lost digits when they were squared


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
        From where values are counted.
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
        """Means of the values of each center's rows; other numbers where there are none."""
        there = self.mass > 0
        means = np.divide(self.sums, self.mass, out=np.zeros_like(self.sums), where=there)
        return np.where(there, self.origin + means, otherwise)

    def deviations(self, centers: Floats) -> Floats:
        """Sums of weight times (value - center)."""
        return self.sums - self.mass * (centers - self.origin)


class Lloyd:
    """Passes over the same rows with centers that move, and what is known of the rows in between.

    Each row keeps its label and a lower bound of the distance to every other center. The triangle inequality
    tells which rows cannot have changed sides, and only the others are compared with all centers (Hamerly's
    method). Labels and sums are those of comparing everything, to the last bit.

    Parameters
    ----------
    blocks : Blocks
        The rows, as matrices in which missing cells are NaN.
    survey : Survey
        Of these rows.
    """

    def __init__(self, blocks: Blocks, survey: Survey) -> None:
        self.blocks = blocks
        self.gaps = survey.gaps
        self.origin = survey.origin
        self.labels = np.zeros(blocks.n_rows, dtype=np.int32)
        self._lower = np.zeros(blocks.n_rows, dtype=np.float32)
        self._before: Floats | None = None
        parts = [] if blocks.lazy else list(blocks)
        self._whole = parts[0] if len(parts) == 1 else None

    def step(self, centers: Floats) -> Totals:
        """Find the nearest center of each row."""
        reach, near = self._moves(centers)
        state = (centers, self.origin, reach, near, self.labels, self._lower, self.gaps)
        if self._whole is None:
            found = self.blocks.reduce(_chunk_totals, *state)
        else:
            found = _native.lloyd_pass(self._whole.X, self._whole.w, *state, self.blocks.threads)
        self._before = centers
        k, d = centers.shape
        sums, mass = found[: k * d].reshape(k, d), found[k * d : -2]
        wide = mass.reshape(k, d) if self.gaps else np.repeat(mass, d).reshape(k, d)
        return Totals(sums, wide, self.origin, float(found[-2]), int(found[-1]))

    def _moves(self, centers: Floats) -> tuple[Floats, Floats]:
        """How far other centers have gone, and half the way to the next; a little on the safe side."""
        k, d = centers.shape
        safe = (d + 16) * 2.0**-50
        apart = _native.square_distances(centers, centers, self.blocks.threads)
        np.fill_diagonal(apart, np.inf)
        near = (0.5 - safe) * np.sqrt(apart.min(axis=1))
        # Half the way says nothing about rows that lack some of the columns.
        near = np.zeros(k) if self.gaps else np.where(near < SMALLEST, 0.0, near)
        if self._before is None:
            return np.zeros(k), near
        moved = (1.0 + safe) * np.sqrt(np.square(centers - self._before).sum(axis=1)) + SMALLEST
        order = np.argsort(moved)
        reach = np.full(k, moved[order[-1]])
        reach[order[-1]] = moved[order[-2]] if k > 1 else 0.0
        return reach, near


def _chunk_totals(
    block: Block,
    centers: Floats,
    origin: Floats,
    reach: Floats,
    near: Floats,
    labels: NDArray[np.int32],
    lower: NDArray[np.float32],
    gaps: bool,
) -> Any:
    part = slice(block.start, block.start + len(block))
    return _native.lloyd_pass(
        block.X, block.w, centers, origin, reach, near, labels[part], lower[part], gaps, 1
    )
