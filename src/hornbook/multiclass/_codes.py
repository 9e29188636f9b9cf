"""Error-correcting codes: exhaustive, drawn, or defined by the user."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Code
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["checked_code", "exhaustive", "is_split", "random_code", "row_distances"]

MOST_EXHAUSTIVE = 10  # classes: 511 members
SPARE = 4  # columns drawn for each one needed, because some are useless
TRIES = 100  # codes drawn, of which the one with the largest minimum distance is taken


def exhaustive(k: int) -> Code:
    """Every way to split the classes in two, each once: 2^(k-1) - 1 columns (Dietterich and Bakiri 1995)."""
    if k > MOST_EXHAUSTIVE:
        raise ValueError(
            f"OutputCodes: code='exhaustive' would need {2 ** (k - 1) - 1} members for {k} classes: choose "
            f"code='random', or join classes until there are at most {MOST_EXHAUSTIVE}."
        )
    # The first class is always +1; the others are the binary digits of a number that is not all ones.
    numbers = np.arange(2 ** (k - 1) - 1)
    digits = (numbers >> np.arange(k - 1)[::-1, None]) & 1
    return np.vstack([np.ones_like(numbers), 2 * digits - 1]).astype(np.int8)


def random_code(k: int, size: float, unused: float, seed: int) -> Code:
    """The random code with the largest minimum distance between rows.

    A cell is 0 with probability ``unused``, else +1 or -1 with equal probability. Columns that repeat a split
    or do not split the classes are left out: few classes have few splits, and the code may be shorter.
    """
    length = max(int(np.ceil(size * k)), int(np.ceil(np.log2(k))))
    best, distance = None, 0.0
    for i in range(TRIES):
        uniform = Stream(seed, i).uniform(SPARE * k * length).reshape(k, SPARE * length)
        code = np.where(uniform < unused, 0, np.where(uniform < (1 + unused) / 2, -1, 1)).astype(np.int8)
        code = _different_splits(code)[:, :length]
        apart = row_distances(code).min()
        if apart > distance:
            best, distance = code, apart
    if best is None:
        raise ValueError(
            f"OutputCodes: none of {TRIES} drawn codes of {length} members tells all {k} classes apart: "
            "choose a larger code_size, or a smaller unused."
        )
    return best


def checked_code(code: Any, labels: list[Any]) -> Code:
    """Return a user-defined code, or raise an error that says what is wrong with it."""
    matrix = np.asarray(code, dtype=np.float64)
    k = len(labels)
    if (
        matrix.ndim != 2
        or matrix.shape[0] != k
        or not matrix.shape[1]
        or not np.isin(matrix, (-1, 0, 1)).all()
    ):
        raise ValueError(
            f"OutputCodes: parameter 'code' must be a table of -1, 0 and 1 with a row for each of the {k} "
            f"classes {labels}; got shape {matrix.shape}."
        )
    made = matrix.astype(np.int8)
    one_sided = np.flatnonzero(~is_split(made))
    if one_sided.size:
        raise ValueError(
            f"OutputCodes: column {int(one_sided[0])} of 'code' has no +1 or no -1, so that it tells no "
            "classes apart: give it both, or leave it out."
        )
    same = np.argwhere(np.triu(row_distances(made) == 0, 1))
    if same.size:
        one, other = same[0].tolist()
        raise ValueError(
            f"OutputCodes: the classes {labels[one]!r} and {labels[other]!r} have rows in 'code' that no "
            "column tells apart: make them differ, +1 against -1, in at least one column."
        )
    return made


def row_distances(code: Code) -> Floats:
    """In how many columns two rows have opposite signs; a class is infinitely far from itself."""
    signs = code.astype(np.float64)
    opposed = (np.abs(signs) @ np.abs(signs).T - signs @ signs.T) / 2
    np.fill_diagonal(opposed, np.inf)
    return np.asarray(opposed)


def _different_splits(code: Code) -> Code:
    """Columns with both +1 and -1, without duplicates and negated duplicates, in their order."""
    code = code[:, is_split(code)]
    # Normalizing the sign of the first nonzero cell makes a column equal to its negative.
    sides = code[np.abs(code).argmax(axis=0), np.arange(code.shape[1])]
    _, first = np.unique(code * sides, axis=1, return_index=True)
    return np.asarray(code[:, np.sort(first)])


def is_split(code: Code) -> NDArray[np.bool_]:
    """Which columns have both +1 and -1."""
    return np.asarray((code > 0).any(axis=0) & (code < 0).any(axis=0))
