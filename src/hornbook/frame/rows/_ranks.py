"""Numbers by their rank among all rows, found in a few passes instead of sorted in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame.rows._block import Block
from hornbook.frame.rows._summable import Summable
from hornbook.params import Floats

__all__ = ["Rank", "ranked"]

DIGIT = 11  # bits of a number that one pass looks at: 2048 counters for each rank
SIGN = np.uint64(2**63)
Keys = NDArray[np.uint64]


@dataclass(frozen=True)
class Rank:
    """A place in the order of the numbers of a column, by the mass of the numbers up to there.

    Parameters
    ----------
    column : int
        The column.
    mass : float
        The first number is meant up to which there is as much.
    beyond : bool, default False
        The first up to which there is more instead.
    """

    column: int
    mass: float
    beyond: bool = False


def ranked(blocks: Summable, cells: Callable[[Block], Floats], ranks: Sequence[Rank]) -> list[float]:
    """Find numbers by their ranks, in six passes however many rows and ranks there are.

    A pass counts the next 11 bits of the numbers that begin as the one in question does (radix selection):
    the caller needs memory for counters, never for rows. Numbers that are missing or have weight 0 are
    left out.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    cells : callable
        ``cells(block)`` gives a matrix of numbers.
    ranks : sequence of Rank
        What is looked for.

    Examples
    --------
    >>> from hornbook.frame import Blocks, Frame
    >>> blocks = Blocks(Frame([[3.0], [-1.0], [7.0]]))
    >>> ranked(blocks, lambda block: block.X.numbers, [Rank(0, 1.0), Rank(0, 1.0, beyond=True)])
    [-1.0, 3.0]
    """
    if not ranks:
        return []
    known_bits = [0] * len(ranks)
    below = [0.0] * len(ranks)
    done = 0  # bits
    while done < 64:
        width = min(DIGIT, 64 - done)
        wanted = sorted({(rank.column, bits) for rank, bits in zip(ranks, known_bits, strict=True)})
        masses = blocks.reduce(_digit_masses, cells, tuple(wanted), done, width)
        place = {key: row for row, key in enumerate(wanted)}
        for i, rank in enumerate(ranks):
            row = masses[place[rank.column, known_bits[i]]]
            digit, below[i] = _digit_of(row, rank, below[i])
            known_bits[i] = (known_bits[i] << width) | digit
        done += width
    numbers: list[float] = _numbers_of(np.array(known_bits, dtype=np.uint64)).tolist()
    return numbers


def _digit_of(masses: Floats, rank: Rank, below: float) -> tuple[int, float]:
    """The digit in which a rank lies, and the mass of all smaller numbers."""
    present = np.flatnonzero(masses > 0)
    if not len(present):
        raise ValueError(f"Column {rank.column} has no numbers to rank.")
    upto = below + np.cumsum(masses[present])
    # Sums of weights may end a rounding error below the mass that was asked for.
    i = min(int(np.searchsorted(upto, rank.mass, side="right" if rank.beyond else "left")), len(present) - 1)
    return int(present[i]), below if i == 0 else float(upto[i - 1])


def _digit_masses(
    block: Block, cells: Callable[[Block], Floats], wanted: tuple[tuple[int, int], ...], done: int, width: int
) -> Floats:
    """How much there is of each next digit, for numbers that begin with some bits."""
    numbers = cells(block)
    masses = np.zeros((len(wanted), 2**width))
    last, keys, known = -1, np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.bool_)
    for row, (column, bits) in enumerate(wanted):
        if column != last:
            last = column
            keys, known = _keys_of(numbers[:, column]), ~np.isnan(numbers[:, column])
        here = known & (keys >> np.uint64(64 - done) == np.uint64(bits)) if done else known
        digits = (keys[here] >> np.uint64(64 - done - width)) & np.uint64(2**width - 1)
        w = None if block.w is None else block.w[here]
        masses[row] = np.bincount(digits.astype(np.intp), weights=w, minlength=2**width)
    return masses


def _keys_of(numbers: Floats) -> Keys:
    """Whole numbers in the order of the given ones."""
    # Bits of IEEE numbers are ordered as the numbers are, those of negative ones the other way round.
    bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def _numbers_of(keys: Keys) -> NDArray[Any]:
    return np.where(keys & SIGN, keys & ~SIGN, ~keys).view(np.float64)
