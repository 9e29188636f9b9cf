"""The profile of rows in files or on other machines: sums over them, and a sample for pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame._frame import Frame
from hornbook.frame._schema import Schema
from hornbook.frame.convert._align import align
from hornbook.frame.encode._bins import bin_edges
from hornbook.frame.encode._moments import Moments
from hornbook.frame.profile._distinct import Distinct, row_marks, value_marks
from hornbook.frame.profile._findings import Compared, findings
from hornbook.frame.profile._profile import Profile
from hornbook.frame.profile._relations import same_values, spaced_rows
from hornbook.frame.profile._summaries import (
    HISTOGRAM_BINS,
    ColumnProfile,
    Spread,
    counted,
    interpolated,
    numbers_profile,
)
from hornbook.frame.rows._block import Block
from hornbook.frame.rows._ranks import Rank, ranked
from hornbook.frame.rows._summable import Summable
from hornbook.params import Floats

__all__ = ["block_profile"]

TOGETHER = 16  # chunks that are looked at in one call
COMPARED = 2**16  # rows of the sample
KEPT_ROWS = 2**16  # different rows that are counted exactly
SHARES = (0.25, 0.5, 0.75)

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class _Sums:
    """What one pass learns of all columns.

    Parameters
    ----------
    moments : Moments
        Of the finite numbers.
    low, high : ndarray of shape (n_numeric,)
        Their least and greatest.
    whole : ndarray of bool of shape (n_numeric,)
        Whether all are whole.
    infinite, missing : ndarray of int of shape (n_numeric,)
        Cells that are not finite.
    distinct : tuple of Distinct
        Different numbers of each column.
    levels : tuple of ndarray of int
        How often each code occurs, missing ones first.
    rows : Distinct
        Different rows.
    """

    moments: Moments
    low: Floats
    high: Floats
    whole: NDArray[np.bool_]
    infinite: Counts
    missing: Counts
    distinct: tuple[Distinct, ...]
    levels: tuple[Counts, ...]
    rows: Distinct

    @classmethod
    def of(cls, block: Block) -> _Sums:
        """Look at some rows."""
        frame: Frame = block.X
        numbers = frame.numbers
        finite = _finite(block)
        codes = [frame.column(j) for j, column in enumerate(frame.schema.columns) if column.kind != "numeric"]
        sizes = [len(column.levels) for column in frame.schema.columns if column.kind != "numeric"]
        return cls(
            Moments.of_rows(np.ascontiguousarray(finite)),
            np.fmin.reduce(finite, axis=0, initial=np.inf),
            np.fmax.reduce(finite, axis=0, initial=-np.inf),
            (np.isnan(finite) | (finite == np.round(finite))).all(axis=0),
            np.isinf(numbers).sum(axis=0),
            np.isnan(numbers).sum(axis=0),
            tuple(Distinct.of(value_marks(cells[~np.isnan(cells)])) for cells in numbers.T),
            tuple(
                np.bincount(cells + 1, minlength=size + 1) for cells, size in zip(codes, sizes, strict=True)
            ),
            Distinct.of(row_marks(frame, range(len(frame.schema))), KEPT_ROWS),
        )

    def merge(self, other: _Sums) -> _Sums:
        """Of the rows of both."""
        return _Sums(
            self.moments.merge(other.moments),
            np.fmin(self.low, other.low),
            np.fmax(self.high, other.high),
            self.whole & other.whole,
            self.infinite + other.infinite,
            self.missing + other.missing,
            tuple(map(Distinct.merge, self.distinct, other.distinct)),
            tuple(map(np.add, self.levels, other.levels)),
            self.rows.merge(other.rows),
        )


def block_profile(blocks: Summable) -> Profile:
    """Return the profile of features and target, in nine passes.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    """
    schema = _described(blocks.schema)
    table = blocks.map(partial(_as_table, schema=schema))
    sums = table.reduce(_Sums.of, merge=_Sums.merge, together=TOGETHER)
    profiles = _profiles(table, schema, sums)
    sample = table.take(spaced_rows(table.n_rows, COMPARED)).X
    distinct_rows = sums.rows.count(table.n_rows)
    compared = Compared(
        sample,
        table.n_rows,
        lambda one, two: bool(table.reduce(_same, one, two, merge=_both)),
        table.n_rows - distinct_rows,
        exactly=sums.rows.exact,
    )
    return Profile(table.n_rows, profiles, tuple(findings(compared, profiles)))


def _described(schema: Schema) -> Schema:
    target = schema.find("target")
    columns = schema.features.columns + (() if target is None else (schema.columns[target],))
    return Schema(columns, schema.named)


def _as_table(block: Block, schema: Schema) -> Block:
    """Features and target as one table."""
    frame: Frame = block.X
    columns: list[Any] = [frame.column(j) for j in range(len(frame.schema))]
    if len(schema) > len(columns):
        target = schema.columns[-1]
        columns.append(align(Frame({target.name: block.y}), Schema((target,), named=True)).column(0))
    return Block(Frame.from_columns(schema, columns, len(frame)), start=block.start)


def _finite(block: Block) -> Floats:
    """The numeric columns, infinite cells missing."""
    numbers = block.X.numbers
    return np.where(np.isinf(numbers), np.nan, numbers)


def _profiles(table: Summable, schema: Schema, sums: _Sums) -> tuple[ColumnProfile, ...]:
    numeric = [column for column in schema.columns if column.kind == "numeric"]
    spreads = _spreads(table, sums)
    numbers = iter(
        numbers_profile(
            column,
            table.n_rows,
            n_missing=int(sums.missing[i]),
            n_infinite=int(sums.infinite[i]),
            n_distinct=sums.distinct[i].count(table.n_rows - int(sums.missing[i])),
            all_whole=spreads[i] is not None and bool(sums.whole[i]),
            spread=spreads[i],
        )
        for i, column in enumerate(numeric)
    )
    levels = iter(sums.levels)
    return tuple(
        next(numbers) if column.kind == "numeric" else counted(column, next(levels))
        for column in schema.columns
    )


def _spreads(table: Summable, sums: _Sums) -> list[Spread | None]:
    """Quartiles by their ranks, and a histogram between least and greatest number."""
    n_finite = table.n_rows - sums.missing - sums.infinite
    columns = [j for j, count in enumerate(n_finite.tolist()) if count]
    if not columns:
        return [None] * len(n_finite)
    places = [(j, share * (n_finite[j] - 1)) for j in columns for share in SHARES]
    neighbors = [(j, min(int(place) + up, int(n_finite[j]) - 1)) for j, place in places for up in (0, 1)]
    values = ranked(table, _finite, [Rank(j, float(rank), beyond=True) for j, rank in neighbors])
    quartiles = iter(
        interpolated(values[2 * i], values[2 * i + 1], place - int(place))
        for i, (_, place) in enumerate(places)
    )
    edges = [bin_edges(np.array([sums.low[j], sums.high[j]]), HISTOGRAM_BINS) for j in columns]
    counts = table.reduce(_histograms, columns, edges, together=TOGETHER)
    means, variances = sums.moments.mean[0], sums.moments.variance(unbiased=True)[0]
    spreads: list[Spread | None] = [None] * len(n_finite)
    for i, j in enumerate(columns):
        spreads[j] = Spread(
            float(sums.low[j]),
            next(quartiles),
            next(quartiles),
            next(quartiles),
            float(sums.high[j]),
            float(means[j]),
            float(np.sqrt(variances[j])),
            tuple(edges[i].tolist()),
            tuple(counts[i].tolist()),
        )
    return spreads


def _histograms(block: Block, columns: Sequence[int], edges: Sequence[Floats]) -> Counts:
    numbers = _finite(block)
    counts = [
        # The number of inner edges below a number is the bin that it lies in, open on the left.
        np.bincount(
            np.searchsorted(inner[1:-1], column[~np.isnan(column)], side="left"), minlength=HISTOGRAM_BINS
        )
        for column, inner in zip(numbers.T[list(columns)], edges, strict=True)
    ]
    return np.array(counts)


def _same(block: Block, one: int, two: int) -> bool:
    return same_values(block.X.column(one), block.X.column(two))


def _both(one: bool, other: bool) -> bool:
    return one and other
