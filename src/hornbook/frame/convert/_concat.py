"""Concatenation of frames by rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._cells import Cells
from hornbook.frame._schema import Column, Label, Schema
from hornbook.frame.convert._typed import remapped

__all__ = ["joined"]

Table = TypeVar("Table", bound=Cells)


def joined(frames: Sequence[Table]) -> Table:
    """All rows of the frames, which must have the same columns."""
    if not frames:
        raise ValueError("There is nothing to concatenate: pass at least one Frame.")
    first = frames[0]
    for position, frame in enumerate(frames):
        if frame.schema.names != first.schema.names:
            raise ValueError(
                f"Frame {position} has the columns {', '.join(frame.schema.names)}, but frame 0 has "
                f"{', '.join(first.schema.names)}: give all frames the same columns in the same order."
            )
    # Frames that all come from arrays stay one array, of which `matrix` needs no copy.
    arrays = [frame.array for frame in frames if frame.array is not None]
    if len(arrays) == len(frames) and all(frame.schema == first.schema for frame in frames):
        return first.from_columns(first.schema, np.concatenate(arrays))
    pieces = [_column(frames, j) for j in range(len(first.schema))]
    schema = Schema(tuple(column for column, _ in pieces), first.schema.named)
    return first.from_columns(schema, [values for _, values in pieces], sum(map(len, frames)))


def _column(frames: Sequence[Cells], j: int) -> tuple[Column, NDArray[Any]]:
    columns = [frame.schema.columns[j] for frame in frames]
    values = [frame.column(j) for frame in frames]
    if all(column == columns[0] for column in columns):
        return columns[0], np.concatenate(values)
    # A column without values was read as numeric; it is compatible with every kind.
    nonempty = [column for column, cells in zip(columns, values, strict=True) if not _empty(column, cells)]
    model = nonempty[0] if nonempty else columns[0]
    for column in nonempty:
        if (column.kind, column.role) != (model.kind, model.role):
            raise ValueError(
                f"Column {model.name!r} is {model.kind} ({model.role}) in one frame and {column.kind} "
                f"({column.role}) in another: give it one kind and one role."
            )
    if model.kind == "numeric":
        return model, np.concatenate(
            [_as_numbers(cells, column) for cells, column in _pairs(values, columns)]
        )
    levels = _united([column.levels for column in nonempty], ordered=model.source == "category")
    return replace(model, levels=levels), _recoded(values, columns, levels)


def _pairs(values: list[NDArray[Any]], columns: list[Column]) -> list[tuple[NDArray[Any], Column]]:
    return list(zip(values, columns, strict=True))


def _empty(column: Column, cells: NDArray[Any]) -> bool:
    if column.kind == "numeric":
        return cells.dtype.kind == "f" and bool(np.isnan(cells).all())
    return not column.levels


def _as_numbers(cells: NDArray[Any], column: Column) -> NDArray[Any]:
    return cells if column.kind == "numeric" else np.full(len(cells), np.nan)


def _united(all_levels: list[tuple[Label, ...]], *, ordered: bool) -> tuple[Label, ...]:
    united = tuple(dict.fromkeys(level for levels in all_levels for level in levels))
    if ordered or len({type(level) for level in united}) > 1:
        return united  # the order of the type, with new levels appended
    return tuple(sorted(united))


def _recoded(
    values: list[NDArray[Any]], columns: list[Column], levels: tuple[Label, ...]
) -> NDArray[np.int32]:
    place = {level: code for code, level in enumerate(levels)}
    parts = [
        np.full(len(cells), -1, dtype=np.int32)
        if column.kind == "numeric"
        else remapped(cells, np.array([place[level] for level in column.levels], dtype=np.int32))
        for cells, column in _pairs(values, columns)
    ]
    return np.concatenate(parts)
