"""Columns with a schema: the part of a Frame that functions on tables need."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from types import EllipsisType
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame._forms import Forms, TimeSaved
from hornbook.frame._schema import Role, Schema
from hornbook.frame.convert._assemble import Parts
from hornbook.frame.convert._typed import decoded
from hornbook.frame.readers._source import Source
from hornbook.params import threads

__all__ = ["Cells", "Key"]

Array = NDArray[Any]
Key = str | int
_T = TypeVar("_T")
MOST_PREPARED = 2**24  # cells; the forms of a larger table would cost more memory than they save time
CELLS_OF_ONE_THREAD = 2**20  # copied in about the time it takes to start a second thread


class Cells:
    """The columns of a table, their schema, and the parts of both that have a role.

    `Frame` is made of it: that adds the ways in and out, and what is found out about a table.

    Attributes
    ----------
    source : Source or None
        The file that `hornbook.read` made the table from, and how it was understood.
    forms : Forms or None
        What learners have made of a prepared table.
    """

    __slots__ = ("__weakref__", "_parts", "_schema", "forms", "source")

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._schema = parts.schema
        self.source: Source | None = None
        self.forms: Forms | None = None

    @classmethod
    def from_columns(
        cls, schema: Schema, columns: Sequence[Array] | NDArray[np.float64], n_rows: int | None = None
    ) -> Self:
        """Table of ready columns: numbers, and int32 codes with -1 for missing.

        Parameters
        ----------
        schema : Schema
            What the columns are.
        columns : sequence of ndarray, or float64 array of two dimensions
            One array for each column of the schema, or all of them as one array of numbers.
        n_rows : int, optional
            The number of rows, needed when there are no columns.
        """
        if isinstance(columns, np.ndarray):
            return cls._of(Parts(schema, len(columns), array=columns))
        ready = tuple(columns)
        return cls._of(Parts(schema, len(ready[0]) if ready else int(n_rows or 0), ready))

    @classmethod
    def _of(cls, parts: Parts) -> Self:
        table = cls.__new__(cls)
        Cells.__init__(table, parts)  # skips the type checks of Frame.__init__, whose input may be anything
        return table

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._schema

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, whatever their role."""
        return self._parts.n_rows, len(self._schema)

    @property
    def array(self) -> NDArray[np.float64] | None:
        """The float64 array the table was made from, if it was made from one."""
        return self._parts.array

    @property
    def single(self) -> NDArray[np.float32] | None:
        """The C-contiguous float32 array the table was made from, or rows of it, if it was made from one."""
        columns = self._parts.columns
        if not columns or columns[0].dtype != np.float32:
            return None
        # The columns of such an array are views of it. If their addresses are 4 bytes apart and their strides
        # a whole row, the matrix is there already and need not be gathered from them.
        first, shape = columns[0], self.shape
        strides, start = (4 * shape[1], 4), _address(first)
        for j, column in enumerate(columns):
            # Neighboring addresses alone could be a coincidence: arrays of different owners must not be read
            # as one.
            same = column.base is first.base and column.dtype == first.dtype
            if not same or column.strides != strides[:1] or _address(column) != start + 4 * j:
                return None
        # Read-only, because this is the memory of the user.
        return np.lib.stride_tricks.as_strided(first, shape, strides, writeable=False)

    def __len__(self) -> int:
        return self._parts.n_rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """All cells decoded: float64 when every column is numeric, objects otherwise."""
        if not len(self._schema.coded):
            return np.array(self.matrix, dtype=dtype, copy=copy)
        cells = np.empty(self.shape, dtype=object)
        for j, column in enumerate(self._schema.columns):
            cells[:, j] = decoded(self.column(j), column.kind, column.levels)
        return cells if dtype is None else cells.astype(dtype)

    def column(self, key: Key) -> Array:
        """One column as it is stored: numbers in their own type, or int32 codes with -1 for missing.

        Parameters
        ----------
        key : str or int
            Name or position.
        """
        return self._parts.column(self._schema.position(key))

    def __getitem__(self, key: Any) -> Any:
        """Rows as a Frame, or one column by name as an array of values.

        Parameters
        ----------
        key : str, int, slice, array of int or bool, or a pair of rows and columns
            A slice of rows is not copied.
        """
        if isinstance(key, str):
            column = self._schema.columns[self._schema.position(key)]
            return decoded(self.column(key), column.kind, column.levels)
        if not isinstance(key, tuple):
            return self._take(_rows(key, self._parts.n_rows))
        rows, chosen = key if len(key) == 2 else (key[0], ...)
        part = self if isinstance(rows, EllipsisType) else self._take(_rows(rows, self._parts.n_rows))
        return part if isinstance(chosen, EllipsisType) else part.select(chosen)

    def _take(self, rows: slice | NDArray[np.intp]) -> Self:
        if self._parts.array is not None:
            return self.from_columns(self._schema, self._parts.array[rows])
        # Counted without a column, because a table may have rows and no columns.
        n_rows = len(range(self._parts.n_rows)[rows]) if isinstance(rows, slice) else len(rows)
        return self.from_columns(self._schema, [values[rows] for values in self._parts.columns], n_rows)

    def select(self, columns: Any) -> Self:
        """Frame of some columns, in the order given, without a copy.

        Parameters
        ----------
        columns : str, int, slice, or sequence of str, int or bool
            Names or positions.
        """
        if isinstance(columns, str | int | np.integer):
            columns = [columns]
        if isinstance(columns, slice):
            columns = range(len(self._schema))[columns]
        marks = np.asarray(columns)
        if marks.dtype == np.bool_:
            columns = np.flatnonzero(marks)
        places = [self._schema.position(key) for key in columns]
        schema = Schema(tuple(self._schema.columns[j] for j in places), self._schema.named)
        return self.from_columns(schema, [self.column(j) for j in places], self._parts.n_rows)

    @property
    def features(self) -> Self:
        """The feature columns, without a copy."""
        if self._schema.features is self._schema:
            return self
        chosen = [j for j, column in enumerate(self._schema.columns) if column.role == "feature"]
        columns = [self.column(j) for j in chosen]
        return self.from_columns(self._schema.features, columns, self._parts.n_rows)

    def prepared(self, saved: TimeSaved | None = None) -> Self:
        """The same columns, of which learners that want the same form make it once; not if they are many.

        The forms live as long as the table that is returned.

        Parameters
        ----------
        saved : TimeSaved, optional
            Where the time of work that is not repeated is counted.
        """
        if self.forms is not None or len(self) * len(self._schema) > MOST_PREPARED:
            return self
        table = self._of(self._parts)
        table._schema, table.source = self._schema, self.source  # noqa: SLF001 - of its own class
        table.forms = Forms(saved or TimeSaved())
        return table

    def form(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return what a learner makes of the columns; a prepared table keeps it for the next one.

        Parameters
        ----------
        key : hashable
            Identifies the form.
        make : function
            Makes it; a table that it makes is prepared, too.
        """
        forms = self.forms
        if forms is None:
            return make()
        return forms.once(key, lambda: _prepared_too(make(), forms.saved))

    @property
    def y(self) -> Array | None:
        """Values of the target, or None."""
        return self._role("target")

    @property
    def w(self) -> NDArray[np.float64] | None:
        """The weights, or None."""
        weights = self._role("weight")
        return None if weights is None else weights.astype(np.float64, copy=False)

    @property
    def groups(self) -> Array | None:
        """Values of the group column, or None."""
        return self._role("group")

    def _role(self, role: Role) -> Array | None:
        j = self._schema.find(role)
        values: Array | None = None if j is None else self[self._schema.names[j]]
        return values

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The numeric columns as a C-contiguous float64 matrix, made at each call.

        The user's own array, uncopied, when it is C-contiguous and all numeric.
        """
        if self._parts.array is not None and self._parts.array.flags.c_contiguous:
            return self._parts.array
        if (single := self.single) is not None:
            return single.astype(np.float64)
        columns = [self.column(int(j)) for j in self._schema.numeric]
        if not columns:
            return np.empty((self._parts.n_rows, 0))
        return _native.gather(columns, self._threads(len(columns)))

    @property
    def codes(self) -> NDArray[np.int32]:
        """The nominal and ordinal columns as a C-contiguous matrix of codes, made at each call."""
        columns = [self.column(int(j)) for j in self._schema.coded]
        if not columns:
            return np.empty((self._parts.n_rows, 0), dtype=np.int32)
        return _native.gather_codes(columns, self._threads(len(columns)))

    def _threads(self, n_columns: int) -> int:
        return threads(None) if n_columns * len(self) > CELLS_OF_ONE_THREAD else 1

    @property
    def matrix(self) -> NDArray[np.float64]:
        """All columns as a float64 matrix; an error if one of them is not numeric."""
        if len(self._schema.coded):
            column = self._schema.columns[int(self._schema.coded[0])]
            raise ValueError(
                f"Column {column.name!r} is {column.kind}, but only numbers can be used here: "
                "turn it into numbers first with hornbook.Encoder, or leave it out."
            )
        return self.numbers


def _prepared_too(form: _T, saved: TimeSaved) -> _T:
    return form.prepared(saved) if isinstance(form, Cells) else form


def _address(column: Array) -> int:
    return int(column.__array_interface__["data"][0])


def _rows(key: Any, n_rows: int) -> slice | NDArray[np.intp]:
    if isinstance(key, slice):
        return key
    chosen = np.asarray(key)
    if chosen.dtype == np.bool_ and chosen.ndim == 1:
        if len(chosen) != n_rows:
            raise IndexError(f"The mask has {len(chosen)} entries, but the frame has {n_rows} rows.")
        return np.flatnonzero(chosen)
    # NumPy gives an empty list the type float64, which the check of types below would refuse.
    if chosen.size == 0 and chosen.ndim == 1:
        return np.empty(0, dtype=np.intp)
    if chosen.dtype.kind not in "iu" or chosen.ndim > 1:
        raise TypeError(f"Rows are chosen by a slice, integers or booleans; got {key!r}.")
    if chosen.ndim == 0:
        j = int(chosen)
        if not -n_rows <= j < n_rows:
            raise IndexError(f"There is no row {j}: the frame has {n_rows} rows, counted from 0.")
        # A row is a table with one row, so that what takes tables takes it, too; a slice needs no copy.
        return slice(j % n_rows, j % n_rows + 1)
    return chosen.astype(np.intp, copy=False)
