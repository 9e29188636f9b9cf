"""Steps of logistic regression that need gradients only: L-BFGS, preconditioned, and gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from hornbook.frame import Moments
from hornbook.linear.solvers._log_loss_objective import LogisticObjective, standardized
from hornbook.optimize import Iterate, RescaledObjective, gradient_descent, lbfgs, positive_solver
from hornbook.params import Floats

__all__ = ["quasi_newton", "steepest_descent"]

SAMPLE = 2000  # fewest rows that a Hessian is estimated from
PER_COLUMN = 3  # and fewest for each of its columns
PASSES = 250  # it may take as many products as so many passes over all rows, which take longer for as many
CHEAP = 20_000_000  # products, which take less than the steps around them, whatever a pass costs
FIRST = 12  # iterations before the Hessian is estimated, twice as many before the next time and so on

Solver = Callable[[Floats], Floats]


def quasi_newton(
    objective: LogisticObjective,
    start: Floats,
    moments: Moments,
    *,
    l1: Floats | None,
    tol: float,
    stricter: float,
) -> Iterator[Iterate]:
    """L-BFGS in units in which all columns have similar curvature.

    Classes that are hard to tell apart and columns that hang together make the curvature uneven in other
    directions than those of the columns. Estimated from a sample of the rows (Byrd et al. 2011), it is what
    the steps start from: first that of equally probable classes, which only needs a Gram matrix, then that
    at the point reached, estimated anew after every so many iterations.

    Parameters
    ----------
    objective : LogisticObjective
        The objective.
    start : ndarray
        Where to begin.
    moments : Moments
        Moments of the columns.
    l1 : ndarray, optional
        Weights of absolute values; with them there is no preconditioning.
    tol : float
        Largest entry of the gradient that may be left.
    stricter : float
        Factor of the gradient in standardized units before it is compared with ``tol``.

    Yields
    ------
    iterate : Iterate
        After each step, in the units of the objective.
    """
    inside = _even_units(objective, moments)
    size, stretch = inside.size, objective.stretched(inside.size, stricter)
    x, patience = start, FIRST
    solve = None if l1 is not None else _even_solver(objective)
    renews = l1 is None and _affordable(objective, len(start))
    while True:
        steps = lbfgs(
            inside,
            x * size,
            l1=None if l1 is None else l1 / size,
            tol=tol,
            stretch=stretch,
            precondition=None if solve is None else _inside(solve, objective, size),
        )
        before = x
        for step in islice(steps, patience if renews else None):
            x = step.x / size
            yield replace(step, x=x, step=step.step / size)
            if step.converged:
                return
        if not renews or x is before:  # not one step made the objective smaller
            return
        solve = positive_solver(objective.sampled_hessian(x, _stride(objective, len(x))))
        patience *= 2


def steepest_descent(
    objective: LogisticObjective, start: Floats, moments: Moments, *, tol: float
) -> Iterator[Iterate]:
    """Gradient descent with a line search, in the same units."""
    inside = _even_units(objective, moments)
    for step in gradient_descent(inside, start * inside.size, tol=tol):
        yield replace(step, x=step.x / inside.size, step=step.step / inside.size)


def _even_units(objective: LogisticObjective, moments: Moments) -> RescaledObjective:
    # Unlike Newton's method, these are not invariant to scaling.
    return standardized(objective, moments.variance()[0] + (moments.mean[0] - objective.center) ** 2)


def _stride(objective: LogisticObjective, width: int) -> int:
    return max(1, round(objective.blocks.n_rows / max(SAMPLE, PER_COLUMN * width)))


def _affordable(objective: LogisticObjective, width: int) -> bool:
    """Whether a Hessian of this width may be estimated: it must save more passes than it costs."""
    n_rows = objective.blocks.n_rows
    products = (n_rows // _stride(objective, width)) * width**2 // 2
    return products <= max(CHEAP, PASSES * n_rows * objective.n_scores * objective.width)


def _even_solver(objective: LogisticObjective) -> Solver | None:
    width = objective.width
    if not _affordable(objective, width):
        return None
    solve = positive_solver(objective.sampled_even_hessian(_stride(objective, width)))
    if solve is None:
        return None
    return lambda right: solve(right.reshape(objective.n_scores, width).T).T.ravel()


def _inside(solve: Solver, objective: LogisticObjective, size: Floats) -> Solver:
    """The same for u = size x, and exact in the direction that estimates distort."""
    common_curvature = objective.squares()[: objective.width]

    def solve_inside(right: Floats) -> Floats:
        scaled = (size * right).reshape(objective.n_scores, objective.width)
        if objective.n_scores == 1:
            return np.asarray(size * solve(scaled.ravel()))
        # Coefficients raised for all classes together change the penalty alone. Beside a small one, the
        # rounding of the estimate would decide about this part.
        common = scaled.mean(axis=0)
        solved = solve((scaled - common).ravel()).reshape(scaled.shape)
        solved -= solved.mean(axis=0)
        solved += np.divide(common, common_curvature, out=np.zeros_like(common), where=common_curvature > 0)
        return np.asarray(size * solved.ravel())

    return solve_inside
