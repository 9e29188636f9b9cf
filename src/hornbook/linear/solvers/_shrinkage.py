"""Covariances within classes that are drawn toward equal variances without correlation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from hornbook.frame import Block, Blocks
from hornbook.linear.solvers._scatter import Scatter
from hornbook.params import Floats

__all__ = ["estimated", "ledoit_wolf", "shrunk"]


def shrunk(scatter: Scatter, amount: float) -> Scatter:
    """Scatter within classes with the covariance (1 - a) S + a trace(S) / columns times the identity."""
    within = scatter.within
    # The trace is kept, so that the total variance does not change, only its distribution over directions.
    mean = float(np.trace(within)) / max(len(within), 1)
    return replace(scatter, within=(1.0 - amount) * within + amount * mean * np.eye(len(within)), rows=None)


def estimated(scatter: Scatter, blocks: Blocks, estimator: Any, learner: str) -> Scatter:
    """Scatter within classes from a covariance of each class: Ledoit and Wolf's, or an estimator's."""
    if not blocks.is_one_block:
        raise ValueError(
            f"{learner}: the covariances of the classes are estimated from all rows at once, and these come "
            "in blocks: give shrinkage as a number, or pass blocks.to_frame()."
        )
    (block,) = blocks
    function = _class_covariance if estimator is None else _by(estimator, learner)
    parts = [function(block, c) for c in range(len(scatter.mass))]
    within = sum((mass * part for mass, part in zip(scatter.mass, parts, strict=True)), np.zeros(()))
    return replace(scatter, within=np.asarray(within), rows=None)


def _of_class(block: Block, c: int) -> tuple[Floats, Floats]:
    """The rows of a class that have a weight, and the weights."""
    w = np.ones(len(block)) if block.w is None else block.w
    mine = np.flatnonzero((np.asarray(block.y) == c) & (w > 0))
    return block.X[mine], w[mine]


def _class_covariance(block: Block, c: int) -> Floats:
    """Ledoit and Wolf's covariance of standardized columns, in the units of the columns."""
    X, w = _of_class(block, c)
    center = np.average(X, axis=0, weights=w)
    # Standardized first, as in scikit-learn: the target of the shrinkage has equal variances, which are only
    # plausible in a common unit.
    size = np.sqrt(np.average((X - center) ** 2, axis=0, weights=w))
    size = np.where(size > 0, size, 1.0)
    covariance, _ = ledoit_wolf((X - center) / size, w)
    return np.asarray(covariance * size[:, None] * size)


def _by(estimator: Any, learner: str) -> Callable[[Block, int], Floats]:
    def covariance(block: Block, c: int) -> Floats:
        X, w = _of_class(block, c)
        if (w != 1).any():
            raise ValueError(
                f"{learner}: parameter 'covariance_estimator' takes no weights, but the rows have some that "
                "differ: use shrinkage instead, or leave out the weights."
            )
        fitted = clone(estimator).fit(X)
        if not hasattr(fitted, "covariance_"):
            raise ValueError(
                f"{type(estimator).__name__} does not have a covariance_ attribute: as "
                "'covariance_estimator' pass one of sklearn.covariance, such as OAS()."
            )
        return np.asarray(fitted.covariance_, dtype=np.float64)

    return covariance


def ledoit_wolf(X: Floats, w: Floats) -> tuple[Floats, float]:
    """Covariance of centered rows, shrunk as far as their number asks for (Ledoit and Wolf 2004).

    With S the covariance, m the mean of its diagonal, and b the mean squared distance of the rows' own
    products x x' from S over n, the amount is b / |S - m I|², at most 1, in squared Frobenius norms.
    """
    n, d = float(w.sum()), X.shape[1]
    covariance = (X * w[:, None]).T @ X / n
    mean = float(np.trace(covariance)) / d
    square = float((covariance**2).sum())
    spread = square - d * mean**2
    lengths = (X**2).sum(axis=1)
    # The mean squared deviation of the outer products x xᵀ from their mean, over n, from |x|⁴ alone: no d²
    # numbers are made for each row.
    noise = (float(w @ lengths**2) / n - square) / n
    amount = min(noise, spread) / spread if spread > 0 and noise > 0 else 0.0
    if d == 1:
        amount = 0.0
    return (1.0 - amount) * covariance + amount * mean * np.eye(d), amount
