"""Row and class weights, of rows in memory or in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block, Blocks, Schema
from hornbook.params import Floats

__all__ = ["class_mass", "in_memory", "mean_weight", "refuse_spread", "refuse_weights", "row_weights"]

LARGEST_SPREAD = 1e140  # squares, and sums of many of them, stay below 1e308


def in_memory(y: NDArray[Any], w: Floats | None) -> Blocks:
    """Targets and weights in memory as one block, so that the same sums work on them."""
    return Blocks.of(Block(y, y, w), Schema((), named=False), 1)


def row_weights(block: Block, factor: Floats | None) -> Floats | None:
    """Weights of rows times those of their classes; None if all are 1."""
    if factor is None:
        return block.w
    assert block.y is not None  # of classes
    by_class = np.asarray(factor[block.y])
    return by_class if block.w is None else block.w * by_class


def class_mass(blocks: Blocks, n_classes: int) -> Floats:
    """Weight of the rows of each class."""
    return blocks.reduce(_class_mass, n_classes)


def _class_mass(block: Block, n_classes: int) -> Floats:
    assert block.y is not None  # of classes
    return np.bincount(block.y, weights=block.w, minlength=n_classes).astype(np.float64)


def mean_weight(blocks: Blocks, factor: Floats) -> float:
    """Mean class weight over the rows, weighted by the rows."""
    weight, product = blocks.reduce(_weighted_factor, factor)
    return float(product / weight)


def _weighted_factor(block: Block, factor: Floats) -> Floats:
    w = np.ones(len(block)) if block.w is None else block.w
    return np.array([w.sum(), (w * factor[block.y]).sum()])


def refuse_weights(largest: float) -> None:
    """Reject weights so large, or so small, that float64 cannot hold the squares of their sums."""
    if not 1.0 / LARGEST_SPREAD <= largest <= LARGEST_SPREAD:
        raise ValueError(
            f"sample_weight goes up to {largest:.3g}, and sums of such squares may overflow or underflow: "
            "multiply all weights by one number, so that the largest is near 1."
        )


def refuse_spread(largest: float) -> None:
    """Reject numbers so far from their mean, or so close to it, that float64 cannot hold the squares."""
    if largest > LARGEST_SPREAD or 0.0 < largest < 1.0 / LARGEST_SPREAD:
        raise ValueError(
            f"y differs from its mean by up to {largest:.3g}, and sums of such squares may overflow or "
            "underflow: bring it to another unit, or use criterion='absolute_error'."
        )
