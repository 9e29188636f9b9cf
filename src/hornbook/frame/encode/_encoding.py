"""Numbers from a table of any columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame._frame import Frame
from hornbook.frame._memory import require_memory
from hornbook.frame._schema import Label, Schema
from hornbook.frame.convert._align import align
from hornbook.frame.encode._column_statistics import Statistics, column_statistics
from hornbook.frame.encode._rules import (
    Scale,
    fills,
    kept_levels,
    refuse_missing,
    scaling,
    spaced,
    warn_of_empty,
)
from hornbook.params import Floats, Shape, threads

__all__ = ["Encoding", "Missing", "Scale"]

Missing = Literal["impute", "indicate", "keep", "error"]
ROWS = 4096  # encoded at a time, so that a part stays in the cache


@dataclass(frozen=True)
class Encoding:
    """How the columns of a table become numbers, as learned from some rows.

    A nominal column becomes one indicator for every level, an ordinal one evenly spaced numbers from 0 to 1,
    a numeric one itself. Missing cells get the mean or the most frequent level.

    Parameters
    ----------
    schema : Schema
        The columns.
    scale : {"standard", "range"}, optional
        Whether numeric and ordinal columns get mean 0 and standard deviation 1, or the range from 0 to 1.
    max_categories : int
        The most indicators for one column; the rarest levels share the last one.
    missing : {"impute", "indicate", "keep", "error"}
        What happens to missing cells; kept, they are NaN in all the columns made of theirs.
    kept : tuple of tuple
        For each column, the levels with an indicator of their own.
    other : tuple of bool
        For each column, whether the other levels share one.
    fill : ndarray
        For each column, what stands for a missing cell: a number, a place in [0, 1], or the number of an
        indicator.
    center, spread : ndarray
        For each column, what is subtracted and then divided by; a spread of 0 makes the column 0.
    indicator : tuple of bool
        For each column, whether a further 0/1 column says where it is missing.

    Examples
    --------
    >>> fruit = Frame({"fruit": ["watermelon", "pumpkin", "cucumber"]})
    >>> encoding = Encoding.fit(fruit)
    >>> encoding.names
    ('fruit=cucumber', 'fruit=pumpkin', 'fruit=watermelon')
    >>> encoding.apply(fruit).tolist()
    [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """

    schema: Schema
    scale: Scale
    max_categories: int
    missing: Missing
    kept: Annotated[tuple[tuple[Label, ...], ...], Shape("n_columns")]
    other: Annotated[tuple[bool, ...], Shape("n_columns")]
    fill: Annotated[Floats, Shape("n_columns")]
    center: Annotated[Floats, Shape("n_columns")]
    spread: Annotated[Floats, Shape("n_columns")]
    indicator: Annotated[tuple[bool, ...], Shape("n_columns")]

    @classmethod
    def fit(
        cls,
        frame: Frame,
        w: Floats | None = None,
        *,
        scale: Scale = None,
        max_categories: int = 256,
        missing: Missing = "impute",
    ) -> Encoding:
        """Learn the encoding from the rows of one frame.

        Parameters
        ----------
        frame : Frame
            The features.
        w : ndarray, optional
            Weights of the rows.
        scale, max_categories, missing
            As for the class.
        """
        statistics = column_statistics(frame, w)
        return cls.from_statistics(
            frame.schema, statistics, scale=scale, max_categories=max_categories, missing=missing
        )

    @classmethod
    def from_statistics(
        cls, schema: Schema, statistics: Statistics, *, scale: Scale, max_categories: int, missing: Missing
    ) -> Encoding:
        """Work the encoding out from the statistics of the columns.

        Parameters
        ----------
        schema : Schema
            The columns.
        statistics : Statistics
            Of the rows to learn from, as made by `column_statistics`.
        scale, max_categories, missing
            As for the class.
        """
        if missing == "error" and statistics.missing.any():
            refuse_missing(schema.names[int(np.argmax(statistics.missing > 0))])
        # Before anything is filled in: an empty column has no mean, and its fill is an arbitrary 0.
        warn_of_empty(schema, statistics)
        # An indicator for every level, not for all but one: distances and penalties then treat all levels
        # alike, and methods that need independent columns take the shortest of all solutions.
        kept, other = kept_levels(schema, statistics, max_categories)
        fill, center, spread = fills(schema, statistics, kept), np.zeros(len(schema)), np.ones(len(schema))
        for j, column in enumerate(schema.columns):
            # Indicators are not scaled: they have a common range, and 0 and 1 can be read.
            if scale is not None and column.kind != "nominal":
                center[j], spread[j] = scaling(schema, statistics, j, scale)
        # Only for columns with gaps at fit: elsewhere the indicator would be constant, and a linear model
        # could not learn a coefficient for it.
        marked = tuple(missing == "indicate" and bool(mass > 0) for mass in statistics.missing)
        return cls(schema, scale, max_categories, missing, kept, other, fill, center, spread, marked)

    @classmethod
    def of_numbers(cls, schema: Schema) -> Encoding:
        """Keep numeric columns as they are, missing cells included: nothing is learned from rows.

        Parameters
        ----------
        schema : Schema
            The columns, all of them numeric.
        """
        d = len(schema)
        no = (False,) * d
        return cls(schema, None, 256, "keep", ((),) * d, no, np.zeros(d), np.zeros(d), np.ones(d), no)

    def verify(self, _: Schema) -> None:
        """Refuse indicators that are not those of the levels, as a damaged file may have them."""
        for column, kept, other, fill in zip(
            self.schema.columns, self.kept, self.other, self.fill.tolist(), strict=True
        ):
            levels, own = column.levels if column.kind == "nominal" else (), set(kept)
            # Codes are translated by position, so levels in another order would be taken for each other
            # without any error.
            in_order = tuple(level for level in levels if level in own) == kept
            known = column.kind != "nominal" or fill in range(-1, len(kept) + other)
            if not in_order or not known or other != (len(kept) < len(levels)):
                raise ValueError(f"the indicators of column {column.name!r} are not those of its levels.")

    @property
    def keeps_numbers(self) -> bool:
        """Whether rows become the numbers that they are, missing ones included."""
        return self._only_numbers and self.missing == "keep"

    @property
    def _only_numbers(self) -> bool:
        return self.scale is None and not len(self.schema.coded) and not any(self.indicator)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the encoded columns: age, age=missing, color=green, color=other."""
        names: list[str] = []
        for j, column in enumerate(self.schema.columns):
            if column.kind == "nominal":
                names += [f"{column.name}={level}" for level in self.kept[j]]
                names += [f"{column.name}=other"] * self.other[j]
            else:
                names.append(column.name)
            if self.indicator[j]:
                # A column may have a level of that name, and names must differ.
                word = "missing" if "missing" not in self.kept[j] else "missing value"
                names.append(f"{column.name}={word}")
        return tuple(names)

    @property
    def offsets(self) -> NDArray[np.intp]:
        """Where the encoded columns of each column begin, and where the last ends."""
        widths = [
            (len(kept) + other if column.kind == "nominal" else 1) + marked
            for column, kept, other, marked in zip(
                self.schema.columns, self.kept, self.other, self.indicator, strict=True
            )
        ]
        return np.cumsum([0, *widths])

    def apply(self, frame: Frame, *, complete: bool = False) -> Floats:
        """Encode the rows of a frame with the same columns.

        Parameters
        ----------
        frame : Frame
            The features; categories that were not there at fit count as missing.
        complete : bool, default False
            Whether no cell is known to be missing, so that nobody need look again.

        Returns
        -------
        ndarray of shape (n_rows, n_encoded)
            The numbers; the frame's own matrix where there is nothing to change.
        """
        frame = align(frame, self.schema)
        if self._only_numbers:
            X = frame.matrix
            # No copy where nothing changes: looking for gaps is cheaper than writing the matrix again.
            if complete or self.missing == "keep" or not _native.scan(X, threads(None))[0].any():
                return X
        n_rows, n_columns = len(frame), int(self.offsets[-1])
        remedy = f"lower max_categories (now {self.max_categories}), or encode fewer rows at a time"
        require_memory(n_rows, n_columns, remedy)
        # Zeros, so that for indicators only the ones have to be written.
        out = np.zeros((n_rows, n_columns))
        places = [slice(start, stop) for start, stop in pairwise(self.offsets.tolist())]
        columns = [(j, frame.column(j), place, self._table(j)) for j, place in enumerate(places)]
        for start in range(0, n_rows, ROWS):
            part = out[start : start + ROWS]
            for j, values, place, table in columns:
                self._fill_in(j, values[start : start + ROWS], table, part[:, place])
        return out

    def _table(self, j: int) -> NDArray[Any]:
        """What each code of a column becomes, the missing one last; empty for numbers."""
        column = self.schema.columns[j]
        if column.kind == "numeric":
            return np.empty(0)
        if column.kind == "ordinal":
            return self._scaled(np.append(spaced(len(column.levels)), self.fill[j]), j)
        place = {level: i for i, level in enumerate(self.kept[j])}
        indicators = [place.get(level, len(place)) for level in column.levels]
        return np.array([*indicators, self.fill[j]], dtype=np.intp)

    def _fill_in(self, j: int, values: NDArray[Any], table: NDArray[Any], out: Floats) -> None:
        kind = self.schema.columns[j].kind
        if kind == "numeric":
            numbers = values.astype(np.float64, copy=False)
            gaps = np.isnan(numbers)
            out[:, 0] = self._scaled(np.where(gaps, self.fill[j], numbers), j)
        else:
            gaps = values < 0
            if kind == "ordinal":
                # A missing code is -1, which indexes the last entry of the table, where the fill is.
                out[:, 0] = table[values]
            else:
                indicators = table[values]
                known = np.flatnonzero(indicators >= 0)
                out[known, indicators[known]] = 1.0
        if self.missing == "keep":
            out[gaps] = np.nan
        if self.missing == "error" and gaps.any():
            refuse_missing(self.schema.names[j])
        if self.indicator[j]:
            out[:, -1] = gaps

    def _scaled(self, values: Floats, j: int) -> Floats:
        if self.scale is None:
            return values
        # A constant column is 0 rather than NaN: it carries no information either way.
        return (values - self.center[j]) / self.spread[j] if self.spread[j] > 0 else np.zeros_like(values)
