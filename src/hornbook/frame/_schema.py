"""What the columns of a table are: names, kinds, roles and levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Column", "Kind", "Label", "Role", "Schema", "array_schema", "distinct_names", "listed"]

Kind = Literal["numeric", "ordinal", "nominal"]
Role = Literal["feature", "target", "weight", "group", "id"]
Label = str | bool | int | float


@dataclass(frozen=True)
class Column:
    """One column of a table: its name, kind, role and levels.

    Parameters
    ----------
    name : str
        The name.
    kind : {"numeric", "ordinal", "nominal"}
        Numbers, categories with an order, or categories without one.
    role : {"feature", "target", "weight", "group", "id"}, default "feature"
        What the column is for.
    levels : tuple, default ()
        The categories, in the order of their codes; empty for numbers.
    source : str, default "number"
        What the user's column held: "number", "boolean", "text", "category" or "date".

    Examples
    --------
    >>> Column("color", "nominal", levels=("green", "red"), source="text").levels
    ('green', 'red')
    """

    name: str
    kind: Kind
    role: Role = "feature"
    levels: tuple[Label, ...] = ()
    source: str = "number"


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    Parameters
    ----------
    columns : tuple of Column
        The columns.
    named : bool
        Whether the names are the user's; False when they were made up (x0, x1, ...) for an array.

    Examples
    --------
    >>> schema = Schema((Column("age", "numeric"), Column("ill", "nominal", "target")), named=True)
    >>> schema.names, schema.find("target"), schema.features.names
    (('age', 'ill'), 1, ('age',))
    """

    columns: tuple[Column, ...]
    named: bool

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of the columns."""
        return tuple(column.kind for column in self.columns)

    @cached_property
    def numeric(self) -> NDArray[np.intp]:
        """Positions of the numeric columns."""
        return _positions(column.kind == "numeric" for column in self.columns)

    @cached_property
    def coded(self) -> NDArray[np.intp]:
        """Positions of the nominal and ordinal columns."""
        return _positions(column.kind != "numeric" for column in self.columns)

    @cached_property
    def places(self) -> NDArray[np.int32]:
        """Where kernels find each column: its place among the numbers, or -1 - its place among the codes."""
        # One integer says both which matrix and which column of it: kernels get numbers and codes as two
        # matrices, and the sign tells them apart without a second array.
        place = np.empty(len(self.columns), dtype=np.int32)
        place[self.numeric] = np.arange(len(self.numeric))
        place[self.coded] = -1 - np.arange(len(self.coded))
        # Cached and shared by all users of the schema.
        place.flags.writeable = False
        return place

    @cached_property
    def plain(self) -> bool:
        """Whether this is the schema of an array: numbers without names of their own."""
        return not self.named and self == array_schema(len(self.columns))

    @cached_property
    def features(self) -> Schema:
        """The feature columns only."""
        kept = tuple(column for column in self.columns if column.role == "feature")
        # The same object where all columns are features, so that callers can ask with `is` whether there is
        # anything to leave out.
        return self if len(kept) == len(self.columns) else Schema(kept, self.named)

    def find(self, role: Role) -> int | None:
        """Position of the first column with that role, or None."""
        return next((j for j, column in enumerate(self.columns) if column.role == role), None)

    def position(self, key: Any) -> int:
        """Position of a column, by name or position; the error for an unknown name suggests a similar one."""
        if type(key) is int and 0 <= key < len(self.columns):
            return key
        if isinstance(key, str):
            # A linear search: tables have few columns beside rows, and an index would have to be kept by each
            # schema.
            if key in self.names:
                return self.names.index(key)
            near = get_close_matches(key, self.names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the columns are {listed(self.names)}."
            raise ValueError(f"There is no column {key!r}: {hint}")
        try:
            j = index(key)
        except TypeError:
            raise TypeError(f"A column is given by its name or its position; got {key!r}.") from None
        if not -len(self.columns) <= j < len(self.columns):
            raise ValueError(
                f"There is no column at position {j}: the table has {len(self.columns)} columns, "
                "counted from 0; give a column name as text."
            )
        return j % len(self.columns)


@lru_cache(maxsize=64)
def array_schema(n_columns: int) -> Schema:
    """Schema of a plain array of numbers, shared by all arrays of the same width."""
    return Schema(tuple(Column(f"x{j}", "numeric") for j in range(n_columns)), named=False)


def distinct_names(names: Sequence[str]) -> None:
    """Reject a table in which two columns have the same name."""
    if len(set(names)) < len(names):
        twice, count = Counter(names).most_common(1)[0]
        raise ValueError(
            f"The column name {twice!r} occurs {count} times: give every column a name of its own."
        )


def listed(names: Sequence[object], most: int = 5) -> str:
    """List the first names in quotes, and how many more there are."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _positions(chosen: Iterable[bool]) -> NDArray[np.intp]:
    positions = np.flatnonzero(np.fromiter(chosen, dtype=np.bool_))
    positions.flags.writeable = False
    return positions
