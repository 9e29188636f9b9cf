"""L-BFGS: a quasi-Newton method with a Hessian estimated from the latest gradients."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

from hornbook.optimize._objective import FirstOrder, Iterate, absolute, dot, lost_in_rounding
from hornbook.params import Floats

__all__ = ["lbfgs"]

HALVINGS = 40
ENOUGH = 1e-4  # Armijo condition: fraction of the predicted decrease that a step must achieve

Pair = tuple[Floats, Floats, float]  # a step, how the gradient changed on the way, and their product


def lbfgs(
    objective: FirstOrder,
    start: Floats,
    *,
    l1: Floats | None = None,
    tol: float = 1e-4,
    stretch: Floats | None = None,
    memory: int = 10,
    precondition: Callable[[Floats], Floats] | None = None,
) -> Iterator[Iterate]:
    """Limited-memory BFGS with a backtracking line search (Nocedal and Wright 2006, chapter 7).

    With ``l1`` this is OWL-QN (Andrew and Gao 2007): steps stay within one orthant, in which the absolute
    values are linear, and coordinates that would leave it become 0.

    Parameters
    ----------
    objective : FirstOrder
        The smooth part.
    start : ndarray
        Where to begin.
    l1 : ndarray, optional
        Weight of the absolute value of each coordinate.
    tol : float, default 1e-4
        Largest entry of the gradient that may be left.
    stretch : ndarray, optional
        Factor of each entry of the gradient before it is compared with ``tol``; 1 when left out.
    memory : int, default 10
        Number of steps remembered.
    precondition : callable, optional
        Multiplies a vector by an estimate of the inverse Hessian, which the steps remembered then correct:
        the better it is, the fewer steps it takes. Not with ``l1``.

    Yields
    ------
    iterate : Iterate
        After each step.

    Examples
    --------
    >>> class Bowl:
    ...     def first(self, x):
    ...         return float((x - 1) @ (x - 1)), 2 * (x - 1)
    >>> *_, last = lbfgs(Bowl(), np.array([3.0, -4.0]))
    >>> last.converged, last.x.round(4).tolist()
    (True, [1.0, 1.0])
    """
    x = start
    value, gradient = objective.first(x)
    total = value + absolute(l1, x)
    pairs: deque[Pair] = deque(maxlen=memory)
    while True:
        slope = _pseudo_gradient(x, gradient, l1)
        gap = float(np.abs(slope).max(initial=0.0))
        if float(np.abs(slope if stretch is None else slope * stretch).max(initial=0.0)) <= tol:
            yield Iterate(x, total, np.zeros_like(x), gap, converged=True)
            return
        direction = _direction(slope, pairs, l1, precondition)
        # Without curvature information the first step is the gradient, whose scale is arbitrary: limit it.
        rate = 1.0 if pairs or precondition else min(1.0, 1.0 / float(np.abs(slope).sum()))
        for _ in range(HALVINGS):
            trial = _within(x + rate * direction, x, slope, l1)
            value, trial_gradient = objective.first(trial)
            trial_total = value + absolute(l1, trial)
            if trial_total <= total + ENOUGH * dot(slope, trial - x):
                break
            rate /= 2
        else:
            if lost_in_rounding(-dot(slope, direction), total):
                yield Iterate(x, total, np.zeros_like(x), gap, converged=True)
            return
        step, change = trial - x, trial_gradient - gradient
        # Only pairs of positive curvature keep the estimate positive definite. Armijo's condition alone does
        # not ensure that, Wolfe's would cost gradients; convex objectives fail it only by rounding.
        curvature = dot(step, change)
        if curvature > 1e-12 * dot(change, change):
            pairs.append((step, change, curvature))
        # The predicted decrease is lost in rounding, and so would be that of the next step.
        flat = trial_total >= total
        x, gradient, total = trial, trial_gradient, trial_total
        yield Iterate(x, total, step, gap, converged=flat)
        if flat:
            return


def _pseudo_gradient(x: Floats, gradient: Floats, l1: Floats | None) -> Floats:
    """Pseudo-gradient: at 0, where absolute values have no derivative, the subgradient of smallest norm."""
    if l1 is None:
        return gradient
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - l1, 0.0)
    return np.where(x == 0, at_zero, gradient + l1 * np.sign(x))


def _direction(
    slope: Floats,
    pairs: deque[Pair],
    l1: Floats | None,
    precondition: Callable[[Floats], Floats] | None,
) -> Floats:
    """Minus the estimated inverse Hessian times the slope (two-loop recursion, Nocedal and Wright)."""
    direction = -slope
    coefficients = []
    for step, change, curvature in reversed(pairs):
        coefficient = dot(step, direction) / curvature
        direction = direction - coefficient * change
        coefficients.append(coefficient)
    if precondition is not None:
        direction = precondition(direction)
    if pairs:
        _, change, curvature = pairs[-1]
        # The estimate to begin with, scaled to the curvature along the last step (Nocedal and Wright,
        # equation 7.20).
        expected = change if precondition is None else precondition(change)
        direction = direction * (curvature / dot(change, expected))
    for (step, change, curvature), coefficient in zip(pairs, reversed(coefficients), strict=True):
        direction = direction + (coefficient - dot(change, direction) / curvature) * step
    # A coordinate that does not go down with the steepest descent would leave the orthant.
    return direction if l1 is None else np.where((l1 > 0) & (direction * slope >= 0), 0.0, direction)


def _within(trial: Floats, x: Floats, slope: Floats, l1: Floats | None) -> Floats:
    """Project onto the orthant: coordinates that have crossed 0 are set to 0."""
    if l1 is None:
        return trial
    side = np.where(x == 0, -np.sign(slope), np.sign(x))
    return np.where((l1 > 0) & (trial * side < 0), 0.0, trial)
