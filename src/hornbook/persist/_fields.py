"""Whether a value matches the annotation of a field."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

__all__ = ["fits"]

# NumPy scalars count as Python numbers: which of the two a record holds depends on how it was computed.
PLAIN: dict[Any, tuple[type, ...]] = {
    bool: (bool, np.bool_),
    int: (int, np.integer),
    float: (float, int, np.floating, np.integer),
    str: (str,),
    NoneType: (NoneType,),
    list: (list,),
    tuple: (tuple,),
    dict: (dict,),
}


def fits(value: Any, hint: Any) -> bool:
    """Check a value against an annotation; what cannot be checked at run time passes."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, inner[0])
    if origin is Union or origin is UnionType:
        return any(fits(value, option) for option in inner)
    if origin is Literal:
        return any(type(value) is type(option) and value == option for option in inner)
    if origin in GENERIC:
        return isinstance(value, origin) and GENERIC[origin](value, inner)
    if hint in PLAIN:
        is_truth = isinstance(value, bool | np.bool_)
        return isinstance(value, PLAIN[hint]) and (hint is bool or not is_truth)
    return hint is Any or not isinstance(hint, type) or isinstance(value, hint)


def _array_fits(array: np.ndarray[Any, Any], inner: tuple[Any, ...]) -> bool:
    # NDArray[np.float64] is ndarray[shape, dtype[float64]].
    (wanted,) = get_args(inner[1])
    # By its letters: NumPy has two types for integers of 64 bits, and kernels return either.
    actual = np.dtype(array.dtype.str).type
    return wanted is Any or issubclass(actual, get_origin(wanted) or wanted)


def _tuple_fits(value: tuple[Any, ...], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return all(fits(item, inner[0]) for item in value)
    return len(value) == len(inner) and all(map(fits, value, inner))


def _list_fits(value: list[Any], inner: tuple[Any, ...]) -> bool:
    return all(fits(item, inner[0]) for item in value)


def _dict_fits(value: dict[Any, Any], inner: tuple[Any, ...]) -> bool:
    return all(fits(key, inner[0]) and fits(item, inner[1]) for key, item in value.items())


GENERIC: dict[Any, Callable[[Any, tuple[Any, ...]], bool]] = {
    np.ndarray: _array_fits,
    tuple: _tuple_fits,
    list: _list_fits,
    dict: _dict_fits,
}
