"""Rows dropped or repeated at random, until each class has its target weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.random import mixed_bits, row_bits

__all__ = ["sampled_weights"]

MOST = 1000  # parts into which a heavy row is divided, each with its own random number


def sampled_weights(frame: Frame, y: NDArray[np.int32], w: Floats | None, goals: Floats, seed: int) -> Floats:
    """Return the weight of each row after sampling: the rows of class c sum to goals[c].

    All rows count as many times as they fit into the goal of their class, and a random subset once more; the
    last of these may count fractionally. A row of weight 3 has three random numbers, as three equal rows
    have. Random numbers depend on the content of a row, not on its position.
    """
    weights = np.ones(len(y)) if w is None else w
    # A row of weight 3 is three rows that are sampled independently.
    parts = np.minimum(np.ceil(weights), MOST).astype(np.intp)
    row = np.repeat(np.arange(len(y)), parts)
    mass, label = weights[row] / parts[row], y[row]
    # Sorted at random within each class: the first rows of each class are a random sample of it.
    order = np.lexsort((_random_bits(frame, y, row, seed), label))
    row, mass, label = row[order], mass[order], label[order]
    totals = np.bincount(label, weights=mass, minlength=len(goals))
    # 1e-12: a goal that is a multiple of the total but for rounding counts as one.
    times = np.floor(np.divide(goals, totals, out=np.zeros(len(goals)), where=totals > 0) * (1 + 1e-12))
    rest = np.maximum(goals - times * totals, 0.0)
    ends = np.cumsum(mass)
    # Where each part begins on the scale of its class; what lies below the rest is sampled once more.
    begins = ends - mass - (np.cumsum(totals) - totals)[label]
    more = np.clip(rest[label] - begins, 0.0, mass)
    counted = times[label] * mass + np.where(more > 1e-9 * mass, more, 0.0)
    return np.bincount(row, weights=counted, minlength=len(y)).astype(np.float64)


def _random_bits(frame: Frame, y: NDArray[np.int32], row: NDArray[np.intp], seed: int) -> NDArray[np.uint64]:
    """A random number for each part; equal parts are numbered, so that theirs differ."""
    columns = [y, *(frame.column(j) for j in range(len(frame.schema)))]
    bits = row_bits(columns, len(y), seed)[row]
    order = np.argsort(bits, kind="stable")
    alike = bits[order]
    # Equal parts have equal bits: their rank among each other makes them distinct.
    first = np.searchsorted(alike, alike)
    number = np.empty(len(bits), dtype=np.uint64)
    number[order] = np.arange(len(bits)) - first
    return mixed_bits(bits ^ mixed_bits(number))
