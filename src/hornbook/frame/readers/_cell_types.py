"""Types of the cells of a text column: numbers, booleans, dates, or text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import polars as pl

__all__ = ["READ_AS", "CellType", "converted", "types_of", "widest"]

CellType = Literal["empty", "whole", "real", "boolean", "date", "time", "text"]

# The type a column is read as; dates are converted afterwards, by one rule.
READ_AS: dict[CellType, type[pl.DataType]] = {
    "empty": pl.String,
    "whole": pl.Int64,
    "real": pl.Float64,
    "boolean": pl.Boolean,
    "date": pl.String,
    "time": pl.String,
    "text": pl.String,
}


def _boolean(column: pl.Expr) -> pl.Expr:
    lower = column.str.to_lowercase()
    return pl.when(lower.is_in(["true", "false"])).then(lower == "true")


# Cells that cannot be converted become null.
CONVERTERS: dict[CellType, Callable[[pl.Expr], pl.Expr]] = {
    "empty": lambda column: column.cast(pl.Float64, strict=False),
    "whole": lambda column: column.cast(pl.Int64, strict=False),
    "real": lambda column: column.cast(pl.Float64, strict=False),
    "boolean": _boolean,
    "date": lambda column: column.str.to_date("%Y-%m-%d", strict=False),
    "time": lambda column: column.str.replace("T", " ").str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False),
    "text": lambda column: column,
}


def types_of(cells: pl.DataFrame, *, decimal_comma: bool) -> list[CellType]:
    """Return the narrowest type that can hold every cell of each column of text."""
    n_values = cells.select(pl.all().count()).row(0) if cells.width else ()
    types: list[CellType] = []
    for name, n in zip(cells.columns, n_values, strict=True):
        # From the narrowest to the widest, and the first that reads every value is taken: 0 and 1 are
        # numbers.
        trials: list[CellType] = ["whole", "real", "boolean", "date", "time", "text"]
        fits = (kind for kind in trials if _readable(cells, _made(name, kind, decimal_comma)) == n)
        types.append(next(fits) if n else "empty")
    return types


def _made(name: str, kind: CellType, decimal_comma: bool) -> pl.Expr:
    column = pl.col(name)
    if decimal_comma and kind == "real":
        column = column.str.replace(",", ".", literal=True)
    return CONVERTERS[kind](column)


def _readable(cells: pl.DataFrame, made: pl.Expr) -> int:
    n: int = cells.select(made.count()).item()
    return n


def widest(one: Sequence[CellType], other: Sequence[CellType]) -> list[CellType]:
    """Return types that hold the cells of both, column by column."""
    return [_wider(a, b) for a, b in zip(one, other, strict=True)]


def _wider(a: CellType, b: CellType) -> CellType:
    if b in (a, "empty"):
        return a
    if a == "empty":
        return b
    # Only numbers have a common type; to make a date of a number, or a time of a date, would be a guess.
    return "real" if {a, b} == {"whole", "real"} else "text"


def converted(cells: pl.DataFrame, types: Sequence[CellType], *, decimal_comma: bool) -> pl.DataFrame | None:
    """Turn columns of text into their types; None when a cell is not of its column's type."""
    pending = [
        (name, kind)
        for name, dtype, kind in zip(cells.columns, cells.dtypes, types, strict=True)
        if dtype == pl.String and kind != "text"
    ]
    if not pending:
        return cells
    done = cells.with_columns(_made(name, kind, decimal_comma) for name, kind in pending)
    if any(done[name].null_count() != cells[name].null_count() for name, _ in pending):
        return None
    return done
