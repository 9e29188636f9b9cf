"""Conversion to the kinds set by the user: numbers to categories, text to numbers, ordered levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._schema import Kind, Label, listed
from hornbook.frame.convert._typed import Typed, label, remapped
from hornbook.frame.convert._whole_numbers import codes_among, distinct_whole

__all__ = ["retyped"]


def retyped(name: str, column: Typed, wanted: Any) -> Typed:
    """Return the column as the wanted kind, or as ordinal with the wanted levels in their order."""
    if isinstance(wanted, str):
        if wanted not in get_args(Kind):
            raise ValueError(
                f"Column {name!r} cannot be {wanted!r}: a kind is 'numeric', 'ordinal' or 'nominal', "
                "or the list of the levels in their order."
            )
        return _numeric(name, column) if wanted == "numeric" else _coded(column, wanted)
    if not isinstance(wanted, Sequence) or not wanted:
        raise TypeError(f"The kind of column {name!r} must be a word or a list of levels; got {wanted!r}.")
    return _ordered(name, _coded(column, "ordinal"), [label(level) for level in wanted])


def _coded(column: Typed, kind: Any) -> Typed:
    if column.kind != "numeric":
        return Typed(column.values, kind, column.levels, column.source)
    levels, codes = _distinct(column.values)
    return Typed(codes, kind, tuple(levels.tolist()), column.source)


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Sorted distinct numbers and the code of each row; -1 where it is missing."""
    values = np.ascontiguousarray(values)  # one pass over a row-major array instead of four
    if values.dtype.kind in "iu" and (levels := distinct_whole(values)) is not None:
        counted = codes_among(values, levels)
        assert counted is not None  # the levels come from these values
        return levels, counted
    present = ~np.isnan(values)
    levels, codes = np.unique(values[present], return_inverse=True)
    all_codes = np.full(len(values), -1, dtype=np.int32)
    all_codes[present] = codes
    return levels, all_codes


def _numeric(name: str, column: Typed) -> Typed:
    if column.kind == "numeric":
        return column
    levels = [_number(level) for level in column.levels]
    for code, level in enumerate(levels):
        if level is None:
            raise ValueError(
                f"Column {name!r} cannot be numeric: it holds {column.levels[code]!r} "
                f"(row {int(np.argmax(column.values == code))}), which is not a number."
            )
    table = np.array([*levels, np.nan], dtype=np.float64)  # code -1 reads the last entry
    return Typed(table[column.values])


def _number(level: Label) -> float | None:
    try:
        return float(level)
    except ValueError:
        return None


def _ordered(name: str, column: Typed, wanted: list[Label]) -> Typed:
    if len(set(wanted)) < len(wanted):
        raise ValueError(f"The levels of column {name!r} must all differ; got {listed(wanted)}.")
    place = {level: code for code, level in enumerate(wanted)}
    present = np.unique(column.values[column.values >= 0]).tolist()
    unknown = [column.levels[code] for code in present if column.levels[code] not in place]
    if unknown:
        raise ValueError(
            f"Column {name!r} holds {listed(unknown)}, which the list of its levels ({listed(wanted)}) "
            "leaves out: add them or correct the cells."
        )
    places = np.array([place.get(level, -1) for level in column.levels], dtype=np.int32)
    return Typed(remapped(column.values, places), "ordinal", tuple(wanted), column.source)
