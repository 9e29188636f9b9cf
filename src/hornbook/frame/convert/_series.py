"""Columns of NumPy, pandas, polars and pyarrow; narwhals recognizes them, so none needs to be imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from hornbook._lazy import lazy_module
from hornbook.frame.convert._objects import from_objects
from hornbook.frame.convert._typed import (
    Typed,
    booleans,
    categories,
    dates,
    numbers,
    polars_dates,
    refuse,
    remapped,
    strings,
    text,
)

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = ["from_array", "from_series"]

# By the name of the type, so that polars is imported only with its first column.
REFUSED = {
    "List": "lists",
    "Array": "lists",
    "Struct": "structs",
    "Binary": "binary data",
    "Duration": "durations",
    "Time": "times of day",
}


def from_array(name: str, values: NDArray[Any]) -> Typed:
    """Type one column of NumPy's own types."""
    kind = values.dtype.kind
    if kind in "fiu":
        return numbers(values)
    if kind == "U":
        return text(strings(name, values.tolist()))
    if kind in "bM":
        return booleans(values) if kind == "b" else dates(values)
    if kind in "SVm":
        refuse(name, "durations" if kind == "m" else "binary data")
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r} holds complex numbers.")
    return from_objects(name, values.astype(object, copy=False))


def from_series(name: str, series: nw.Series[Any]) -> Typed:
    """Type one column of a DataFrame."""
    native = series.to_native()
    if nw.dependencies.is_polars_series(native):
        return _from_polars(name, native)
    if nw.dependencies.is_pandas_like_series(native):
        return _from_pandas(name, native, series.dtype)
    if nw.dependencies.is_pyarrow_chunked_array(native):
        return _from_arrow(name, native)
    return _from_polars(name, series.to_polars())


def _from_polars(name: str, series: pl.Series) -> Typed:
    dtype = series.dtype.base_type()
    if dtype.__name__ in REFUSED:
        refuse(name, REFUSED[dtype.__name__])
    if dtype.__name__ in READERS:
        return READERS[dtype.__name__](series)
    if dtype.is_numeric():
        return numbers(series.to_numpy())  # a view where nothing is null
    return from_array(name, series.to_numpy())


def _enum(series: pl.Series) -> Typed:
    codes = series.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    dtype: Any = series.dtype
    return categories(codes, dtype.categories.to_list(), ordered=True)


READERS: dict[str, Callable[[pl.Series], Typed]] = {
    "String": text,
    "Enum": _enum,
    # Physical codes of a polars Categorical are global to the process; the levels in use are not.
    "Categorical": lambda series: text(series.cast(pl.String), source="category"),
    "Boolean": lambda series: booleans(series.cast(pl.Int32).fill_null(-1).to_numpy()),
    "Date": polars_dates,
    "Datetime": polars_dates,
    "Null": lambda series: numbers(np.full(len(series), np.nan)),
    "Decimal": lambda series: numbers(series.cast(pl.Float64).to_numpy()),
    "Int128": lambda series: numbers(series.cast(pl.Float64).to_numpy()),
}


def _from_arrow(name: str, values: Any) -> Typed:
    if not hasattr(values.type, "ordered"):  # only dictionary types have it
        return _from_polars(name, _polars_series(name, values))
    chunks = [chunk for chunk in values.unify_dictionaries().chunks if len(chunk)]
    codes = [chunk.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False) for chunk in chunks]
    levels = chunks[0].dictionary.to_pylist() if chunks else []
    joined = np.concatenate(codes) if chunks else np.empty(0, dtype=np.int32)
    return categories(joined, levels, ordered=values.type.ordered)


def _polars_series(name: str, values: Any) -> pl.Series:
    if str(values.type).startswith("decimal256"):  # polars supports 128 bits only, and panics
        values = values.cast("float64")
    try:
        return pl.Series(values)
    except (pl.exceptions.PanicException, pl.exceptions.PolarsError) as error:
        raise TypeError(
            f"Column {name!r} is of pyarrow's type {values.type}, which cannot be read ({error}): cast it to "
            "numbers, text or dates first."
        ) from None


def _from_pandas(name: str, series: Any, dtype: nw.dtypes.DType) -> Typed:
    if hasattr(series, "cat"):
        kept = series.cat
        return categories(kept.codes.to_numpy(), kept.categories.tolist(), ordered=bool(kept.ordered))
    if isinstance(series.dtype, np.dtype):
        return from_array(name, series.to_numpy())
    if dtype in (nw.Categorical, nw.Enum):  # a dictionary of pyarrow inside pandas
        return _from_arrow(name, series.array.__arrow_array__())
    return _pandas_text(series) if dtype == nw.String else _from_nullable(name, series, dtype)


def _pandas_text(series: Any) -> Typed:
    codes, distinct = series.factorize()
    words = [str(word) for word in distinct]
    order = sorted(range(len(words)), key=words.__getitem__)
    places = np.empty(len(order), dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return Typed(remapped(codes, places), "nominal", tuple(words[i] for i in order), "text")


def _from_nullable(name: str, series: Any, dtype: nw.dtypes.DType) -> Typed:
    missing = series.isna().to_numpy()
    if dtype == nw.Boolean:
        return booleans(series.to_numpy(dtype=np.bool_, na_value=False), missing)
    if dtype.is_numeric() and missing.any():
        return numbers(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if getattr(series.dtype, "tz", None) is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    return from_array(name, series.to_numpy())
