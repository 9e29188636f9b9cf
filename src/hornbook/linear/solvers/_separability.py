"""Linear separability, under which the likelihood has no finite maximum (Albert and Anderson 1984)."""

from __future__ import annotations

import numpy as np

from hornbook.linear.solvers._log_loss_objective import LogisticObjective
from hornbook.linear.solvers._log_loss_sums import margins
from hornbook.optimize import Iterate
from hornbook.params import Floats

__all__ = ["separates"]

STILL_MOVING = 0.1  # lead gained in the last step, although the loss hardly changed
SLIGHTLY_WRONG = 1e-3  # how far, relative to that lead, a row may move the wrong way: rounding errors


def separates(objective: LogisticObjective, last: Iterate) -> bool:
    """Whether every training row is on the right side or drifts there.

    If all true classes lead (complete separation), or the last step moves no row to the wrong side and some
    further to the right one (quasi-complete separation), the loss keeps falling in that direction.
    """
    # No linear program as in the definition: unpenalized descent itself moves along a separating direction if
    # there is one, and only its last point and step need to be looked at.
    low, _ = _leads(objective, last.x)
    if low > 0:
        return True
    # Not separated yet: under quasi-complete separation the last steps all go the same way.
    low, high = _leads(objective, last.step)
    return bool(high > STILL_MOVING and low >= -SLIGHTLY_WRONG * high)


def _leads(objective: LogisticObjective, x: Floats) -> Floats:
    return objective.blocks.reduce(margins, objective.inner(x), objective.center, merge=_wider)


def _wider(one: Floats, other: Floats) -> Floats:
    return np.array([min(one[0], other[0]), max(one[1], other[1])])
