"""Where the scores of boosting start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_proba, member_rows, prepare
from hornbook.frame import Block, Blocks, Frame
from hornbook.losses import Loss
from hornbook.params import Floats
from hornbook.trees import class_mass

__all__ = ["best_constant", "first_scores", "fitted_start", "spread_base"]


def fitted_start(
    init: Any, frame: Frame, y: NDArray[Any], w: Floats | None, *, n_classes: int, seed: int
) -> Any:
    """The estimator that boosting starts from, fitted."""
    prepared = prepare(init, frame, w, task="classification" if n_classes else "regression")
    return prepared.fit(y, w, seed=seed % 2**32)


def first_scores(member: Any, frame: Frame, loss: Loss, n_classes: int) -> Floats:
    """The scores that correspond to the predictions of an estimator."""
    rows = member_rows(member, frame)
    if not n_classes:
        return np.asarray(loss.link(member_answers(member, rows)), dtype=np.float64)
    smallest = np.finfo(np.float64).eps
    # A probability of 0 or 1 has no finite logit.
    p = np.clip(member_proba(member, rows, n_classes), smallest, 1.0 - smallest)
    return np.asarray(loss.link(p[:, 1] if n_classes == 2 else p))


def best_constant(loss: Loss, rows: Blocks, n_classes: int) -> Floats:
    """The constant score with the smallest loss, from sums over the rows where those are enough."""
    if n_classes:
        return loss.minimizer(np.arange(n_classes), class_mass(rows, n_classes))
    if loss.mean_is_enough:
        # Weighted mean only: losses of the exponential family are minimized by its link.
        weight, total = rows.reduce(_mean_sums).tolist()
        return loss.minimizer(np.array([total / weight]))
    (block,) = rows
    assert block.y is not None
    return loss.minimizer(block.y, block.w)


def _mean_sums(block: Block) -> Floats:
    """Weight of rows, and weighted sum of their targets."""
    assert block.y is not None
    w = np.ones(len(block)) if block.w is None else block.w
    return np.array([w.sum(), (w * block.y).sum()])


def spread_base(base: Floats, n_rows: int) -> Floats:
    """The base scores for each row: one-dimensional where there is one score."""
    return np.full(n_rows, base[0]) if len(base) == 1 else np.tile(base, (n_rows, 1))
