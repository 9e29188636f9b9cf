"""Mini-batch k-means (Sculley 2010): centers move after every few rows, here to exact running means."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering._lloyd import Totals, batch_totals
from hornbook.frame import Block, Blocks, stacked
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["Epoch", "epoch", "shuffled", "updated_means"]


@dataclass(frozen=True)
class Epoch:
    """State of a pass in mini-batches.

    Parameters
    ----------
    centers, seen : ndarray of shape (n_clusters, n_columns)
        The centers, and the weight of the values behind each coordinate.
    inertia : float
        Sum of weight times squared distance to the nearest center before each move.
    order : Stream
        Random numbers for the order of the rows to come.
    waiting : tuple of Block
        Rows that do not fill a batch yet.
    """

    centers: Floats
    seen: Floats
    inertia: float
    order: Stream
    waiting: tuple[Block, ...] = ()

    def after(self, batch: Block, columns: ColumnMoments, n_threads: int) -> Epoch:
        """Update the centers by one batch."""
        totals = batch_totals(batch, columns, self.centers, n_threads)
        centers, seen = updated_means(self.centers, self.seen, totals)
        return replace(self, centers=centers, seen=seen, inertia=self.inertia + totals.inertia)


def epoch(
    blocks: Blocks, columns: ColumnMoments, centers: Floats, seen: Floats, size: int, order: Stream
) -> Epoch:
    """Go through all rows once; after each batch the centers move.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    columns : ColumnMoments
        Of these rows.
    centers, seen : ndarray of shape (n_clusters, n_columns)
        The centers, and the weight of the values behind each coordinate.
    size : int
        Rows in a batch.
    order : Stream
        Random numbers for the order of the rows.

    Returns
    -------
    Epoch
        After the last batch, which may be smaller; ``order`` is where the next pass goes on.
    """
    state = (size, columns, blocks.threads)
    end = blocks.fold(_after_chunk, Epoch(centers, seen, 0.0, order), *state)
    # Fewer rows than a batch are left at the end; without them the last rows of a table would never count.
    rest = stacked(list(end.waiting))
    return end.after(rest, *state[1:]) if len(rest) else end


def _after_chunk(chunk: Block, epoch: Epoch, size: int, columns: ColumnMoments, n_threads: int) -> Epoch:
    # `fold` must be pure, so that a chunk can be run again elsewhere.
    order = copy(epoch.order)  # drawing from a stream moves it on
    batches, rest = shuffled(chunk, epoch.waiting, size, order)
    for batch in batches:
        epoch = epoch.after(batch, columns, n_threads)
    return replace(epoch, order=order, waiting=rest)


def shuffled(
    chunk: Block, waiting: tuple[Block, ...], size: int, order: Stream
) -> tuple[list[Block], tuple[Block, ...]]:
    """Batches from the waiting rows and the shuffled rows of a chunk; and the rows left over."""
    # Shuffled within a chunk: a global shuffle would need all rows in memory.
    waiting = (*waiting, chunk.at(order.permutation(len(chunk))))
    if sum(map(len, waiting)) < size:
        return [], waiting
    rows = stacked(list(waiting))
    stops = range(size, len(rows) + 1, size)
    return [rows.rows(stop - size, stop) for stop in stops], (rows.rows(stops[-1], len(rows)),)


def updated_means(centers: Floats, seen: Floats, totals: Totals) -> tuple[Floats, Floats]:
    """Move each coordinate of each center to the mean of all values it has ever been given.

    Parameters
    ----------
    centers : ndarray of shape (n_clusters, n_columns)
        The means so far.
    seen : ndarray of shape (n_clusters, n_columns)
        Weight of the values behind them.
    totals : Totals
        Sums of the next rows for each center.
    """
    # A running mean: its step shrinks as 1 / mass, which makes the centers converge.
    mass = seen + totals.mass
    step = np.divide(totals.deviations(centers), mass, out=np.zeros_like(centers), where=mass > 0)
    return centers + step, mass
