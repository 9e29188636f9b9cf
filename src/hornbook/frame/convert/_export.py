"""Frames as tables of polars and pandas, text and HTML."""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook._lazy import lazy_module
from hornbook.frame._cells import Cells
from hornbook.frame._schema import Column, listed
from hornbook.frame.convert._typed import MICROSECONDS, decoded

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")

__all__ = ["as_html", "as_pandas", "as_polars", "as_text"]

MOST_COLUMNS = 30  # shown in a notebook


def as_polars(frame: Cells) -> pl.DataFrame:
    """All columns, missing as null: text as String, categories as Categorical, ordinal text as Enum."""
    return pl.DataFrame(
        [_series(column, frame.column(j)) for j, column in enumerate(frame.schema.columns)],
        height=len(frame),
    )


def as_pandas(frame: Cells) -> Any:
    """All columns: numbers with NaN, dates, categories as Categorical, in order where they have one."""
    try:
        pd: Any = import_module("pandas")  # here, because the frame works without it
    except ImportError:
        raise ImportError("Frame.to_pandas needs pandas: pip install pandas, or use to_polars().") from None

    def cells(column: Column, values: NDArray[Any]) -> Any:
        if column.kind != "numeric":
            return pd.Categorical.from_codes(values, list(column.levels), ordered=column.kind == "ordinal")
        if column.source != "date":
            return np.array(values)
        return pd.to_datetime(_dates(column.name, values).cast(pl.Datetime("us")).to_numpy())

    columns = [cells(column, frame.column(j)) for j, column in enumerate(frame.schema.columns)]
    # The index keeps the rows of a table without columns; keys are numbers until the names are set.
    table = pd.DataFrame(dict(enumerate(columns)), index=range(len(frame)))
    table.columns = pd.Index([column.name for column in frame.schema.columns])
    return table


def _series(column: Column, values: NDArray[Any]) -> pl.Series:
    if column.kind == "numeric":
        return _dates(column.name, values) if column.source == "date" else _numbers(column.name, values)
    if not column.levels or any(isinstance(level, str) for level in column.levels):
        words = pl.Series([str(level) for level in column.levels], dtype=pl.String)
        codes = pl.Series(column.name, values)
        coded = codes.set(codes < 0, None).cast(pl.UInt32)
        labels = words.gather(coded).alias(column.name)
        if column.kind == "ordinal":
            return labels.cast(pl.Enum(words))
        return labels.cast(pl.Categorical) if column.source == "category" else labels
    cells = decoded(values, column.kind, column.levels).tolist()
    return pl.Series(column.name, cells, pl.Boolean if column.source == "boolean" else None, nan_to_null=True)


def _numbers(name: str, values: NDArray[Any]) -> pl.Series:
    return pl.Series(name, np.ascontiguousarray(values), nan_to_null=True)


def _dates(name: str, days: NDArray[Any]) -> pl.Series:
    series = _numbers(name, days)
    # Dates at midnight are whole numbers of days, which fit into the type without a time of day.
    if not (days[~np.isnan(days)] % 1).any():
        return series.cast(pl.Int32).cast(pl.Date)
    # Rounded, because a time of day is a fraction of a day that binary numbers hold only approximately, and
    # the cast alone would cut it off a microsecond too early.
    return (series * MICROSECONDS).round().cast(pl.Int64).cast(pl.Datetime("us"))


def as_text(frame: Cells) -> str:
    """One line with the shape, kinds and target of a frame."""
    schema = frame.schema
    n_rows, n_columns = frame.shape
    counts = Counter(schema.kinds)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in ("numeric", "ordinal", "nominal") if counts[kind])
    roles = "".join(f"; {c.role} {c.name!r}" for c in schema.columns if c.role != "feature")
    size = f"{_plural(n_rows, 'row')}, {_plural(n_columns, 'column')}"
    return f"Frame({size}{': ' if kinds else ''}{kinds}{roles})"


def as_html(frame: Cells) -> str:
    """Return a small table of the columns."""
    columns = frame.schema.columns
    rows = "".join(
        f"<tr><td>{escape(c.name)}</td><td>{c.kind}</td><td>{c.role}</td><td>{escape(_levels(c))}</td></tr>"
        for c in columns[:MOST_COLUMNS]
    )
    more = len(columns) - MOST_COLUMNS
    rest = f"<tr><td colspan='4'>and {more} more columns</td></tr>" if more > 0 else ""
    return (
        f"<table><caption>{escape(as_text(frame))}</caption>"
        "<thead><tr><th>column</th><th>kind</th><th>role</th><th>levels</th></tr></thead>"
        f"<tbody>{rows}{rest}</tbody></table>"
    )


def _levels(column: Column) -> str:
    if column.kind == "numeric":
        return "days since 1970" if column.source == "date" else ""
    return listed(column.levels)


def _plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
