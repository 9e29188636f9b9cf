"""Tables in which columns are set to one value, in the type that a learner takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame, as_frame, require_rows_and_columns
from hornbook.params import Floats

__all__ = ["TableColumn", "VariedTable"]


class TableColumn:
    """One column of a table: its name, its place and the values it has."""

    def __init__(self, frame: Frame, position: int) -> None:
        column = frame.schema.columns[position]
        self.name, self.position, self.levels = column.name, position, column.levels
        self.numeric = column.kind == "numeric"
        self._cells = frame.column(position)

    def known(self) -> Floats:
        """The numbers that are not missing."""
        cells = np.asarray(self._cells, dtype=np.float64)
        return cells[~np.isnan(cells)]

    def distinct(self) -> list[Any]:
        """Values that occur: numbers in order, or levels in the order of the column."""
        if self.numeric:
            return np.unique(self.known()).tolist()  # type: ignore[no-any-return]  # NumPy's stubs say Any
        return [level for code, level in enumerate(self.levels) if (self._cells == code).any()]

    def checked(self, values: Sequence[Any]) -> list[Any]:
        """Values that somebody wants to try, if they can be."""
        chosen = list(values)
        if not chosen:
            raise ValueError(f"parameter 'grid' must have a value for column {self.name!r}; got none.")
        if self.numeric:
            try:
                numbers = np.asarray(chosen, dtype=np.float64)
            except (TypeError, ValueError):
                numbers = np.array([np.nan])
            if numbers.ndim != 1 or not np.isfinite(numbers).all():
                raise ValueError(
                    f"parameter 'grid' must have finite numbers for column {self.name!r}; got {chosen!r}."
                )
            return numbers.tolist()  # type: ignore[no-any-return]  # as above
        known = self.distinct()
        unknown = [value for value in chosen if value not in known]
        if unknown:
            listed = ", ".join(map(repr, known))
            raise ValueError(
                f"parameter 'grid' must have levels that occur in column {self.name!r}, which are {listed}; "
                f"got {unknown[0]!r}."
            )
        return chosen

    def row_with(self, level: Any) -> int:
        """The first row that has a level."""
        return int((self._cells == self.levels.index(level)).argmax())


class VariedTable:
    """A table that can be had with some columns set to one value each.

    Parameters
    ----------
    X : table
        The table.
    as_frames : bool
        Whether the learner takes Frames; else arrays stay arrays, and DataFrames DataFrames.
    """

    def __init__(self, X: Any, *, as_frames: bool) -> None:
        self.frame = as_frame(X).features
        require_rows_and_columns(self.frame)
        self._native: nw.DataFrame[Any] | None = None
        self._array: NDArray[Any] | None = None
        if as_frames or isinstance(X, Frame | Mapping):
            return
        native = nw.from_native(X, eager_only=True, pass_through=True)
        if isinstance(native, nw.DataFrame):
            self._native = native
            return
        array = np.asarray(X)
        # Integers become floats, as a grid point between two of them must be representable.
        self._array = array.astype(np.float64 if array.dtype.kind in "biuf" else np.object_)

    def __len__(self) -> int:
        return len(self.frame)

    def column(self, key: Any) -> TableColumn:
        """One column, by name or position."""
        return TableColumn(self.frame, self.frame.schema.position(key))

    def with_cells(self, cells: Mapping[int, Any]) -> Any:
        """The table with the same value in each row of some columns, by position."""
        columns = [(TableColumn(self.frame, j), value) for j, value in cells.items()]
        if self._native is not None:
            return self._native.with_columns(*(self._series(*pair) for pair in columns)).to_native()
        if self._array is not None:
            array = self._array.copy()
            for column, value in columns:
                array[:, column.position] = value
            return array
        stored = [self.frame.column(j) for j in range(len(self.frame.schema))]
        for column, value in columns:
            full = float(value) if column.numeric else np.int32(column.levels.index(value))
            stored[column.position] = np.full(len(self), full)
        return Frame.from_columns(self.frame.schema, stored)

    def _series(self, column: TableColumn, value: Any) -> nw.Series[Any]:
        """A cell of the column repeated, which keeps its type; numbers may be between those that occur."""
        assert self._native is not None
        series = self._native[:, column.position]
        if not column.numeric:
            return series[[column.row_with(value)] * len(self)]
        return nw.new_series(
            series.name, np.full(len(self), float(value)), backend=self._native.implementation
        )
