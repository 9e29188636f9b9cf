"""Columns of Python objects: infer their type, and reject mixtures."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hornbook._lazy import lazy_module
from hornbook.frame.convert._typed import Typed, booleans, dates, numbers, polars_dates, refuse, strings, text

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = ["from_objects", "is_missing", "object_array"]

MISSING, BOOLEAN, WHOLE, REAL, TEXT, DATE, OTHER = range(7)
WORDS = {BOOLEAN: "booleans", WHOLE: "numbers", REAL: "numbers", TEXT: "text", DATE: "dates"}
MISSING_TYPES = {("pandas", "NAType"), ("pandas", "NaTType")}  # by name, because pandas is never imported


def object_array(values: Iterable[Any]) -> NDArray[Any]:
    """Return an array of the objects themselves, also when they are sequences."""
    cells = list(values)
    return np.fromiter(cells, dtype=object, count=len(cells))


def is_missing(value: Any) -> bool:
    """Whether an object means a missing value: None, NaN, NaT, pandas' NA, also among decimals.

    Parameters
    ----------
    value : object
        A cell.

    Examples
    --------
    >>> is_missing(float("nan")), is_missing(Decimal("sNaN")), is_missing("")
    (True, True, False)
    """
    if value is None or (type(value).__module__.partition(".")[0], type(value).__name__) in MISSING_TYPES:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()  # comparing a signaling NaN raises
    return isinstance(value, float | np.floating | np.datetime64) and bool(value != value)  # noqa: PLR0124 - NaN


def from_objects(name: str, values: NDArray[Any]) -> Typed:
    """Type a column of Python objects: numbers, booleans, text or dates, with missing ones among them."""
    kinds = _kinds(values)
    kinds[_nan_rows(values, kinds)] = MISSING
    present = set(np.unique(kinds[kinds != MISSING]).tolist())
    if OTHER in present:
        _refuse_object(name, values, int(np.argmax(kinds == OTHER)))
    if present <= {BOOLEAN, WHOLE, REAL} and present != {BOOLEAN}:
        return _numbers(name, values, kinds, present)
    if len(present) > 1:
        _refuse_mixture(name, values, kinds)
    missing = kinds == MISSING
    cells = values
    if missing.any():
        cells = values.copy()
        cells[missing] = False if present == {BOOLEAN} else None
    if present == {BOOLEAN}:
        return booleans(cells, missing)
    if present == {TEXT}:
        return text(strings(name, cells.tolist()))
    return _dates(name, cells)


def _kinds(values: NDArray[Any]) -> NDArray[np.int8]:
    known = {kind: _kind(kind) for kind in set(map(type, values))}
    return np.fromiter(map(known.__getitem__, map(type, values)), dtype=np.int8, count=len(values))


def _kind(kind: type) -> int:
    if kind is type(None) or (kind.__module__.partition(".")[0], kind.__name__) in MISSING_TYPES:
        return MISSING
    for code, types in (
        (BOOLEAN, (bool, np.bool_)),
        (WHOLE, (int, np.integer)),
        (REAL, (float, np.floating, Decimal, Fraction)),
        (TEXT, (str,)),
        (DATE, (date, np.datetime64)),
    ):
        if issubclass(kind, types):
            # timedelta64 is a subtype of integer in NumPy.
            return OTHER if issubclass(kind, np.timedelta64) else code
    return OTHER


def _nan_rows(values: NDArray[Any], kinds: NDArray[np.int8]) -> NDArray[np.intp]:
    """Rows with a float that is NaN, or a date that is NaT."""
    rows = np.flatnonzero((kinds == REAL) | (kinds == DATE))
    cells = values[rows]
    try:
        return rows[np.asarray(cells != cells, dtype=np.bool_)]  # noqa: PLR0124 (only NaN and NaT differ from themselves)
    except InvalidOperation:  # raised by a signaling NaN among decimals
        return rows[np.fromiter(map(is_missing, cells), np.bool_, len(cells))]


def _numbers(name: str, values: NDArray[Any], kinds: NDArray[np.int8], present: set[int]) -> Typed:
    missing = kinds == MISSING
    if present == {WHOLE} and not missing.any():
        try:
            return numbers(values.astype(np.int64))
        except OverflowError:
            pass  # beyond 64 bits: a float is close enough for learning
    try:
        return numbers(np.where(missing, np.nan, values).astype(np.float64))
    except OverflowError:
        raise ValueError(f"Column {name!r} holds a number too large for a float: scale the column.") from None


def _dates(name: str, cells: NDArray[Any]) -> Typed:
    zoned = np.fromiter(map(_has_zone, cells), dtype=np.bool_, count=len(cells))
    if not zoned.any():
        return dates(cells.astype("datetime64[us]"))
    if not zoned[cells != np.array(None)].all():
        raise ValueError(
            f"Column {name!r} mixes dates with and without a time zone: make it one type, for example with "
            "pandas.to_datetime(..., utc=True)."
        )
    return polars_dates(pl.Series(cells.tolist()))


def _has_zone(cell: Any) -> bool:
    return getattr(cell, "tzinfo", None) is not None


def _refuse_mixture(name: str, values: NDArray[Any], kinds: NDArray[np.int8]) -> NoReturn:
    words = np.array([WORDS.get(code, "") for code in range(OTHER)])[kinds]
    present = np.flatnonzero(kinds != MISSING)
    other = present[np.argmax(words[present] != words[present[0]])]
    rank = list(WORDS.values())
    first, second = sorted((words[present[0]], words[other]), key=rank.index)
    raise ValueError(
        f"Column {name!r} mixes {first} and {second} (row {other} holds {values[other]!r}): "
        "make it one type, for example with astype(str)."
    )


def _refuse_object(name: str, values: NDArray[Any], row: int) -> NoReturn:
    value = values[row]
    if isinstance(value, complex | np.complexfloating):
        raise ValueError(  # noqa: TRY004 (scikit-learn's type and words)
            f"Complex data not supported: column {name!r} holds {value!r} in row {row}."
        )
    if isinstance(value, bytes | bytearray | memoryview):
        refuse(name, "binary data")
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        refuse(name, "lists")
    raise TypeError(
        f"Column {name!r} holds a {type(value).__name__} in row {row}: the argument must be a string or a "
        "number, so take it apart into columns of its own or leave it out."
    )
