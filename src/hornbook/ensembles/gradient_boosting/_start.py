"""Where the scores of boosting start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import member_answers, member_proba, member_rows, prepare
from hornbook.frame import Frame
from hornbook.losses import Loss
from hornbook.params import Floats

__all__ = ["first_scores", "fitted_start", "spread_base"]


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
    p = np.clip(member_proba(member, rows, n_classes), smallest, 1.0 - smallest)
    return np.asarray(loss.link(p[:, 1] if n_classes == 2 else p))


def spread_base(base: Floats, n_rows: int) -> Floats:
    """The base scores for each row: one-dimensional where there is one score."""
    return np.full(n_rows, base[0]) if len(base) == 1 else np.tile(base, (n_rows, 1))
