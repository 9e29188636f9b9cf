"""Conversion of every supported table type into typed columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, Any, NoReturn

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from hornbook._lazy import lazy_module
from hornbook.frame._schema import Kind, array_schema, distinct_names
from hornbook.frame.convert._objects import from_objects, object_array
from hornbook.frame.convert._series import from_array, from_series
from hornbook.frame.convert._typed import Typed, label

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = ["RawTable", "read_table"]

SCALARS = (str, bool, int, float, np.generic, type(None))


@dataclass(frozen=True)
class RawTable:
    """Typed columns of a table, or one float64 array unchanged."""

    names: tuple[str, ...]
    named: bool
    n_rows: int
    columns: tuple[Typed, ...] = ()
    array: NDArray[np.float64] | None = None


def read_table(data: Any) -> RawTable:
    """Convert a DataFrame, an array, a dict of columns, or a list of rows."""
    if issparse(data):
        raise TypeError(
            "Sparse data was passed for X, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(data, np.ndarray):
        return _from_ndarray(data)
    if isinstance(data, Mapping):
        return _from_mapping(data)
    if isinstance(data, list | tuple):
        return _from_rows(data)
    if isinstance(data, str | bytes):
        raise TypeError(f"A table is needed; got {data!r}: read a file first with hornbook.read.")
    return _from_library(data)


def _from_library(data: Any) -> RawTable:
    # The order matters: a DataFrame also has `__array__`, through which it would lose the types of its
    # columns, and Arrow's interface comes before NumPy's for the same reason.
    if nw.dependencies.is_into_dataframe(data):
        return _from_dataframe(data)
    if nw.dependencies.is_into_series(data):
        _refuse_dimension(1)
    if isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame):
        raise TypeError(
            f"A {type(data).__name__} has no rows yet: call its collect() or compute() and pass the result."
        )
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return _from_dataframe(pl.DataFrame(data))
    # Last, for tensors and other arrays that only know how to become NumPy's.
    if hasattr(data, "__array__"):
        return _from_ndarray(np.asarray(data))
    raise TypeError(
        f"A table is needed; got {type(data).__name__}: pass a DataFrame, a two-dimensional array, "
        "a dict of columns or a list of rows."
    )


def _from_dataframe(data: Any) -> RawTable:
    own = data.column_names if hasattr(data, "column_names") else list(data.columns)
    named = all(isinstance(name, str) for name in own)
    made_up = list(own) == list(range(len(own)))  # the default column names of pandas
    names = tuple(f"x{name}" if made_up else str(name) for name in own)
    distinct_names(names)
    table = nw.from_native(data, eager_only=True)
    columns = tuple(
        from_series(name, series) for name, series in zip(names, table.iter_columns(), strict=True)
    )
    return RawTable(names, named, len(table), columns)


def _from_ndarray(data: NDArray[Any]) -> RawTable:
    if data.ndim != 2:
        _refuse_dimension(data.ndim)
    n_rows, n_columns = data.shape
    names = array_schema(n_columns).names
    if isinstance(data, np.ma.MaskedArray):
        data = _unmasked(data)
    data = np.asarray(data)  # a plain view of subclasses such as memory maps, without a copy
    if data.dtype.kind == "c":
        raise ValueError("Complex data not supported: pass real and imaginary parts as columns of their own.")
    # Kept as it is, without a copy: kernels read native, aligned doubles only.
    if data.dtype == np.float64 and data.dtype.isnative and data.flags.aligned:
        return RawTable(names, named=False, n_rows=n_rows, array=data)
    columns = tuple(from_array(name, data[:, j]) for j, name in enumerate(names))
    return RawTable(names, named=False, n_rows=n_rows, columns=columns)


def _unmasked(data: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    numeric = data.dtype.kind in "fiu"
    # A type that has a value for "missing", into which the mask can be written.
    cells = np.asarray(data).astype(np.float64 if numeric else object)
    cells[np.ma.getmaskarray(data)] = np.nan if numeric else None
    return cells


def _from_mapping(data: Mapping[Any, Any]) -> RawTable:
    names = tuple(str(name) for name in data)
    distinct_names(names)
    columns = tuple(_column(name, values) for name, values in zip(names, data.values(), strict=True))
    lengths = [len(column.values) for column in columns]
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise ValueError(
                f"Column {name!r} has {length} rows and column {names[0]!r} has {lengths[0]}: "
                "all columns must have the same number of rows."
            )
    return RawTable(names, named=True, n_rows=lengths[0] if lengths else 0, columns=columns)


def _categorical(values: Any) -> Typed:
    """The column of a pandas Categorical, which is an array with levels and no Series."""
    levels = tuple(label(level) for level in values.categories.tolist())
    kind: Kind = "ordinal" if values.ordered else "nominal"
    return Typed(np.asarray(values.codes).astype(np.int32), kind, levels, "category")


def _column(name: str, values: Any) -> Typed:
    values = _as_series(values)
    if hasattr(values, "codes") and hasattr(values, "categories") and hasattr(values, "ordered"):
        return _categorical(values)
    if nw.dependencies.is_into_series(values):
        return from_series(name, nw.from_native(values, series_only=True))
    if hasattr(values, "__array__"):
        values = np.asarray(values)
        if values.ndim != 1:
            raise ValueError(f"Column {name!r} has {values.ndim} dimensions: a column must have one.")
        return from_array(name, values)
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise TypeError(
            f"Column {name!r} is of type {type(values).__name__}: pass a list or array with one value a row."
        )
    return from_objects(name, object_array(values))


def _as_series(values: Any) -> Any:
    """Turn extension arrays of pandas and pyarrow, whose types NumPy lacks, into series."""
    pandas, pyarrow = nw.dependencies.get_pandas(), nw.dependencies.get_pyarrow()  # None if not imported
    if pandas is not None and isinstance(values, pandas.api.extensions.ExtensionArray | pandas.Index):
        return pandas.Series(values)
    if pyarrow is not None and isinstance(values, pyarrow.Array):
        return pyarrow.chunked_array([values])
    return values


def _from_rows(rows: Sequence[Any]) -> RawTable:
    types = set(map(type, rows))
    if types and all(issubclass(kind, Mapping) for kind in types):
        return _from_records(rows)
    if not types or not all(issubclass(kind, list | tuple | np.ndarray) for kind in types):
        _refuse_rows(types)
    lengths = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
    uneven = np.flatnonzero(lengths != lengths[0])
    if len(uneven):
        raise ValueError(
            f"Row {uneven[0]} has {lengths[uneven[0]]} values and row 0 has {lengths[0]}: "
            "all rows must have the same number of values."
        )
    names = tuple(f"x{j}" for j in range(lengths[0]))
    cells = zip(*rows, strict=True)
    columns = tuple(
        from_objects(name, object_array(values)) for name, values in zip(names, cells, strict=True)
    )
    return RawTable(names, named=False, n_rows=len(rows), columns=columns)


def _from_records(records: Sequence[Mapping[Any, Any]]) -> RawTable:
    # In the order in which they first occur; records may leave keys out, which then are missing cells.
    keys = list(dict.fromkeys(chain.from_iterable(records)))
    names = tuple(str(key) for key in keys)
    distinct_names(names)
    columns = tuple(
        from_objects(name, object_array(map(methodcaller("get", key), records)))
        for name, key in zip(names, keys, strict=True)
    )
    return RawTable(names, named=True, n_rows=len(records), columns=columns)


def _refuse_rows(types: set[type]) -> NoReturn:
    if all(issubclass(kind, SCALARS) for kind in types):
        _refuse_dimension(1)
    names = " and ".join(sorted(kind.__name__ for kind in types))
    raise TypeError(f"A list must hold rows, either all lists or all dicts; got {names} in it.")


def _refuse_dimension(n: int) -> NoReturn:
    if n == 1:
        raise ValueError(
            "Expected 2D array, got 1D array instead. Reshape your data: array.reshape(-1, 1) makes it one "
            "column, array.reshape(1, -1) one row."
        )
    if n == 0:
        raise ValueError("Expected 2D array, got scalar array instead: pass a table with rows and columns.")
    raise ValueError(f"Found array with dim {n}: a table has rows and columns, so exactly 2 are expected.")
