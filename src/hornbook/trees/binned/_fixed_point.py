"""Targets in fixed point, so that sums over rows are exact in any order."""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block, Blocks
from hornbook.params import Floats
from hornbook.trees.binned._row_weights import refuse_spread, refuse_weights, row_weights

__all__ = ["FixedPoint", "fixed_point", "unit_below"]

# Doubles represent integers up to 2**53. Squares leave two more bits, because of how the kernel rounds them.
_BITS, _SQUARE_BITS = 52, 50
# Sums over drawn rows: with probability 1 - exp(-40) they stay below twice their expectation plus this many
# times the largest term (Bernstein's inequality).
_LARGEST_TERMS = 64.0


@dataclass(frozen=True)
class FixedPoint:
    """The units that a target is rounded to: powers of 2, or 0 for no rounding.

    Parameters
    ----------
    shift : float
        Constant subtracted from the numbers, a multiple of their unit.
    sum_unit, weight_unit, square_unit : float
        Units of numbers times weights, of weights, and of squares times weights.
    """

    shift: float = 0.0
    sum_unit: float = 0.0
    weight_unit: float = 0.0
    square_unit: float = 0.0

    def weights(self, w: Floats | None) -> Floats | None:
        """Weights as multiples of their unit; whole weights do not change."""
        return None if w is None else _rounded(w, self.weight_unit)

    def sums(self, values: Floats, w: Floats | None) -> Floats:
        """Numbers minus the shift, times the weights."""
        centered = values - self.shift
        return _rounded(centered if w is None else centered * w, self.sum_unit)


def _rounded(values: Floats, unit: float) -> Floats:
    return np.asarray(np.rint(values / unit) * unit) if unit else values


def unit_below(bound: float, bits: int = _BITS) -> float:
    """The power of 2 of which a sum up to ``bound`` is at most 2**bits times; 0 for a bound of 0."""
    # The bound is below 2**e for its exponent e, and divided by the unit below 2**bits.
    return 2.0 ** max(frexp(bound)[1] - bits, -1000) if bound > 0.0 else 0.0


@dataclass(frozen=True)
class _Totals:
    """Sums and largest terms of weights, weighted deviations and their squares; largest deviation."""

    sums: Floats
    largest: Floats
    max_deviation: float

    def merge(self, other: _Totals) -> _Totals:
        max_deviation = max(self.max_deviation, other.max_deviation)
        return _Totals(self.sums + other.sums, np.maximum(self.largest, other.largest), max_deviation)


def fixed_point(blocks: Blocks, factor: Floats | None, *, numbers: bool, draws: int = 0) -> FixedPoint:
    """The units for a target.

    Parameters
    ----------
    blocks : Blocks
        Rows with target and weights.
    factor : ndarray, optional
        Weights of the classes.
    numbers : bool
        Whether the target is numbers.
    draws : int, default 0
        Rows drawn for a tree, with the row weights as sampling weights; 0 when every tree uses all rows.
    """
    shift, all_weight = 0.0, 0.0
    if numbers or draws:
        mass = blocks.reduce(_mass, numbers)
        all_weight = float(mass[0])
        shift = float(mass[1] / mass[0]) if numbers else 0.0
    per_weight = draws / all_weight if draws else 0.0
    totals = blocks.reduce(_totals, factor, shift, per_weight, numbers, merge=_merged)
    refuse_weights(float(totals.largest[0]))
    refuse_spread(totals.max_deviation)
    bounds = 2.0 * totals.sums + _LARGEST_TERMS * totals.largest if draws else totals.sums
    weight, size, squares = bounds.tolist()
    sum_unit = unit_below(size) if numbers else 0.0
    if sum_unit:  # a shift on the grid keeps whole numbers whole
        shift = float(np.rint(shift / sum_unit) * sum_unit)
    return FixedPoint(
        shift, sum_unit, unit_below(weight), unit_below(squares, _SQUARE_BITS) if numbers else 0.0
    )


def _mass(block: Block, numbers: bool) -> Floats:
    """Total weight of the rows, and weighted sum of their numbers."""
    w = np.ones(len(block)) if block.w is None else block.w
    return np.array([w.sum(), (w * _target(block)).sum() if numbers else 0.0])


def _totals(
    block: Block,
    factor: Floats | None,
    shift: float,
    per_weight: float,
    numbers: bool,
) -> _Totals:
    """Bounds of the sums of a tree; ``per_weight`` is the expected number of draws of a row of weight 1."""
    y, expected = _target(block), np.ones(len(block))
    weights = row_weights(block.unweighted() if per_weight else block, factor)
    w = expected if weights is None else weights
    if per_weight:
        expected = np.full(len(block), per_weight) if block.w is None else per_weight * block.w
    deviation = np.abs(y - shift) if numbers else np.zeros(len(block))
    terms = np.stack([w, w * deviation, w * deviation * deviation])
    return _Totals((terms * expected).sum(axis=1), terms.max(axis=1), float(deviation.max()))


def _merged(one: _Totals, other: _Totals) -> _Totals:
    return one.merge(other)


def _target(block: Block) -> NDArray[Any]:
    assert block.y is not None  # trees are grown for a target
    return block.y
