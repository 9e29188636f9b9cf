"""Random numbers that are a function of their coordinates: (seed, stream, index, position)."""

from __future__ import annotations

import operator

import numpy as np
from numpy.typing import NDArray

from hornbook import _native

__all__ = ["Stream"]

_WORDS = 2**64
_LARGEST_BOUND = 2**63


class Stream:
    """An endless sequence of random numbers, identified by its three coordinates.

    The numbers come from a counter-based generator (Philox4x64-10, Salmon et al. 2011), so a learner gives
    each tree, row or restart its own stream, and the numbers do not depend on the order of computation.
    Consecutive calls continue the sequence: drawing 3 and then 5 words gives the same as drawing 8.

    Parameters
    ----------
    seed : int
        The seed of the learner, see `seed_of`; all three are in [0, 2**64).
    stream : int, default 0
        What the numbers are for: one stream for each purpose within a learner.
    index : int, default 0
        Which part they are for: the number of the tree, the restart or the fold.

    Examples
    --------
    >>> Stream(1).permutation(5).tolist()
    [3, 4, 1, 0, 2]
    >>> draws = Stream(1, stream=2)
    >>> draws.integers(6, 4).tolist(), draws.uniform(2).round(3).tolist()
    ([0, 4, 0, 0], [0.309, 0.357])
    """

    def __init__(self, seed: int, stream: int = 0, index: int = 0) -> None:
        self._place = (_word("seed", seed), _word("stream", stream), _word("index", index))
        self._position = 0

    def bits(self, n: int) -> NDArray[np.uint64]:
        """Draw ``n`` words of 64 random bits."""
        count = _count(n)
        drawn = _native.philox(*self._place, count, self._position)
        self._position += count
        return drawn

    def uniform(self, n: int) -> NDArray[np.float64]:
        """Draw ``n`` numbers from [0, 1): the upper 53 bits of a word, divided by 2**53."""
        return (self.bits(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def integers(self, bound: int, n: int) -> NDArray[np.int64]:
        """Draw ``n`` integers from 0, 1, ..., ``bound`` - 1, all equally likely.

        An integer is the remainder of a word divided by ``bound``. Words at the upper end, which would favor
        small remainders, are skipped in the order of the sequence (rejection sampling).
        """
        limit = operator.index(bound)
        if not 1 <= limit <= _LARGEST_BOUND:
            raise ValueError(f"bound must be an integer in [1, 2**63]; got {bound}.")
        # The largest word below a multiple of the bound; 2**64 itself does not fit into a word.
        largest = np.uint64(_WORDS - 1 - _WORDS % limit)
        # Only the words rejected are drawn again, so that the sequence is that of drawing one at a time.
        parts = [self.bits(n)]
        while len(rejected := np.flatnonzero(parts[-1] > largest)):
            parts[-1] = np.delete(parts[-1], rejected)
            parts.append(self.bits(len(rejected)))
        return (np.concatenate(parts) % np.uint64(limit)).astype(np.int64)

    def permutation(self, n: int) -> NDArray[np.int64]:
        """Draw an order of 0, 1, ..., ``n`` - 1, all equally likely: the order of ``n`` random words."""
        # Equal words are practically impossible; a stable sort makes the result well defined even then.
        return np.argsort(self.bits(n), kind="stable").astype(np.int64, copy=False)


def _word(name: str, value: int) -> int:
    word = operator.index(value)
    if not 0 <= word < _WORDS:
        raise ValueError(f"Stream: {name} must be an integer in [0, 2**64); got {value}.")
    return word


def _count(n: int) -> int:
    count = operator.index(n)
    if count < 0:
        raise ValueError(f"Stream: n must be at least 0; got {n}.")
    return count
