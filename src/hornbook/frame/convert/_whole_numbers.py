"""Integers in a narrow range, for which counting is faster than sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["codes_among", "distinct_whole"]

SPAN = 65536  # widest range that is counted instead of sorted


def distinct_whole(values: NDArray[Any]) -> NDArray[Any] | None:
    """Return the sorted distinct values of an array of whole numbers, or None when counting does not pay.

    Parameters
    ----------
    values : ndarray
        Whole numbers of any type, also of a float type.

    Examples
    --------
    >>> import numpy as np
    >>> distinct_whole(np.array([7, 3, 7, -120], dtype=np.int8)).tolist()
    [-120, 3, 7]
    >>> distinct_whole(np.array([0, 10**9])) is None
    True
    """
    low = _lowest(values)
    if low is None:
        return None
    seen = np.bincount(_places(values, low)) > 0
    wide = np.uint64 if values.dtype == np.uint64 else np.int64
    return (np.flatnonzero(seen).astype(wide) + wide(low)).astype(values.dtype)


def codes_among(values: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32] | None:
    """Return the position of each whole number among the classes.

    None when the classes are too far apart to count, or when some value is none of them.

    Parameters
    ----------
    values : ndarray
        The numbers.
    classes : ndarray
        Different whole numbers, in any order.

    Examples
    --------
    >>> import numpy as np
    >>> codes_among(np.array([5, 2, 5]), np.array([2, 5])).tolist()
    [1, 0, 1]
    >>> codes_among(np.array([5.5, 2]), np.array([2, 5])) is None
    True
    """
    low = _lowest(classes)
    if low is None or not values.size or values.min() < low or values.max() > classes.max():
        return None
    places = _places(values, low)
    if values.dtype.kind == "f" and not np.array_equal(values, places + low):
        return None
    table = np.full(int(classes.max()) - low + 1, -1, dtype=np.int32)
    table[_places(classes, low)] = np.arange(len(classes))
    codes: NDArray[np.int32] = table[places]
    return codes if codes.min() >= 0 else None


def _lowest(values: NDArray[Any]) -> int | None:
    """The least value, or None when there is none or the values are too far apart."""
    if not values.size:
        return None
    low, high = values.min(), values.max()
    # Python integers, because those of NumPy overflow.
    return int(low) if int(high) - int(low) < SPAN else None


def _places(values: NDArray[Any], low: int) -> NDArray[np.intp]:
    """Offsets from the smallest value; no copy if it is 0."""
    if values.dtype.kind in "bi" or (values.dtype.kind == "u" and values.dtype.itemsize < 8):
        values = values.astype(np.int64, copy=False)  # narrow types would overflow
    shifted = values - values.dtype.type(low) if low else values
    return shifted.astype(np.intp, copy=False)
