"""From partitions of any length to pieces that start where chunks do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from distributed import Client, Future

from hornbook.cluster._parcel import task
from hornbook.frame import CHUNK, Block, stacked

__all__ = ["cut_into_pieces", "piece_chunks"]

LARGEST = 2**8  # chunks: about a million rows
HUGE = 2**12  # chunks, of tables of more than a billion rows
LEAST = 2**4  # chunks; kernels take up to as many in one call
PER_THREAD = 4  # pieces, so that threads that are done early find something to do


def piece_chunks(n_rows: int, n_threads: int) -> int:
    """Chunks of a piece: a power of 2, so that there are some pieces for each thread but not many tasks.

    A chunk takes about as long as the scheduler takes for a task, so that neither waits long for the other
    where pieces have about as many chunks as there are pieces.

    Parameters
    ----------
    n_rows : int
        All rows.
    n_threads : int
        Threads of all workers.
    """
    n_chunks = n_rows // CHUNK
    wanted = min(LARGEST, n_chunks // (PER_THREAD * n_threads))
    balanced = min(HUGE, math.isqrt(n_chunks) // 2)
    return max(LEAST, _power_of_two(max(wanted, balanced)))


def _power_of_two(number: int) -> int:
    """The largest that is not above a number; 1 for 0."""
    return 1 << max(0, number.bit_length() - 1)


def cut_into_pieces(
    client: Client, parts: Sequence[Future], lengths: Sequence[int], chunks: int
) -> list[Future]:
    """Cut partitions where pieces end, and join the cuts that make a piece: only those at edges move.

    Parameters
    ----------
    client : distributed.Client
        Connected to the cluster.
    parts : sequence of Future
        Blocks.
    lengths : sequence of int
        Their rows.
    chunks : int
        Chunks of a piece.
    """
    size, start = chunks * CHUNK, 0
    cuts: list[list[tuple[Any, int, int]]] = [[] for _ in range(0, sum(lengths), size)]
    for part, length in zip(parts, lengths, strict=True):
        done = 0
        while done < length:
            place = (start + done) // size
            stop = min(length, (place + 1) * size - start)
            cuts[place].append((part, done, stop))
            done = stop
        start += length
    flat = [cut for piece in cuts for cut in piece]
    if not flat:
        return []
    sliced = client.map(_cut, *map(list, zip(*flat, strict=True)), pure=False)
    groups, done = [], 0
    for piece in cuts:
        groups.append(sliced[done : done + len(piece)])
        done += len(piece)
    return list(client.map(_joined, groups, [place * size for place in range(len(groups))], pure=False))


@task
def _cut(block: Block, start: int, stop: int) -> Block:
    return block if stop - start == len(block) else block.rows(start, stop)


@task
def _joined(cuts: list[Block], start: int) -> Block:
    whole = stacked(cuts)
    return Block(whole.X, whole.y, whole.w, start)
