"""Mini-batches: a few rows at a time move the centers a little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering._column_moments import Survey
from hornbook.clustering._lloyd import Lloyd, Totals
from hornbook.frame import Block, Blocks
from hornbook.random import Stream

__all__ = ["batches", "drawn_toward", "epoch"]

Floats = NDArray[np.float64]


def epoch(
    blocks: Blocks, survey: Survey, state: tuple[Floats, Floats], size: int, order: Stream
) -> tuple[Floats, Floats, float]:
    """Go through all rows once; after each batch the centers move.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    survey : Survey
        Of these rows.
    state : tuple of two ndarray of shape (n_clusters, n_columns)
        The centers, and the weight of the values behind each coordinate.
    size : int
        Rows in a batch.
    order : Stream
        Random numbers for the order of the rows.

    Returns
    -------
    centers, seen : ndarray of shape (n_clusters, n_columns)
        The state after the last batch.
    inertia : float
        Sum of weight times square distance to the nearest center before each move.
    """
    (centers, seen), inertia = state, 0.0
    for batch in batches(blocks, size, order):
        rows = Blocks.of(batch, blocks.schema, blocks.threads)
        totals = Lloyd(rows, survey).step(centers)
        centers, seen = drawn_toward(centers, seen, totals)
        inertia += totals.inertia
    return centers, seen, inertia


def batches(blocks: Blocks, size: int, order: Stream) -> Iterator[Block]:
    """Cut all rows into batches; within chunks of 4096 rows they come in random order."""
    waiting: list[Block] = []
    for chunk in blocks.chunks():
        places = order.permutation(len(chunk))
        waiting.append(Block(chunk.X[places], None, None if chunk.w is None else chunk.w[places]))
        if sum(map(len, waiting)) >= size:
            rest = _joined(waiting)
            while len(rest) >= size:
                yield rest.rows(0, size)
                rest = rest.rows(size, len(rest))
            waiting = [rest]
    if sum(map(len, waiting)):
        yield _joined(waiting)


def _joined(pieces: list[Block]) -> Block:
    weights = [piece.w for piece in pieces if piece.w is not None]
    return Block(
        np.concatenate([piece.X for piece in pieces]), None, np.concatenate(weights) if weights else None
    )


def drawn_toward(centers: Floats, seen: Floats, totals: Totals) -> tuple[Floats, Floats]:
    """Move each coordinate of each center to the mean of all values it has ever been given.

    Parameters
    ----------
    centers : ndarray of shape (n_clusters, n_columns)
        The means so far.
    seen : ndarray of shape (n_clusters, n_columns)
        Weight of the values behind them.
    totals : Totals
        What the next rows give to each center.
    """
    mass = seen + totals.mass
    step = np.divide(totals.deviations(centers), mass, out=np.zeros_like(centers), where=mass > 0)
    return centers + step, mass
