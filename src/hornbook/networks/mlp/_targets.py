"""What a network is trained to output, and what is read from its outputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block
from hornbook.params import Floats

__all__ = ["class_targets", "decided", "number_targets", "posterior", "target_ends"]


def class_targets(block: Block, n_outputs: int, low: float, high: float) -> Block:
    """Rows with a target for each output: high for the class of the row, low for the others.

    With one output, it is high for the second of two classes.
    """
    codes = np.asarray(block.y)
    own = codes[:, None] == (np.arange(n_outputs) if n_outputs > 1 else np.array([1]))
    return replace(block, y=np.where(own, high, low))


def number_targets(block: Block, offset: Floats, scale: Floats) -> Block:
    """Rows with their numbers in the range of the output units."""
    y = np.asarray(block.y, dtype=np.float64).reshape(len(block), -1)
    # A constant target has no range; its scale is taken as 1, and the warning would be about that.
    with np.errstate(divide="ignore", invalid="ignore"):
        return replace(block, y=np.ascontiguousarray((y - offset) / np.where(scale == 0, 1.0, scale)))


def target_ends(block: Block) -> Floats:
    """Minus the smallest and the largest number of each target: both are merged by maximum."""
    y = np.asarray(block.y, dtype=np.float64).reshape(len(block), -1)
    if block.w is not None:
        y = y[block.w > 0]
    if not len(y):
        return np.full((2, np.asarray(block.y).reshape(len(block), -1).shape[1]), -np.inf)
    return np.stack([(-y).max(axis=0), y.max(axis=0)])


def decided(outputs: Floats, middle: float) -> NDArray[np.intp]:
    """Class of each row: that of the largest output; with one output, by the side of the middle."""
    if outputs.shape[1] == 1:
        return np.asarray(outputs[:, 0] > middle, dtype=np.intp)
    return np.asarray(outputs.argmax(axis=1))


def posterior(outputs: Floats, low: float, high: float) -> Floats:
    """Probabilities of classes from outputs that estimate them between low and high."""
    # Outputs that minimize the squared error or a cross-entropy estimate posterior probabilities (Richard and
    # Lippmann 1991), between the targets for other classes and for the own one.
    p = np.clip((outputs - low) / (high - low), 0.0, 1.0)
    if p.shape[1] == 1:
        return np.column_stack([1.0 - p[:, 0], p[:, 0]])
    total = p.sum(axis=1, keepdims=True)
    # Separate outputs need not add up to 1; where all say no, no class is preferred.
    return np.where(total > 0, p / np.where(total > 0, total, 1.0), 1.0 / p.shape[1])
