"""Scores of the training rows and the gradient pairs that follow from them, kept together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.ensembles.gradient_boosting._tree_rounds import SMALLEST_HESSIAN, LeafSteps
from hornbook.losses import LogLoss, Loss, SoftmaxLoss, SquaredError
from hornbook.params import Floats
from hornbook.trees import GradientTarget

__all__ = ["NativeLoss", "PairScores", "is_native"]

NativeLoss: TypeAlias = LogLoss | SoftmaxLoss | SquaredError


def is_native(loss: Loss) -> TypeGuard[NativeLoss]:
    """Whether there is a kernel for the loss; a derived class may have other derivatives."""
    return type(loss) in (LogLoss, SoftmaxLoss, SquaredError)


class PairScores:
    """For losses with a native kernel: a round's steps and the pairs of the next one in a single pass.

    Parameters
    ----------
    loss : NativeLoss
        What is minimized.
    y : ndarray
        Targets of the training rows.
    w : ndarray, optional
        Their weights.
    z : ndarray of shape (n_rows,) or (n_rows, n_scores)
        Their scores.
    n_threads : int
        Threads.
    """

    def __init__(
        self, loss: NativeLoss, y: NDArray[Any], w: Floats | None, z: Floats, n_threads: int
    ) -> None:
        self._loss, self._w, self._threads = loss, w, n_threads
        self._y: NDArray[Any] = y.astype(np.float64 if isinstance(loss, SquaredError) else np.int32)
        self._scores = np.ascontiguousarray(z.T)  # class after class
        self._sums, self._weights = np.empty_like(self._scores), np.empty_like(self._scores)
        self._smallest = SMALLEST_HESSIAN if w is None else SMALLEST_HESSIAN * w
        self._renew(None, None)

    @staticmethod
    def fits(loss: Loss) -> bool:
        """Whether there is a kernel for the loss."""
        return type(loss) in (
            LogLoss,
            SoftmaxLoss,
            SquaredError,
        )  # a derived class may have other derivatives

    @property
    def z(self) -> Floats:
        """The scores, up to date at any time."""
        return self._scores.T

    @property
    def is_finite(self) -> bool:
        """Whether all pairs are finite numbers."""
        return bool(np.isfinite(self._sums.sum()) and np.isfinite(self._weights.sum()))

    def target(self, k: int) -> GradientTarget:
        """What the tree of score k is grown on."""
        if self._scores.ndim == 1:
            return GradientTarget(self._sums, self._weights)
        return GradientTarget(self._sums[k], self._weights[k])

    def add(self, rounds: Sequence[LeafSteps]) -> None:
        """Add what the tree of each score adds, and compute the pairs there."""
        if self._scores.ndim == 1:
            self._renew(rounds[0].leaves, rounds[0].steps)
            return
        for scores, tree in zip(self._scores, rounds, strict=True):
            _native.add_steps(scores, tree.leaves, tree.steps, self._threads)
        self._renew(None, None)

    def _renew(self, leaves: NDArray[np.int32] | None, steps: Floats | None) -> None:
        scores, sums, weights = self._scores, self._sums, self._weights
        if isinstance(self._loss, SquaredError):
            _native.squared_error_pairs(scores, self._y, self._w, sums, weights, leaves, steps, self._threads)
            return
        if isinstance(self._loss, LogLoss):
            _native.log_loss_pairs(scores, self._y, self._w, sums, weights, leaves, steps, self._threads)
        else:
            _native.softmax_pairs(scores, self._y, self._w, sums, weights, self._threads)
        np.maximum(weights, self._smallest, out=weights)
