"""Read a bundled table, and reject a version that does not exist."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib.resources import files

import polars as pl

from hornbook.params import ParameterError, suggest

__all__ = ["choose", "table"]


def table(name: str, text: Sequence[str] = ()) -> pl.DataFrame:
    """Read one file of ``data/``, compressed or not; a dash is a missing cell, and some columns are text."""
    folder = files("hornbook.datasets").joinpath("data")
    plain = folder.joinpath(f"{name}.csv")
    file = plain if plain.is_file() else folder.joinpath(f"{name}.csv.gz")
    types = dict.fromkeys(text, pl.String)
    return pl.read_csv(file.read_bytes(), null_values="-", schema_overrides=types, infer_schema_length=None)


def choose(function: str, parameter: str, value: object, allowed: Collection[str]) -> None:
    """Reject a value that is not on the list, with the list."""
    if isinstance(value, str) and value in allowed:
        return
    listed = ", ".join(f"'{option}'" for option in allowed)
    hint = suggest(value, allowed) if isinstance(value, str) else ""
    raise ParameterError(f"{function}: parameter '{parameter}' must be one of {listed}; got {value!r}.{hint}")
