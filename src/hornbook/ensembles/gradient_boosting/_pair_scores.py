"""Scores of the training rows and the gradient pairs that follow from them, kept together."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.ensembles.gradient_boosting._tree_rounds import SMALLEST_HESSIAN, TreeRounds
from hornbook.losses import LogLoss, Loss, SoftmaxLoss, SquaredError
from hornbook.params import Floats

__all__ = ["NativeLoss", "PairScores", "is_native"]

NativeLoss: TypeAlias = LogLoss | SoftmaxLoss | SquaredError


def is_native(loss: Loss) -> TypeGuard[NativeLoss]:
    """Whether there is a kernel for the loss; a derived class may have other derivatives."""
    return type(loss) in (LogLoss, SoftmaxLoss, SquaredError)


class PairScores:
    """For losses with a native kernel: a whole round at once, its steps and the next pairs in a single pass.

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
        # (scores, rows): a tree updates one score of all rows, which are then contiguous.
        self._scores = np.ascontiguousarray(np.atleast_2d(z.T))  # class after class
        self._sums, self._weights = np.empty(len(y)), np.empty(len(y))
        self._norms: tuple[Floats, Floats] | None = None
        if z.ndim == 1:
            rows = (self._scores[0], self._y, w, self._sums, self._weights, None, None, n_threads)
            if isinstance(loss, SquaredError):
                _native.squared_error_pairs(*rows)
            else:
                _native.log_loss_pairs(*rows, SMALLEST_HESSIAN)
        else:
            self._norms = np.empty(len(y)), np.empty(len(y))
            # Largest score and normalizer of each row: with them, probabilities of any class follow
            # without going over all classes again.
            _native.softmax_norms(self._scores, *self._norms, n_threads)

    @property
    def z(self) -> Floats:
        """The scores, up to date after each round; those of rows of weight 0 are not kept."""
        return self._scores[0] if self._norms is None else self._scores.T

    @property
    def is_finite(self) -> bool:
        """Whether all pairs of the round are finite numbers."""
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is an error, not a warning
            return all(isfinite(values.sum()) for values in self._norms or (self._sums, self._weights))

    def advance(self, trees: TreeRounds, t: int) -> None:
        """Make round t: grow a tree for each score, and add what their leaves say."""
        grower, grown, rate = trees.pair_growth()
        assert grower.pairs is not None  # asked for by whoever uses this
        top, norm = self._norms or (None, None)
        boost = _native.boost_numbers if isinstance(self._loss, SquaredError) else _native.boost_classes
        boost(
            grower.pairs, grown, self._scores, self._y, self._w, self._sums, self._weights, top, norm,
            grower.options, grower.seed, t * len(self._scores), self._threads, grower.all_coded,
            rate, SMALLEST_HESSIAN,
        )  # fmt: skip
