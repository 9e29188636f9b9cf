"""The cost of a recurrent network as a function of its weights, as a sum over rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.frame import Block, Blocks, Moments
from hornbook.networks.recurrent._unrolled import Sequences, Weights
from hornbook.optimize import FirstOrder
from hornbook.params import Floats

__all__ = ["SequenceCost", "column_means", "softmax"]


def softmax(scores: Floats) -> Floats:
    """Probabilities in proportion to the exponentials of scores."""
    # Shifted, because the exponential of a large score would overflow.
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def column_means(blocks: Blocks) -> Floats:
    """Mean of the known cells of each column; 0 where there are none."""
    moments = blocks.reduce(_moments, merge=Moments.merge)
    return np.asarray(np.where(moments.mass[0] > 0, moments.mean[0], 0.0))


def _moments(block: Block) -> Moments:
    return Moments.of_rows(block.X, block.w)


@dataclass(frozen=True)
class SequenceCost(FirstOrder):
    """Mean cost of the rows plus a penalty on the squares of all weights but the constants.

    For classes the cost is minus the logarithm of the probability of the own class; for numbers half the
    squared error, in units of their spread.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    shape : Weights
        Weights of the right shapes.
    step_size : int
        Columns of a step.
    fill : ndarray of shape (n_columns,)
        What missing cells inside a sequence become.
    mean, scale : float
        Numbers are counted from the mean in units of the scale; a scale of 0 stands for classes.
    mass : float
        Weight of all rows.
    alpha : float
        The penalty.
    """

    blocks: Blocks
    shape: Weights
    step_size: int
    fill: Floats
    mean: float
    scale: float
    mass: float
    alpha: float

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        weights = self.shape.like(x)
        sums = self.blocks.reduce(_sums, weights, self.step_size, self.fill, self.mean, self.scale)
        # The same vector with 0 for constants is both the base of the penalty and its gradient.
        none = np.zeros_like(weights.bias), np.zeros_like(weights.constant)
        held = Weights(weights.inputs, weights.recurrent, none[0], weights.output, none[1]).vector()
        penalty = self.alpha / self.mass
        value = float(sums[0]) / self.mass + 0.5 * penalty * float(held @ held)
        return value, sums[1:] / self.mass + penalty * held


def _sums(block: Block, weights: Weights, step_size: int, fill: Floats, mean: float, scale: float) -> Floats:
    """The cost of some rows, and its derivatives by all weights."""
    sequences = Sequences.of(block.X, step_size, fill)
    states = weights.states(sequences)
    outputs = weights.outputs(states)
    y, rows = np.asarray(block.y), np.arange(len(block))
    # A scale of 0 marks classes, whose cost is the log loss; numbers are standardized by it.
    if scale == 0:
        pull = softmax(outputs)
        with np.errstate(divide="ignore"):
            losses = -np.log(pull[rows, y])
        pull[rows, y] -= 1.0
    else:
        pull = outputs - ((y - mean) / scale)[:, None]
        losses = 0.5 * np.square(pull[:, 0])
    if block.w is not None:
        pull, losses = pull * block.w[:, None], losses * block.w
    return np.append(losses.sum(), weights.gradient(sequences, states, pull).vector())
