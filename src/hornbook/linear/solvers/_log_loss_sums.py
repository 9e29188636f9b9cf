"""Log loss of linear scores and its derivatives, as sums over rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from hornbook import _native
from hornbook.frame import Block
from hornbook.losses import SoftmaxLoss
from hornbook.params import Floats

__all__ = ["LogLossSums", "class_mass", "margins", "sums_of"]


@dataclass(frozen=True)
class LogLossSums:
    """Value, gradient and Hessian (empty if not requested) of some rows.

    Coefficients are ordered class by class, each with its intercept last.
    """

    value: float
    gradient: Floats
    hessian: Floats

    def merge(self, other: LogLossSums) -> LogLossSums:
        """Sums of the rows of both."""
        return LogLossSums(
            self.value + other.value, self.gradient + other.gradient, self.hessian + other.hessian
        )


def sums_of(block: Block, theta: Floats, center: Floats, curvature: bool) -> LogLossSums:
    """Sums of one chunk; theta has coefficients of centered columns for each score, the intercept last."""
    y = np.asarray(block.y)
    # Two classes have one score, which the kernel handles in one pass; more go through matrix products.
    if len(theta) == 1:
        return LogLossSums(*_native.logistic_sums(block.X, y, block.w, theta[0], curvature, center))
    loss = SoftmaxLoss(len(theta))
    X = block.X - center
    z = X @ theta[:, :-1].T + theta[:, -1]
    value, residual = loss.total(y, z, block.w)
    gradient = np.column_stack([residual.T @ X, residual.sum(axis=0)]).ravel()
    if not curvature:
        return LogLossSums(value, gradient, np.empty((0, 0)))
    curvature_of_scores = loss.hessian(y, z)
    return LogLossSums(
        value,
        gradient,
        _curvature(
            X, curvature_of_scores if block.w is None else curvature_of_scores * block.w[:, None, None]
        ),
    )


def _curvature(X: Floats, curvature_of_scores: Floats) -> Floats:
    """Hessian by the coefficients from that by the scores: X' diag X for each pair of classes."""
    # Symmetric in the classes, so that each pair is computed once.
    n_classes, width = curvature_of_scores.shape[1], X.shape[1] + 1
    hessian = np.empty((n_classes, width, n_classes, width))
    for k, m in combinations_with_replacement(range(n_classes), 2):
        sign = (
            1.0 if k == m else -1.0
        )  # mixed derivatives of different classes are negative, the kernel wants h >= 0
        part = sign * _native.weighted_gram(X, np.ascontiguousarray(sign * curvature_of_scores[:, k, m]))
        hessian[k, :, m] = hessian[m, :, k] = part
    return hessian.reshape(n_classes * width, n_classes * width)


def class_mass(block: Block, n_classes: int) -> Floats:
    """Weight of each class."""
    return np.bincount(np.asarray(block.y), weights=block.w, minlength=n_classes).astype(np.float64)


def margins(block: Block, theta: Floats, center: Floats) -> Floats:
    """Smallest and largest lead of the true class's score over all others, rows of weight 0 left out."""
    weighted = slice(None) if block.w is None else block.w > 0
    X, y = block.X[weighted], np.asarray(block.y)[weighted]
    if not len(y):
        return np.array([np.inf, -np.inf])
    z = (X - center) @ theta[:, :-1].T + theta[:, -1]
    if len(theta) == 1:
        lead = np.where(y == 1, z[:, 0], -z[:, 0])
    else:
        rows = np.arange(len(y))
        own = z[rows, y].copy()
        z[rows, y] = -np.inf
        lead = own - z.max(axis=1)
    return np.array([lead.min(), lead.max()])
