"""Counts of pairs of categories within classes: what all one-dependence estimators learn from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._statistics import ClassStatistics, CountingPlan, Kept
from hornbook.frame import Block, Blocks, Moments, require_memory
from hornbook.params import Floats, Index, Shape

__all__ = ["Codes", "PairStatistics", "count_pairs", "every_column", "require_room"]

Codes = NDArray[np.int32]

MANY_CELLS = 2**26  # half a gigabyte of counts
ENOUGH = 65536  # rows buffered before they are counted: a table of pairs is large, a chunk of rows is not


@dataclass(frozen=True)
class PairStatistics:
    """Sums over rows.

    Parameters
    ----------
    single : ClassStatistics
        What naive Bayes counts.
    parents : ndarray of shape (n_parents,)
        The counted columns whose pairs with all columns are counted.
    pairs : ndarray of shape (n_classes, levels of the parents, levels of all columns)
        Weight of the rows of a class with a level of a parent and a level of a column.
    given : Moments, optional
        Mass, mean and scatter of each numeric column within each class and level of a parent, one row for
        each of these; None when numbers are counted in bins.
    """

    single: ClassStatistics
    parents: Annotated[Codes, Shape("n_parents"), Index("n_counted")]
    pairs: Annotated[Floats, Shape("n_classes", "n_parent_levels", "n_levels")]
    given: Moments | None

    def verify(self, _: object) -> None:
        """Reject moments of other classes and levels, as in a damaged model file."""
        n_classes, n_levels, _levels = self.pairs.shape
        if self.given is not None and len(self.given.mass) != n_classes * n_levels:
            raise ValueError("the moments are not those of the classes and levels")

    @property
    def class_mass(self) -> Floats:
        """Weight of each class."""
        return self.single.class_mass

    def empty(self, plan: CountingPlan) -> NDArray[np.bool_]:
        """Whether a numeric column has no value at all."""
        if plan.edges is None:
            return self.single.empty(plan)
        binned = np.split(self.single.counts.sum(axis=0), np.cumsum(plan.table_sizes)[:-1])
        return np.array([part.sum() == 0 for part in binned[len(plan.n_levels) :]], dtype=np.bool_)

    def merge(self, other: PairStatistics) -> PairStatistics:
        """Statistics of the rows of both."""
        given = None
        if self.given is not None and other.given is not None:
            given = self.given.merge(other.given)
        return PairStatistics(self.single.merge(other.single), self.parents, self.pairs + other.pairs, given)

    def widened(self, old: Codes, new: Codes) -> PairStatistics:
        """The same counts in the layout of columns that have gained levels."""
        if np.array_equal(old, new):
            return self
        across, down = _places(old, new), _places(old[self.parents], new[self.parents])
        n_classes = len(self.pairs)
        pairs = np.zeros((n_classes, int(new[self.parents].sum()), int(new.sum())))
        pairs[np.ix_(np.arange(n_classes), down, across)] = self.pairs
        return PairStatistics(
            self.single.widened(old, new), self.parents, pairs, _widened_moments(self.given, down, pairs)
        )


def _places(old: Codes, new: Codes) -> NDArray[np.intp]:
    """Positions of the levels of all columns after some columns have gained levels at their ends."""
    starts = np.cumsum(new) - new
    parts = [start + np.arange(n) for start, n in zip(starts, old, strict=True)]
    return np.concatenate([np.empty(0, dtype=np.intp), *parts])


def _widened_moments(given: Moments | None, down: NDArray[np.intp], pairs: Floats) -> Moments | None:
    if given is None:
        return None
    n_classes, levels, _ = pairs.shape
    rows = (np.arange(n_classes)[:, None] * levels + down).ravel()
    parts = []
    for part in (given.mass, given.mean, given.scatter):
        wide = np.zeros((n_classes * levels, part.shape[1]))
        wide[rows] = part
        parts.append(wide)
    return Moments(*parts)


@dataclass(frozen=True)
class _Tally:
    """Buffered rows, and the counts of all earlier ones."""

    waiting: tuple[Kept, ...]
    counted: PairStatistics | None

    def merge(self, other: _Tally, count: Callable[[Kept], PairStatistics]) -> _Tally:
        waiting = self.waiting + other.waiting
        counted = self.counted
        if other.counted is not None:
            counted = other.counted if counted is None else counted.merge(other.counted)
        # Counting few rows would cost a whole table of pairs each time.
        if sum(map(len, waiting)) < ENOUGH:
            return _Tally(waiting, counted)
        return _Tally((), _Tally(waiting, counted).finish(count))

    def finish(self, count: Callable[[Kept], PairStatistics]) -> PairStatistics:
        """Counts of all rows."""
        if not self.waiting:
            assert self.counted is not None
            return self.counted
        fresh = count(_joined(self.waiting))
        return fresh if self.counted is None else self.counted.merge(fresh)


def _joined(parts: tuple[Kept, ...]) -> Kept:
    if len(parts) == 1:
        return parts[0]
    columns = zip(*((part.numbers, part.codes, part.y, part.w) for part in parts), strict=True)
    return Kept(*map(np.concatenate, columns))


def count_pairs(blocks: Blocks, plan: CountingPlan, parents: Codes, n_threads: int) -> PairStatistics:
    """Count the pairs of some columns with all columns, on rows wherever they are."""
    count = partial(_counted, plan=plan, parents=parents, n_threads=n_threads)
    tally: _Tally = blocks.reduce(_waiting, plan, merge=partial(_merged, count=count))
    return tally.finish(count)


def _merged(one: _Tally, other: _Tally, count: Callable[[Kept], PairStatistics]) -> _Tally:
    return one.merge(other, count)


def _waiting(block: Block, plan: CountingPlan) -> _Tally:
    w = np.ones(len(block)) if block.w is None else block.w
    codes = plan.codes(block.X.numbers, block.X.codes)
    numbers = block.X.numbers if plan.edges is None else np.empty((len(block), 0))
    return _Tally((Kept(numbers, codes, np.asarray(block.y, dtype=np.int32), w),), None)


def _counted(rows: Kept, plan: CountingPlan, parents: Codes, n_threads: int) -> PairStatistics:
    sizes, n_classes = plan.table_sizes, plan.n_classes
    w = None if (rows.w == 1.0).all() else rows.w  # integers are counted faster, and exactly
    shape = (n_classes, int(sizes[parents].sum()), int(sizes.sum()))
    pairs = _native.pair_counts(rows.codes, rows.y, w, sizes, parents, n_classes, n_threads).reshape(shape)
    if len(parents) == len(sizes):  # the pair of a level with itself is the count of the level
        counts = np.ascontiguousarray(np.diagonal(pairs, axis1=1, axis2=2))
    else:
        counts = _native.class_counts(rows.codes, rows.y, w, sizes, n_classes)
    single = ClassStatistics(
        np.bincount(rows.y, weights=rows.w, minlength=n_classes).astype(np.float64),
        Moments.of(rows.numbers, rows.y, rows.w, n_classes),
        counts,
    )
    given = None
    if plan.edges is None:
        given = _moments_given(rows, parents, sizes, n_classes)
    return PairStatistics(single, parents, pairs, given)


def _moments_given(rows: Kept, parents: Codes, sizes: Codes, n_classes: int) -> Moments:
    """Moments of the numbers within each class and level of a parent."""
    d = rows.numbers.shape[1]
    parts: list[list[Floats]] = [[np.empty((n_classes, 0, d))] for _ in range(3)]
    for parent in parents:
        # Class and level together are one group, so that one call computes all moments.
        known = rows.codes[:, parent] >= 0
        m = int(sizes[parent])
        group = rows.y[known] * m + rows.codes[known, parent]
        moments = Moments.of(rows.numbers[known], group.astype(np.int32), rows.w[known], n_classes * m)
        for part, values in zip(parts, (moments.mass, moments.mean, moments.scatter), strict=True):
            part.append(values.reshape(n_classes, m, d))
    whole = [np.concatenate(part, axis=1) for part in parts]
    return Moments(*(part.reshape(part.shape[0] * part.shape[1], d) for part in whole))


def every_column(plan: CountingPlan) -> Codes:
    """All counted columns."""
    return np.arange(len(plan.table_sizes), dtype=np.int32)


def require_room(plan: CountingPlan, parents: Codes, n_rows: int | None = None) -> None:
    """Reject tables of pairs that do not fit into memory, or that have far more cells than rows."""
    levels = int(plan.table_sizes.sum(dtype=np.int64))
    down = int(plan.table_sizes[parents].sum(dtype=np.int64))
    # Several partial sums at once, and the logarithms for prediction.
    require_memory(
        6 * plan.n_classes * down,
        levels,
        "leave out columns with very many levels, use fewer bins, or use NaiveBayes, which counts no pairs",
    )
    # Most cells of such a table would stay 0: it costs time and memory without any information.
    cells = plan.n_classes * down * levels
    if n_rows is not None and cells > MANY_CELLS and n_rows * len(parents) * len(plan.table_sizes) < cells:
        raise ValueError(
            f"the pairs of {len(plan.table_sizes)} columns with {levels} levels in all make a table of "
            f"{cells} cells for {plan.n_classes} classes, most of which {n_rows} rows leave empty: leave out "
            "columns, use fewer bins, or use NaiveBayes, which counts no pairs."
        )
