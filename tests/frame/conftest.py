"""Every test that asks for a library runs with each kind of table that Frame takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

Columns = dict[str, list[Any]]


def rows(columns: Columns) -> list[tuple[Any, ...]]:
    return list(zip(*columns.values(), strict=True))


def object_matrix(columns: Columns) -> np.ndarray:
    matrix = np.empty((len(rows(columns)), len(columns)), dtype=object)
    for j, values in enumerate(columns.values()):
        matrix[:, j] = values
    return matrix


MAKERS: dict[str, Callable[[Columns], Any]] = {
    "dict": dict,
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "pandas": pd.DataFrame,
    "pandas-nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas-arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-object": lambda columns: pd.DataFrame(columns, dtype=object),
    "pyarrow": pa.table,
    "dict of arrays": lambda columns: {
        name: np.array([*values, None], dtype=object)[:-1] for name, values in columns.items()
    },
    "dict of polars": lambda columns: {name: pl.Series(values) for name, values in columns.items()},
    "dict of pandas": lambda columns: {name: pd.Series(values) for name, values in columns.items()},
    "records": lambda columns: [dict(zip(columns, row, strict=True)) for row in rows(columns)],
}
NAMELESS: dict[str, Callable[[Columns], Any]] = {
    "rows": lambda columns: [list(row) for row in rows(columns)],
    "tuples": rows,
    "object array": object_matrix,
}


@pytest.fixture(params=MAKERS)
def table(request: pytest.FixtureRequest) -> Callable[[Columns], Any]:
    """Make a table with names out of columns, in every library."""
    return MAKERS[request.param]


@pytest.fixture(params=MAKERS | NAMELESS)
def any_table(request: pytest.FixtureRequest) -> Callable[[Columns], Any]:
    """Make a table out of columns, in every library, also in those without names."""
    return (MAKERS | NAMELESS)[request.param]
