"""Whether a linear function keeps the classes apart, so that no finite coefficients are best."""

from __future__ import annotations

import numpy as np

from hornbook.linear.solvers._log_loss_objective import LogisticObjective
from hornbook.linear.solvers._log_loss_sums import margins
from hornbook.optimize import Iterate
from hornbook.params import Floats

__all__ = ["separates"]

STILL_MOVING = 0.1  # lead gained in the last step, although the loss hardly changed
SLIGHTLY_WRONG = 1e-3  # share of that lead by which a row may go the wrong way: rounding of the last step


def separates(objective: LogisticObjective, last: Iterate) -> bool:
    """Whether every row of the training data is, or drifts, to the right side.

    If all true classes lead (complete separation), or the last step takes no row to the wrong side and some
    further to the right one (the rest lie on the boundary), then going on in that direction makes the loss
    smaller for ever.
    """
    low, _ = _leads(objective, last.x)
    if low > 0:
        return True
    low, high = _leads(objective, last.step)
    return bool(high > STILL_MOVING and low >= -SLIGHTLY_WRONG * high)


def _leads(objective: LogisticObjective, x: Floats) -> Floats:
    return objective.blocks.reduce(margins, objective.inner(x), objective.center, merge=_wider)


def _wider(one: Floats, other: Floats) -> Floats:
    return np.array([min(one[0], other[0]), max(one[1], other[1])])
