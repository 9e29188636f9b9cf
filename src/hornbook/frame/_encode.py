"""Numbers from a table of any columns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame._align import align
from hornbook.frame._frame import Frame
from hornbook.frame._memory import require_memory
from hornbook.frame._schema import Label, Schema, listed
from hornbook.frame._statistics import Statistics, column_statistics
from hornbook.params import threads

__all__ = ["Encoding", "Missing", "Scale"]

Floats = NDArray[np.float64]
Scale = Literal["standard", "range"] | None
Missing = Literal["impute", "indicate", "error"]
ROWS = 8192  # encoded at a time, so that a part stays in the cache


@dataclass(frozen=True)
class Encoding:
    """How the columns of a table become numbers, as learnt from some rows.

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
    missing : {"impute", "indicate", "error"}
        What happens to missing cells.
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
    kept: tuple[tuple[Label, ...], ...]
    other: tuple[bool, ...]
    fill: Floats
    center: Floats
    spread: Floats
    indicator: tuple[bool, ...]

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
        found = column_statistics(frame, w)
        return cls.from_statistics(
            frame.schema, found, scale=scale, max_categories=max_categories, missing=missing
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
        _warn_of_empty(schema, statistics)
        if missing == "error" and statistics.missing.any():
            _refuse_missing(schema.names[int(np.argmax(statistics.missing > 0))])
        kept, other = _kept_levels(schema, statistics, max_categories)
        fill, center, spread = _fills(schema, statistics, kept), np.zeros(len(schema)), np.ones(len(schema))
        for j, column in enumerate(schema.columns):
            if scale is not None and column.kind != "nominal":
                center[j], spread[j] = _scaling(schema, statistics, j, scale)
        marked = tuple(missing == "indicate" and bool(mass > 0) for mass in statistics.missing)
        return cls(schema, scale, max_categories, missing, kept, other, fill, center, spread, marked)

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

    def apply(self, frame: Frame) -> Floats:
        """Encode the rows of a frame with the same columns.

        Parameters
        ----------
        frame : Frame
            The features; categories that were not there at fit count as missing.

        Returns
        -------
        ndarray of shape (n_rows, n_encoded)
            The numbers; the frame's own matrix where there is nothing to change.
        """
        frame = align(frame, self.schema)
        if self.scale is None and not len(self.schema.coded) and not any(self.indicator):
            X = frame.matrix
            if not _native.scan(X, threads(None))[0].any():
                return X
        offsets = self.offsets
        remedy = f"lower max_categories (now {self.max_categories}), or encode fewer rows at a time"
        require_memory(len(frame), int(offsets[-1]), remedy)
        out = np.zeros((len(frame), int(offsets[-1])))
        for start in range(0, len(frame), ROWS):
            self._fill_in(frame[start : start + ROWS], out[start : start + ROWS], offsets)
        return out

    def _fill_in(self, part: Frame, out: Floats, offsets: NDArray[np.intp]) -> None:
        numeric = self.schema.numeric
        X = part.numbers
        gaps = np.isnan(X)
        out[:, offsets[numeric]] = self._scaled(np.where(gaps, self.fill[numeric], X), numeric)
        for place, j in enumerate(numeric.tolist()):
            self._mark(out, gaps[:, place], j, offsets)
        codes = part.codes
        for place, j in enumerate(self.schema.coded.tolist()):
            if self.schema.columns[j].kind == "ordinal":
                table = np.append(spaced(len(self.schema.columns[j].levels)), self.fill[j])
                out[:, offsets[j]] = self._scaled(table, np.array([j]))[codes[:, place]]
            else:
                column = np.append(self._indicator_of(j), int(self.fill[j]))[codes[:, place]]
                known = np.flatnonzero(column >= 0)
                out[known, offsets[j] + column[known]] = 1.0
            self._mark(out, codes[:, place] < 0, j, offsets)

    def _scaled(self, values: Floats, j: NDArray[np.intp]) -> Floats:
        spread = self.spread[j]
        safe = np.where(spread > 0, spread, 1.0)
        return np.where(spread > 0, (values - self.center[j]) / safe, 0.0)

    def _indicator_of(self, j: int) -> NDArray[np.intp]:
        place = {level: i for i, level in enumerate(self.kept[j])}
        rest = len(place) if self.other[j] else -1
        return np.array([place.get(level, rest) for level in self.schema.columns[j].levels], dtype=np.intp)

    def _mark(self, out: Floats, gaps: NDArray[np.bool_], j: int, offsets: NDArray[np.intp]) -> None:
        if self.missing == "error" and gaps.any():
            _refuse_missing(self.schema.names[j])
        if self.indicator[j]:
            out[:, offsets[j + 1] - 1] = gaps


def spaced(n_levels: int) -> Floats:
    """Evenly spaced numbers from 0 to 1, one for each level; a single level is 0."""
    return np.linspace(0.0, 1.0, n_levels) if n_levels > 1 else np.zeros(n_levels)


def _kept_levels(
    schema: Schema, statistics: Statistics, most: int
) -> tuple[tuple[tuple[Label, ...], ...], tuple[bool, ...]]:
    kept: list[tuple[Label, ...]] = [() for _ in schema.columns]
    other = [False] * len(schema)
    cut = []
    for j, counts in zip(schema.coded.tolist(), statistics.counts, strict=True):
        column = schema.columns[j]
        if column.kind == "ordinal":
            continue
        kept[j] = column.levels
        if len(column.levels) > most:
            # A level that is itself called "other" goes with the others: its indicator has that name.
            ranked = [i for i in np.argsort(-counts, kind="stable").tolist() if column.levels[i] != "other"]
            kept[j], other[j] = tuple(column.levels[i] for i in sorted(ranked[: most - 1])), True
            cut.append(f"{column.name!r} has {len(column.levels)} levels")
    if cut:
        warnings.warn(
            f"Column {'; column '.join(cut)}: the {most - 1} most frequent keep an indicator each, the rest "
            "share 'other'; raise max_categories to keep more.",
            UserWarning,
            stacklevel=3,
        )
    return tuple(kept), tuple(other)


def _fills(schema: Schema, statistics: Statistics, kept: tuple[tuple[Label, ...], ...]) -> Floats:
    fill = np.zeros(len(schema))
    fill[schema.numeric] = statistics.moments.mean[0]
    for j, counts in zip(schema.coded.tolist(), statistics.counts, strict=True):
        if schema.columns[j].kind == "ordinal":
            fill[j] = spaced(len(counts)) @ counts / max(counts.sum(), np.finfo(float).tiny)
        elif len(counts):
            mode = schema.columns[j].levels[int(np.argmax(counts))]
            fill[j] = kept[j].index(mode) if mode in kept[j] else len(kept[j])
        else:
            fill[j] = -1
    return fill


def _scaling(schema: Schema, statistics: Statistics, j: int, scale: Scale) -> tuple[float, float]:
    """Say what to subtract and to divide by; a spread of 0 stands for "make the column 0"."""
    if schema.columns[j].kind == "numeric":
        place = int(np.searchsorted(schema.numeric, j))
        low, high = float(statistics.low[place]), float(statistics.high[place])
        mean, variance = statistics.moments.mean[0, place], statistics.moments.variance()[0, place]
    else:
        counts = statistics.counts[int(np.searchsorted(schema.coded, j))]
        values, mass = spaced(len(counts))[counts > 0], counts[counts > 0]
        low, high = (values[0], values[-1]) if len(values) else (0.0, 0.0)
        mean = values @ mass / mass.sum() if len(values) else 0.0
        variance = (values - mean) ** 2 @ mass / mass.sum() if len(values) else 0.0
    if not low < high:
        return 0.0, 0.0
    center, spread = (float(mean), float(np.sqrt(variance))) if scale == "standard" else (low, high - low)
    if not np.isfinite(spread):
        raise ValueError(f"Column {schema.names[j]!r} spans too wide a range to be scaled: divide it first.")
    return center, spread


def _warn_of_empty(schema: Schema, statistics: Statistics) -> None:
    mass = np.zeros(len(schema))
    mass[schema.numeric] = statistics.moments.mass[0]
    mass[schema.coded] = [counts.sum() for counts in statistics.counts]
    empty = [name for name, weight in zip(schema.names, mass, strict=True) if weight == 0]
    if empty:
        warnings.warn(
            f"Column {listed(empty)} has no values at all and teaches nothing: leave it out.",
            UserWarning,
            stacklevel=3,
        )


def _refuse_missing(name: str) -> None:
    raise ValueError(
        f"Column {name!r} has missing values: fill them first, or choose missing='impute' or 'indicate'."
    )
