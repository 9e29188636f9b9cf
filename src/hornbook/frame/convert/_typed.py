"""One column turned into numbers or codes, with its kind and levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hornbook._lazy import lazy_module
from hornbook.frame._lone_surrogates import NOT_TEXT, REPAIR, lone_surrogate
from hornbook.frame._schema import Kind, Label

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = [
    "Typed",
    "booleans",
    "categories",
    "dates",
    "decoded",
    "label",
    "numbers",
    "polars_dates",
    "refuse",
    "remapped",
    "text",
]

MICROSECONDS = 86_400_000_000  # in a day
PLAIN = tuple(np.dtype(name) for name in ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))

REMEDIES = {
    "lists": "give every element a column of its own",
    "structs": "give every field a column of its own",
    "binary data": "decode it to text or leave it out",
    "durations": "turn them into numbers, for example of seconds",
    "times of day": "turn them into numbers, for example of seconds",
}


@dataclass(frozen=True)
class Typed:
    """Values of one column: numbers in their own type, or int32 codes into the levels (-1 is missing)."""

    values: NDArray[Any]
    kind: Kind = "numeric"
    levels: tuple[Label, ...] = ()
    source: str = "number"


def numbers(values: NDArray[Any], source: str = "number") -> Typed:
    """Numbers as they are, except types that the native core does not read."""
    if values.dtype not in PLAIN or not values.flags.aligned:
        values = values.astype(np.float64)
    return Typed(values, source=source)


def booleans(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Typed:
    """Codes 0 and 1 with the levels False and True."""
    codes = values.astype(np.int32)
    if missing is not None:
        codes[missing] = -1
    return Typed(codes, "nominal", (False, True), "boolean")


def text(series: pl.Series, source: str = "text") -> Typed:
    """Codes of a polars string column; the levels are sorted, so they do not depend on the rows' order."""
    levels = series.unique().sort()
    has_gaps = levels.null_count() > 0
    if has_gaps:  # the first of them
        levels = levels.slice(1)
    codes = series.cast(pl.Enum(levels)).to_physical().cast(pl.Int32)
    # Filling no gaps would take as long as all the rest of a short column.
    filled = codes.fill_null(-1) if has_gaps else codes
    return Typed(filled.to_numpy(), "nominal", tuple(levels.to_list()), source)


def strings(name: str, cells: list[Any]) -> pl.Series:
    """A polars string column; text that cannot be encoded is rejected, naming its row."""
    try:
        return pl.Series(cells, dtype=pl.String)
    except UnicodeEncodeError as error:
        text = lone_surrogate(cells)
        raise ValueError(
            f"Column {name!r} holds {text!r} in row {cells.index(text)}, {NOT_TEXT}: {REPAIR}."
        ) from error


def categories(codes: NDArray[Any], levels: Iterable[Any], *, ordered: bool) -> Typed:
    """Codes and levels of a categorical type; a level that is itself missing makes its rows missing."""
    raw = list(levels)
    kept = [value for value in raw if not _absent(value)]
    if len(kept) < len(raw):
        place = np.cumsum([not _absent(value) for value in raw]) - 1
        codes = remapped(codes, np.where([_absent(value) for value in raw], -1, place))
    kind: Kind = "ordinal" if ordered else "nominal"
    return Typed(np.asarray(codes, dtype=np.int32), kind, tuple(label(value) for value in kept), "category")


def dates(values: NDArray[Any]) -> Typed:
    """Days since 1970 of a datetime64 array."""
    ticks = values.astype("datetime64[us]")
    days = ticks.view(np.int64) / MICROSECONDS
    days[np.isnat(ticks)] = np.nan
    return Typed(days, source="date")


def polars_dates(series: pl.Series) -> Typed:
    """Days since 1970 of a polars date or datetime column; a time zone counts as UTC."""
    if series.dtype == pl.Date:
        return Typed(series.to_physical().to_numpy(), source="date")
    ticks = series.cast(pl.Datetime("us", getattr(series.dtype, "time_zone", None))).to_physical()
    return Typed(ticks.to_numpy() / MICROSECONDS, source="date")


def remapped(codes: NDArray[Any], places: NDArray[Any]) -> NDArray[np.int32]:
    """Codes after level i moved to places[i]; missing stays missing."""
    table = np.append(places, -1).astype(np.int32)  # code -1 reads the last entry
    mapped: NDArray[np.int32] = table[codes]
    return mapped


def decoded(values: NDArray[Any], kind: Kind, levels: tuple[Label, ...]) -> NDArray[Any]:
    """Return the levels that codes stand for, in the narrowest fitting type; numbers as they are.

    Missing is NaN among numbers and None among booleans and text.
    """
    if kind == "numeric":
        return values
    types = set(map(type, levels))
    missing = bool((values < 0).any())
    if types == {bool} and not missing:
        table = np.array(levels)
    elif types and types <= {int, float}:
        table = np.array([*levels, np.nan] if missing else levels)
    else:
        table = np.array([*levels, None], dtype=object)
    cells: NDArray[Any] = table[values]
    return cells


def label(value: Any) -> Label:
    """Return a level as a plain Python value."""
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, str | bool | int | float) else str(value)


def refuse(name: str, what: str) -> NoReturn:
    """Reject a column of a type that no learner can use."""
    raise TypeError(f"Column {name!r} holds {what}, which no learner can use: {REMEDIES[what]}.")


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124 (only NaN differs from itself)
