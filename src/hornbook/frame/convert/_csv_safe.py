"""Protection of CSV text against formula injection in spreadsheets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hornbook._lazy import lazy_module

if TYPE_CHECKING:
    import polars as pl
else:
    pl = lazy_module("polars")


__all__ = ["csv_safe", "csv_unsafe"]

# Starts a formula in spreadsheets; a signed number does not count.
FORMULA = r"^[=+\-@\t\r\n]"
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"


def csv_safe(table: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before every text that a spreadsheet would evaluate as a formula.

    Parameters
    ----------
    table : DataFrame
        What is to be written as CSV.

    Examples
    --------
    >>> csv_safe(pl.DataFrame({"class": ["=1+1", "-0.5", "a=b"]}))["class"].to_list()
    ["'=1+1", '-0.5', 'a=b']
    """
    texts = [name for name, kind in table.schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    cells = [pl.col(name).cast(pl.String) for name in texts]
    guarded = [
        pl.when(cell.str.contains(FORMULA) & ~cell.str.contains(NUMBER))
        .then(pl.concat_str(pl.lit("'"), cell))
        .otherwise(cell)
        .alias(name)
        for name, cell in zip(texts, cells, strict=True)
    ]
    heads = pl.Series(table.columns)
    names = (
        heads.to_frame()
        .select(pl.when(heads.str.contains(FORMULA)).then("'" + heads).otherwise(heads))
        .to_series()
    )
    return table.with_columns(guarded).rename(dict(zip(table.columns, names, strict=True)))


def csv_unsafe(cell: Any) -> Any:
    """Remove the apostrophe that `csv_safe` adds.

    Parameters
    ----------
    cell : object
        A cell of a CSV file; what is not such a text stays as it is.

    Examples
    --------
    >>> csv_unsafe("'=1+1"), csv_unsafe("'tis"), csv_unsafe(1)
    ('=1+1', "'tis", 1)
    """
    guarded = isinstance(cell, str) and cell.startswith("'") and re.search(FORMULA, cell[1:])
    return cell[1:] if guarded else cell
