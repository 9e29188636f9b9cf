"""Gains of columns with missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hornbook.impurity._gains import gain

__all__ = ["known_gain"]


def known_gain(table: ArrayLike, missing: ArrayLike, criterion: str = "entropy", beta: float = 2.0) -> float:
    """Gain among the rows that have a value, times their fraction of the weight (C4.5, Quinlan 1993).

    Parameters
    ----------
    table : array-like of shape (n_branches, n_classes)
        Class weights of each branch, over the rows that have a value.
    missing : array-like of shape (n_classes,)
        Class weights of the rows with a missing value.
    criterion : str, default "entropy"
        Name of the criterion.
    beta : float, default 2.0
        The exponent of ``"daroczy"``.

    Examples
    --------
    >>> known_gain([[1, 0], [0, 1]], [1, 1])
    0.5
    """
    # A gain that only some rows can use is worth that much less.
    known, unknown = float(np.sum(np.asarray(table, dtype=np.float64))), float(np.sum(missing))
    return known / (known + unknown) * gain(table, criterion, beta)
