"""Scores of the training rows and the gradient pairs that follow from them, kept together."""

from __future__ import annotations

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

    With several scores, the pairs of one are held at a time: those of a class follow from its own score and
    from what the softmax of a row has in common, as it was before the round.

    Parameters
    ----------
    loss : NativeLoss
        What is minimized.
    y : ndarray
        Targets of the training rows.
    w : ndarray, optional
        Their weights.
    z : ndarray of shape (n_rows,) or (n_rows, n_scores)
        Their scores, which may be changed.
    n_threads : int
        Threads.
    """

    def __init__(
        self, loss: NativeLoss, y: NDArray[Any], w: Floats | None, z: Floats, n_threads: int
    ) -> None:
        self._loss, self._w, self._threads = loss, w, n_threads
        self._y: NDArray[Any] = y.astype(np.float64 if isinstance(loss, SquaredError) else np.int32)
        self._scores = np.ascontiguousarray(z.T)  # class after class
        self._sums, self._weights = np.empty(len(y)), np.empty(len(y))
        self._norms = () if z.ndim == 1 else (np.empty(len(y)), np.empty(len(y)))
        self._renew(None)

    @property
    def z(self) -> Floats:
        """The scores, up to date at any time."""
        return self._scores.T

    @property
    def is_finite(self) -> bool:
        """Whether all pairs of the round are finite numbers."""
        return all(np.isfinite(values.sum()) for values in self._norms or (self._sums, self._weights))

    def target(self, k: int) -> GradientTarget:
        """What the tree of score k is grown on, until the next is asked for."""
        sums, weights = self._sums, self._weights
        if self._norms:
            _native.softmax_pairs(
                self._scores[k], self._y, k, self._w, *self._norms, sums, weights,
                self._threads, SMALLEST_HESSIAN,
            )  # fmt: skip
        return GradientTarget(sums, weights)

    def add(self, k: int, tree: LeafSteps) -> None:
        """Add what the tree of score k adds; after that of the last score, a new round begins."""
        if not self._norms:
            self._renew(tree)
            return
        _native.add_steps(self._scores[k], tree.leaves, tree.steps, self._threads)
        if k == len(self._scores) - 1:
            self._renew(None)

    def _renew(self, tree: LeafSteps | None) -> None:
        if self._norms:
            _native.softmax_norms(self._scores, *self._norms, self._threads)
            return
        leaves, steps = (None, None) if tree is None else (tree.leaves, tree.steps)
        rows = (self._scores, self._y, self._w, self._sums, self._weights, leaves, steps, self._threads)
        if isinstance(self._loss, SquaredError):
            _native.squared_error_pairs(*rows)
        else:
            _native.log_loss_pairs(*rows, SMALLEST_HESSIAN)
