"""Python's own types instead of NumPy's, for JSON and for comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

__all__ = ["plain", "plain_data"]


def plain(value: Any) -> Any:
    """Python's own type for a NumPy scalar, so that JSON takes it."""
    return value.item() if isinstance(value, np.generic) else value


def plain_data(
    value: Any,
    *,
    infinite: Callable[[float], Any] = lambda _: None,
    other: Callable[[Any], Any] = lambda value: value,
) -> Any:
    """Make plain data of a value, all the way down: what JSON can hold.

    Parameters
    ----------
    value : object
        Mappings become dicts with text as keys, arrays and sequences lists, numbers Python's own.
    infinite : function, default None for each
        What becomes of a number that is infinite or not a number, which JSON cannot represent.
    other : function, default itself
        What becomes of an object of another kind.

    Examples
    --------
    >>> plain_data({"scores": np.array([0.5, np.inf]), 3: (np.int64(1), "a")})
    {'scores': [0.5, None], '3': [1, 'a']}
    >>> plain_data([np.nan, {1}], infinite=str, other=repr)
    ['nan', '{1}']
    """
    # tolist() turns scalars and arrays of any depth into Python's own numbers.
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain_data(part, infinite=infinite, other=other) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(part, infinite=infinite, other=other) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return infinite(value)
    return value if value is None or isinstance(value, str | bool | int | float) else other(value)
