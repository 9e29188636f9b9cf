"""Read a table that comes with the package, and refuse a version that does not exist."""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files

import polars as pl

from hornbook.params import ParameterError, suggest

__all__ = ["choose", "table"]


def table(name: str) -> pl.DataFrame:
    """Read one file of ``data/``; a cell with a dash is missing."""
    content = files("hornbook.datasets").joinpath("data", f"{name}.csv").read_bytes()
    return pl.read_csv(content, null_values="-")


def choose(function: str, parameter: str, value: object, allowed: Collection[str]) -> None:
    """Refuse a value that is not on the list, with the list."""
    if isinstance(value, str) and value in allowed:
        return
    listed = ", ".join(f"'{each}'" for each in allowed)
    hint = suggest(value, allowed) if isinstance(value, str) else ""
    raise ParameterError(f"{function}: parameter '{parameter}' must be one of {listed}; got {value!r}.{hint}")
