"""How far to go in a direction."""

from __future__ import annotations

from hornbook.networks.mlp._network import Sums
from hornbook.networks.mlp._objective import Objective
from hornbook.params import Floats

__all__ = ["searched"]

HALVINGS = 40
ENOUGH = 1e-4  # Armijo's fraction of the predicted decrease


def searched(
    objective: Objective, x: Floats, value: float, direction: Floats, slope: float, first: float
) -> tuple[Floats, Sums, float] | None:
    """The first step of a backtracking line search that decreases the objective enough; None if none does.

    Too long a step is replaced by the minimum of the parabola through both values and the slope, but not by
    less than a tenth of it (Nocedal and Wright 2006, section 3.5).

    Parameters
    ----------
    objective : Objective
        The objective.
    x, value : ndarray, float
        Where the search starts, and the objective there.
    direction, slope : ndarray, float
        Where to go, and the derivative in that direction, below 0.
    first : float
        The length to try first, in units of the direction.

    Returns
    -------
    tuple or None
        The point, value and gradient there, and the length.
    """
    length = first
    for _ in range(HALVINGS):
        trial = x + length * direction
        sums = objective.first(trial)
        if sums[0] <= value + ENOUGH * length * slope:
            return trial, sums, length
        bend = sums[0] - value - length * slope
        best = -slope * length**2 / (2.0 * bend) if 0 < bend < float("inf") else 0.0
        length = min(max(best, 0.1 * length), 0.5 * length)
    return None
