"""Targets in fixed point, so that sums over rows are exact and no order of adding them up matters."""

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

# Doubles hold whole numbers up to 2**53. Squares keep two bits more for the kernel's way of rounding.
_BITS, _SQUARE_BITS = 52, 50
# Sums over rows that are drawn: with probability 1 - exp(-40) they stay below twice what is expected plus so
# many times the largest term (Bernstein's inequality).
_LARGEST_TERMS = 64.0


@dataclass(frozen=True)
class FixedPoint:
    """The grids that a target is rounded to; units are powers of 2, and 0 leaves numbers as they are.

    Parameters
    ----------
    shift : float
        What is taken from the numbers, a multiple of their unit.
    sum_unit, weight_unit, square_unit : float
        Units of numbers times weights, of weights, and of squares times weights.
    """

    shift: float = 0.0
    sum_unit: float = 0.0
    weight_unit: float = 0.0
    square_unit: float = 0.0

    def weights(self, w: Floats | None) -> Floats | None:
        """Weights on their grid; whole ones stay."""
        return None if w is None else _rounded(w, self.weight_unit)

    def sums(self, values: Floats, w: Floats | None) -> Floats:
        """Numbers less the shift, times the weights."""
        off = values - self.shift
        return _rounded(off if w is None else off * w, self.sum_unit)


def _rounded(values: Floats, unit: float) -> Floats:
    return np.asarray(np.rint(values / unit) * unit) if unit else values


def unit_below(bound: float, bits: int = _BITS) -> float:
    """The power of 2 of which sums up to a bound have at most 2**bits; 0 for sums of nothing."""
    return 2.0 ** max(frexp(bound)[1] - bits, -1000) if bound > 0.0 else 0.0


@dataclass(frozen=True)
class _Totals:
    """Sums and largest terms of weights, of numbers times weights, and of their squares; largest number."""

    sums: Floats
    largest: Floats
    farthest: float

    def merge(self, other: _Totals) -> _Totals:
        farthest = max(self.farthest, other.farthest)
        return _Totals(self.sums + other.sums, np.maximum(self.largest, other.largest), farthest)


def fixed_point(blocks: Blocks, factor: Floats | None, *, numbers: bool, draws: int = 0) -> FixedPoint:
    """The grids for a target.

    Parameters
    ----------
    blocks : Blocks
        Rows with target and weights.
    factor : ndarray, optional
        How much the rows of each class count.
    numbers : bool
        Whether the target is numbers.
    draws : int, default 0
        How many rows are drawn for a tree, in proportion to the weights, which then do not count otherwise;
        0 when every tree sees all rows.
    """
    shift, all_weight = 0.0, 0.0
    if numbers or draws:
        mass = blocks.reduce(_mass, numbers)
        all_weight = float(mass[0])
        shift = float(mass[1] / mass[0]) if numbers else 0.0
    per_weight = draws / all_weight if draws else 0.0
    totals = blocks.reduce(_totals, factor, shift, per_weight, numbers, merge=_merged)
    refuse_weights(float(totals.largest[0]))
    refuse_spread(totals.farthest)
    bounds = 2.0 * totals.sums + _LARGEST_TERMS * totals.largest if draws else totals.sums
    weight, size, squares = bounds.tolist()
    sum_unit = unit_below(size) if numbers else 0.0
    if sum_unit:  # then whole numbers stay so
        shift = float(np.rint(shift / sum_unit) * sum_unit)
    return FixedPoint(
        shift, sum_unit, unit_below(weight), unit_below(squares, _SQUARE_BITS) if numbers else 0.0
    )


def _mass(block: Block, numbers: bool) -> Floats:
    """Weight of the rows, and their numbers times weight."""
    w = np.ones(len(block)) if block.w is None else block.w
    return np.array([w.sum(), (w * _target(block)).sum() if numbers else 0.0])


def _totals(
    block: Block,
    factor: Floats | None,
    shift: float,
    per_weight: float,
    numbers: bool,
) -> _Totals:
    """Sizes of what a tree adds up; ``per_weight`` is how often rows of weight 1 are drawn, on average."""
    y, often = _target(block), np.ones(len(block))
    weights = row_weights(block.unweighted() if per_weight else block, factor)
    w = often if weights is None else weights
    if per_weight:
        often = np.full(len(block), per_weight) if block.w is None else per_weight * block.w
    off = np.abs(y - shift) if numbers else np.zeros(len(block))
    terms = np.stack([w, w * off, w * off * off])
    return _Totals((terms * often).sum(axis=1), terms.max(axis=1), float(off.max()))


def _merged(one: _Totals, other: _Totals) -> _Totals:
    return one.merge(other)


def _target(block: Block) -> NDArray[Any]:
    assert block.y is not None  # or there would be no tree
    return block.y
