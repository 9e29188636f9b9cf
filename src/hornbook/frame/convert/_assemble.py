"""The parts of a frame: columns of a table, with the kinds and roles set by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._lone_surrogates import NOT_TEXT, REPAIR, lone_surrogate
from hornbook.frame._schema import Column, Role, Schema, array_schema
from hornbook.frame.convert._retype import retyped
from hornbook.frame.convert._tables import read_table
from hornbook.frame.convert._typed import Typed

__all__ = ["Parts", "parts_of", "with_kinds", "with_roles"]


@dataclass(frozen=True)
class Parts:
    """What a frame is made of: columns, or one float64 array in their place."""

    schema: Schema
    n_rows: int
    columns: tuple[NDArray[Any], ...] = ()
    array: NDArray[np.float64] | None = None

    def column(self, j: int) -> NDArray[Any]:
        """Return the column at that position."""
        if self.array is None:
            return self.columns[j]
        numbers: NDArray[Any] = self.array[:, j]
        return numbers


def parts_of(data: Any) -> Parts:
    """Split a user's table into columns."""
    table = read_table(data)
    if table.array is not None:
        return Parts(array_schema(len(table.names)), table.n_rows, array=table.array)
    columns = zip(table.names, table.columns, strict=True)
    schema = Schema(tuple(_described(name, column) for name, column in columns), table.named)
    return Parts(schema, table.n_rows, tuple(column.values for column in table.columns))


def with_kinds(parts: Parts, kinds: Mapping[str | int, str | Sequence[Any]]) -> Parts:
    """Set the kinds of columns."""
    described = list(parts.schema.columns)
    values = [parts.column(j) for j in range(len(described))]
    for key, wanted in kinds.items():
        j = parts.schema.position(key)
        old = described[j]
        new = retyped(old.name, Typed(values[j], old.kind, old.levels, old.source), wanted)
        values[j], described[j] = new.values, _described(old.name, new, old.role)
    return Parts(Schema(tuple(described), parts.schema.named), parts.n_rows, tuple(values))


def with_roles(schema: Schema, roles: Mapping[Role, str | int | None]) -> Schema:
    """Set the roles of columns; a column that had one of them before becomes a feature."""
    columns = list(schema.columns)
    taken: dict[int, Role] = {}
    for role, key in roles.items():
        if key is None:
            continue
        j = schema.position(key)
        name, kind = columns[j].name, columns[j].kind
        if j in taken:
            raise ValueError(f"Column {name!r} cannot be both {taken[j]} and {role}: name two columns.")
        if role == "weight" and kind != "numeric":
            raise ValueError(f"Column {name!r} is {kind}, but weights must be numbers: name another column.")
        # A role is held by one column, so a second call of Frame with another target frees the former one.
        taken[j] = role
        columns = [replace(column, role="feature") if column.role == role else column for column in columns]
        columns[j] = replace(columns[j], role=role)
    return Schema(tuple(columns), schema.named) if taken else schema


def _described(name: str, column: Typed, role: Role = "feature") -> Column:
    # Refused on the way in: such text cannot be written as UTF-8, so reports and model files would fail
    # later, far from the cause.
    if lone_surrogate([name]) is not None:
        raise ValueError(f"A column has the name {name!r}, {NOT_TEXT}: {REPAIR}.")
    if (level := lone_surrogate(column.levels)) is not None:
        raise ValueError(f"Column {name!r} has the level {level!r}, {NOT_TEXT}: {REPAIR}.")
    return Column(name, column.kind, role, column.levels, column.source)
