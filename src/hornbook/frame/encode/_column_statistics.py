"""Weighted statistics of the columns of a table, merged over its parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame._blocks import Blocks
from hornbook.frame._frame import Frame
from hornbook.frame.encode._moments import Moments
from hornbook.frame.rows._block import Block
from hornbook.params import Floats

__all__ = ["Statistics", "column_ranges", "column_statistics"]


@dataclass(frozen=True)
class Statistics:
    """Moments and range of numeric columns, weights of the levels of others, weight of what is missing.

    Rows with weight 0 count as if they were not there.

    Parameters
    ----------
    moments : Moments
        Of the numeric columns, one class.
    low, high : ndarray
        Range of each numeric column; NaN where there is no value.
    missing : ndarray
        Weight of the rows in which a column is missing, for all columns.
    counts : tuple of ndarray
        Weight of each level, for the nominal and ordinal columns.
    """

    moments: Moments
    low: Floats
    high: Floats
    missing: Floats
    counts: tuple[Floats, ...]

    def merge(self, other: Statistics) -> Statistics:
        """Statistics of the rows of both."""
        return Statistics(
            self.moments.merge(other.moments),
            # fmin and fmax ignore NaN, which stands for a part without a value.
            np.fmin(self.low, other.low),
            np.fmax(self.high, other.high),
            self.missing + other.missing,
            tuple(one + two for one, two in zip(self.counts, other.counts, strict=True)),
        )


def column_statistics(frame: Frame, w: Floats | None = None, *, spread: bool = True) -> Statistics:
    """Statistics of the columns of a frame.

    Parameters
    ----------
    frame : Frame
        The rows.
    w : ndarray, optional
        Their weights; every row counts once when left out.
    spread : bool, default True
        Whether ranges and squares are wanted. Without them, those of a table that has numbers in all cells
        stay NaN and 0, and the means are there in a fraction of the time.

    Returns
    -------
    Statistics
        To be merged with those of other rows.

    Examples
    --------
    >>> statistics = column_statistics(Frame({"age": [20.0, 40.0, None], "sex": ["f", "m", "f"]}))
    >>> statistics.moments.mean.tolist(), statistics.missing.tolist(), statistics.counts[0].tolist()
    ([[30.0]], [1.0, 0.0], [2.0, 1.0])
    """
    # Rows of weight 0 must not widen a range, nor count as missing: they are to be as if absent.
    if w is not None and not w.all():
        counted = np.flatnonzero(w)
        frame, w = frame[counted], w[counted]
    schema = frame.schema
    if not spread and not len(schema.coded):
        means = _means(frame.numbers, w)
        if np.isfinite(means.moments.mean).all():  # a missing cell, or too large a sum, would show
            return means
    numbers, codes = frame.numbers, frame.codes
    # One thread: in a fit this runs on chunks of `Blocks.reduce`, which are spread over threads already.
    gaps, low, high, _ = _native.scan(numbers, 1)
    moments = Moments.of_rows(numbers, w)
    missing = np.zeros(len(schema))
    missing[schema.numeric] = gaps if w is None else _mass(np.isnan(numbers), w)
    if not len(schema.coded):
        return Statistics(moments, low, high, missing, ())
    missing[schema.coded] = _mass(codes < 0, w)
    n_levels = np.array([len(schema.columns[j].levels) for j in schema.coded.tolist()], dtype=np.int32)
    # The kernel counts levels by class; with a single class these are the counts of levels.
    one_class = np.zeros(len(frame), dtype=np.int32)
    counts = _native.class_counts(codes, one_class, w, n_levels, 1)[0]
    return Statistics(moments, low, high, missing, tuple(np.split(counts, np.cumsum(n_levels)[:-1])))


def column_ranges(blocks: Blocks) -> tuple[Floats, Floats]:
    """Smallest and largest value of each numeric column, in one pass; NaN where there is none.

    Parameters
    ----------
    blocks : Blocks
        Rows as tables or as matrices; those of weight 0 do not count.

    Examples
    --------
    >>> [ends.tolist() for ends in column_ranges(Blocks(Frame({"age": [31.0, 44.0, None]})))]
    [[31.0], [44.0]]
    """
    return blocks.reduce(_range_of, merge=_wider)


def _range_of(block: Block) -> tuple[Floats, Floats]:
    numbers = block.X if isinstance(block.X, np.ndarray) else block.X.numbers
    _, low, high, _ = _native.scan(numbers if block.w is None else numbers[block.w > 0], 1)
    return low, high


def _wider(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return np.fmin(one[0], other[0]), np.fmax(one[1], other[1])


def _means(numbers: Floats, w: Floats | None) -> Statistics:
    """Means and nothing else."""
    weights = np.ones(len(numbers)) if w is None else w
    mass, none = float(weights.sum()), np.full(numbers.shape[1], np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = (weights @ numbers)[None] / mass if mass > 0 else none[None]
    moments = Moments(np.full_like(mean, mass), mean, np.zeros_like(mean))
    return Statistics(moments, none, none, np.zeros(len(none)), ())


def _mass(marks: NDArray[np.bool_], w: Floats | None) -> Floats:
    return np.asarray(marks.sum(axis=0) if w is None else w @ marks, dtype=np.float64)
