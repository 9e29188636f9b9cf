"""One schema for all parts of a file, with the union of their levels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Column, Label, Schema
from hornbook.frame.convert._typed import remapped

__all__ = ["Union", "recoded"]


class Union:
    """Gathers the levels of tables that have the same columns otherwise."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._first: Schema | None = None
        self._levels: dict[int, set[Label]] = {}  # of columns whose levels are not the same in all tables

    def add(self, frame: Frame) -> None:
        """Add the levels of a table."""
        self.n_rows += len(frame)
        if self._first is None:
            self._first = frame.schema
        for j, (first, column) in enumerate(zip(self._first.columns, frame.schema.columns, strict=True)):
            if column.levels != first.levels:
                self._levels.setdefault(j, set(first.levels)).update(column.levels)

    def schema(self) -> Schema:
        """The columns of all tables, with the levels of all."""
        assert self._first is not None
        columns = (self._column(j, column) for j, column in enumerate(self._first.columns))
        return Schema(tuple(columns), self._first.named)

    def _column(self, j: int, column: Column) -> Column:
        # Levels that differ between parts were inferred from the data, and inferred levels are sorted.
        return replace(column, levels=tuple(sorted(self._levels[j]))) if j in self._levels else column


def recoded(frame: Frame, schema: Schema) -> Frame:
    """The same rows with the codes of the schema, which knows all their levels."""
    columns = []
    for j, (have, want) in enumerate(zip(frame.schema.columns, schema.columns, strict=True)):
        values = frame.column(j)
        if have.levels != want.levels:
            place = {level: code for code, level in enumerate(want.levels)}
            values = remapped(values, np.array([place[level] for level in have.levels], dtype=np.int32))
        columns.append(values)
    return Frame.from_columns(schema, columns, len(frame))
