"""Values far from the rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["outliers"]


def outliers(values: ArrayLike, reach: float = 1.5) -> NDArray[np.bool_]:
    """Mark values that lie far outside the middle half of a column.

    A value is marked when it is more than ``reach`` times the distance between the quartiles below the first
    or above the third (Tukey's fences). What to do about it is up to you: correct it, leave the row
    out (``frame[~outliers(frame["age"])]``), or give the row less weight.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        Numbers; missing ones are never marked.
    reach : float, default 1.5
        1.5 marks what is outside, 3 what is far outside.

    Returns
    -------
    ndarray of bool
        One mark for each value.

    Examples
    --------
    >>> outliers([1.0, 2.0, 3.0, 4.0, 50.0]).tolist()
    [False, False, False, False, True]
    """
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim != 1:
        raise ValueError(f"outliers: 'values' must be one column of numbers; got shape {numbers.shape}.")
    if not reach >= 0:
        raise ValueError(f"outliers: 'reach' must be a number >= 0; got {reach}.")
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return np.zeros(len(numbers), dtype=np.bool_)
    # Quartiles, not mean and deviation, which the outliers themselves would widen (Tukey, Exploratory Data
    # Analysis, 1977). For normal values the fences at 1.5 leave 0.7 % outside.
    first, third = np.quantile(known, [0.25, 0.75])
    width = reach * (third - first)
    return np.asarray((numbers < first - width) | (numbers > third + width))
