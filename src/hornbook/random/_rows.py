"""Random bits for rows that depend on their content, not on their position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.random._stream import Stream

__all__ = ["mixed_bits", "row_bits"]


def row_bits(columns: Iterable[NDArray[Any]], n_rows: int, seed: int) -> NDArray[np.uint64]:
    """Return 64 random bits for each row that depend only on its cells and the seed.

    Parameters
    ----------
    columns : iterable of ndarray of shape (n_rows,)
        The cells, column by column: numbers or codes.
    n_rows : int
        How many rows there are.
    seed : int
        The seed.

    Returns
    -------
    bits : ndarray of uint64 of shape (n_rows,)
        Equal rows have equal bits, whatever their position.

    Examples
    --------
    >>> import numpy as np
    >>> bits = row_bits([np.array([1.0, 2.0, 1.0]), np.array([0, 0, 0])], 3, seed=1)
    >>> bool(bits[0] == bits[2]), bool(bits[0] == bits[1])
    (True, False)
    """
    key = np.full(n_rows, Stream(seed).bits(1)[0], dtype=np.uint64)
    # Chained through the columns, so that the same cells in another order give other bits.
    for column in columns:
        if column.dtype.kind == "f":
            cells = (column.astype(np.float64) + 0.0).view(np.uint64)  # 0 and -0 are one number
        else:
            cells = column.astype(np.int64).view(np.uint64)
        key = mixed_bits(key ^ cells)
    return key


def mixed_bits(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix every bit into all others (the finalizer of SplitMix64, Steele, Lea and Flood 2014).

    Parameters
    ----------
    bits : ndarray of uint64
        Any bits.

    Examples
    --------
    >>> import numpy as np
    >>> [hex(word) for word in mixed_bits(np.array([0, 1], dtype=np.uint64)).tolist()]
    ['0xe220a8397b1dcdaf', '0x910a2dec89025cc1']
    """
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))
