"""Log loss of linear scores and its derivatives, as sums over rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hornbook import _native
from hornbook.frame import Block
from hornbook.params import Floats

__all__ = ["LogLossSums", "class_mass", "margins", "reweighted", "sampled_gram", "sampled_sums", "sums_of"]


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
    # Two classes need one score; a softmax of two would have a direction without curvature.
    if len(theta) == 1:
        return LogLossSums(*_native.logistic_sums(block.X, y, block.w, theta[0], curvature, center))
    value, gradient, hessian = _native.softmax_sums(block.X, y, block.w, theta, curvature, center)
    return LogLossSums(value, gradient.ravel(), hessian)


def sampled_sums(block: Block, theta: Floats, center: Floats, stride: int) -> LogLossSums:
    """The same with the Hessian for every so many-th row, each counting for all of them."""
    sums = sums_of(_sampled(block, stride), theta, center, curvature=True)
    return LogLossSums(stride * sums.value, stride * sums.gradient, stride * sums.hessian)


def sampled_gram(block: Block, center: Floats, stride: int) -> Floats:
    """(X, 1)' diag(w) (X, 1) of the centered rows, estimated likewise."""
    part = _sampled(block, stride)
    w = np.ones(len(part)) if part.w is None else part.w
    return np.asarray(stride * _native.weighted_gram(part.X - center, w))


def _sampled(block: Block, stride: int) -> Block:
    # By number among all rows: the sample does not depend on how rows are divided into blocks.
    return block.at(np.arange(-block.start % stride, len(block), stride))


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


def reweighted(block: Block, factor: Floats) -> Block:
    """Multiply weights by the factors of the rows' classes."""
    w = factor[np.asarray(block.y)]
    return replace(block, w=w if block.w is None else w * block.w)
