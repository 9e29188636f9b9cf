"""Log loss of several classes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.losses._loss import Loss
from hornbook.params import Floats

__all__ = ["SoftmaxLoss"]


class SoftmaxLoss(Loss):
    """Log loss of several classes: minus the logarithm of the predicted probability of the true class.

    y holds positions 0, 1, ... of the classes and z one score per class; the probabilities are
    exp(z_k) / sum of exp(z_l). Adding the same number to all scores of a row changes nothing, so links and
    minimizers are the scores that sum to 0.

    Parameters
    ----------
    n_classes : int
        Number of classes.

    Examples
    --------
    >>> loss = SoftmaxLoss(3)
    >>> loss.value(np.array([2]), np.array([[0.0, 0.0, 0.0]])).round(4).tolist()  # ln 3
    [1.0986]
    >>> loss.inverse_link(np.array([[0.0, 0.0, 0.0]])).round(4).tolist()
    [[0.3333, 0.3333, 0.3333]]
    """

    well_formed: ClassVar[bool] = True

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes

    def value(self, y: NDArray[Any], z: Floats) -> Floats:
        """Cost of each row."""
        return np.asarray(-self._logs(z)[np.arange(len(y)), y])

    def gradient(self, y: NDArray[Any], z: Floats) -> Floats:
        """First derivative by the scores: p_k - (1 for the true class, else 0)."""
        p = self.inverse_link(z)
        # In place: inverse_link returns a fresh array.
        p[np.arange(len(y)), y] -= 1.0
        return p

    def hessian(self, y: NDArray[Any], z: Floats) -> Floats:  # noqa: ARG002 - it does not depend on the truth
        """Second derivative by the scores: p_k (1 if k = l, else 0) - p_k p_l."""
        p = self.inverse_link(z)
        hessian = -p[:, :, None] * p[:, None, :]
        own = np.arange(self.n_classes)  # diag(p) - p p'
        hessian[:, own, own] += p
        return hessian

    def derivatives(self, y: NDArray[Any], z: Floats) -> tuple[Floats, Floats]:
        """First and second derivative by each score alone: p_k - (1 for the true class) and p_k (1 - p_k)."""
        scores = np.ascontiguousarray(z.T)  # class after class, as boosting takes the result
        downhill, hessian, labels = np.empty_like(scores), np.empty_like(scores), y.astype(np.int32)
        norms = np.empty(len(y)), np.empty(len(y))
        _native.softmax_norms(scores, *norms, 1)
        for k, score in enumerate(scores):
            _native.softmax_pairs(score, labels, k, None, *norms, downhill[k], hessian[k], 1)
        return np.negative(downhill, out=downhill).T, hessian.T

    def link(self, mean: Floats) -> Floats:
        """Return logarithms of probabilities, minus their mean."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.asarray(mean, dtype=np.float64))
        return np.asarray(logs - logs.mean(axis=-1, keepdims=True))

    def inverse_link(self, z: Floats) -> Floats:
        """Probabilities of the classes."""
        return np.exp(self._logs(z))

    def minimizer(self, y: NDArray[Any], w: Floats | None = None) -> Floats:
        """Return the link of the weighted class frequencies."""
        mass = np.bincount(y, weights=w, minlength=self.n_classes)
        return self.link(mass / mass.sum())

    def _logs(self, z: Floats) -> Floats:
        # One thread: losses are called once per chunk, and chunks already share the threads.
        return _native.log_softmax(np.ascontiguousarray(z), 1)[0]
