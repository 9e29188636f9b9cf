"""Newton's method with a backtracking line search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hornbook.optimize._coordinate_descent import coordinate_descent
from hornbook.optimize._objective import Iterate, SecondOrder, absolute, lost_in_rounding
from hornbook.optimize._solve import solve_positive
from hornbook.optimize._taylor import quadratic_change
from hornbook.params import Floats

__all__ = ["newton"]

HALVINGS = 40
ENOUGH = 1e-4  # Armijo condition: fraction of the predicted decrease that a step must achieve


def newton(
    objective: SecondOrder, start: Floats, *, l1: Floats | None = None, tol: float = 1e-8
) -> Iterator[Iterate]:
    """Minimize the local quadratic model; halve the step until the objective decreases enough.

    With ``l1`` the quadratic plus the absolute values is minimized by coordinate descent (a proximal Newton
    method). When the predicted decrease is at most ``tol``, the minimum of the quadratic is the last iterate,
    without another evaluation of the objective: convergence is quadratic, so the error there is of the order
    of the square of the one before.

    Parameters
    ----------
    objective : SecondOrder
        The smooth part.
    start : ndarray
        Where to begin.
    l1 : ndarray, optional
        Weight of the absolute value of each coordinate.
    tol : float, default 1e-8
        Largest predicted decrease that may be left.

    Yields
    ------
    iterate : Iterate
        After each step.

    Examples
    --------
    >>> class Cosh:
    ...     def second(self, x):
    ...         return np.cosh(x).sum(), np.sinh(x), np.diag(np.cosh(x))
    >>> *_, last = newton(Cosh(), np.array([2.0]))
    >>> last.converged, abs(float(last.x[0])) < 1e-8
    (True, True)
    """
    x = start
    value, gradient, hessian = objective.second(x)
    total = value + absolute(l1, x)
    while True:
        step = _step(x, gradient, hessian, l1, tol)
        penalty = absolute(l1, x + step) - absolute(l1, x)
        slope = float(gradient @ step) + penalty
        promised = -quadratic_change(gradient, hessian, step) - penalty
        if promised <= tol or lost_in_rounding(promised, total):
            yield Iterate(x + step, total - max(promised, 0.0), step, promised, converged=True)
            return
        rate = 1.0
        # Backtracking: the quadratic model may overestimate how far it is valid.
        for _ in range(HALVINGS):
            trial = x + rate * step
            value, gradient, hessian = objective.second(trial)
            trial_total = value + absolute(l1, trial)
            if trial_total <= total + ENOUGH * rate * slope:
                break
            rate /= 2
        else:
            return
        # The predicted decrease is lost in rounding, and so would be that of the next step.
        flat = trial_total >= total
        step, x, total = trial - x, trial, trial_total
        yield Iterate(x, total, step, promised, converged=flat)
        if flat:
            return


def _step(x: Floats, gradient: Floats, hessian: Floats, l1: Floats | None, tol: float) -> Floats:
    if l1 is None or not l1.any():
        return -solve_positive(hessian, gradient)
    # More exact than the outer tolerance, or the error of the inner solution would be taken for lack of
    # convergence.
    best, _, _ = coordinate_descent(hessian, gradient, l1, x, tol=1e-4 * tol)
    return np.asarray(best - x)
