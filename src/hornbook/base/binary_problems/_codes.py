"""Codes: a row of +1, -1 and 0 for each class, and a column for each binary problem."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Code", "binary_problem", "one_vs_one", "one_vs_rest"]

Code = NDArray[np.int8]


def one_vs_rest(k: int) -> Code:
    """Separate each class from all others; of two classes, the second from the first.

    Parameters
    ----------
    k : int
        How many classes there are, at least two.

    Returns
    -------
    ndarray of shape (k, n_problems)
        The code.

    Examples
    --------
    >>> one_vs_rest(3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    # The two columns of the general form would be the same problem with exchanged signs.
    if k == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return (2 * np.eye(k) - 1).astype(np.int8)


def one_vs_one(k: int) -> Code:
    """Separate each pair of classes, the first of them +1; the other classes do not take part.

    Parameters
    ----------
    k : int
        How many classes there are, at least two.

    Returns
    -------
    ndarray of shape (k, k (k - 1) / 2)
        The code; pairs in the order (0, 1), (0, 2), ..., (k - 2, k - 1).

    Examples
    --------
    >>> one_vs_one(3).tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    """
    one, other = np.triu_indices(k, 1)
    code = np.zeros((k, len(one)), dtype=np.int8)
    pairs = np.arange(len(one))
    code[one, pairs], code[other, pairs] = 1, -1
    return code


def binary_problem(
    code: Code, y: NDArray[np.integer], j: int
) -> tuple[NDArray[np.int32], NDArray[np.intp] | None]:
    """Return one column of a code as a problem of two classes.

    Parameters
    ----------
    code : ndarray of shape (n_classes, n_problems)
        The code.
    y : ndarray of shape (n_rows,)
        The class of each row, as a row of the code.
    j : int
        Which column.

    Returns
    -------
    target, rows
        1 for rows whose class has +1, else 0; and the rows that take part, None for all.

    Examples
    --------
    >>> target, rows = binary_problem(one_vs_one(3), np.array([0, 1, 2, 0]), 1)
    >>> target.tolist(), rows.tolist()
    ([1, 0, 0, 1], [0, 2, 3])
    """
    # Rows of classes with a 0 do not take part; None says that all do, and spares a copy.
    sides = code[y, j]
    return (sides > 0).astype(np.int32), None if sides.all() else np.flatnonzero(sides)
